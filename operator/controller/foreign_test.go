//go:build integration

package controller_test

import (
	"reflect"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// An object that is not ours is never adopted, changed or deleted, whatever labels it has; the status names it.
func TestForeignObjectIsLeftAlone(t *testing.T) {
	own := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "foreign"}}
	for _, foreign := range []client.Object{
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "db"}, StringData: map[string]string{"theirs": "x"}},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "db-internal"}, StringData: map[string]string{"operator-password": "theirs"}},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "db-observer"}},
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "db"}, Data: map[string]string{"theirs": "x"}},
		&corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "db"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 1}}}},
		&corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "db-replicas"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 1}}}},
		&corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "db-nodes"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 1}}}},
		&policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "db"}, Spec: policyv1.PodDisruptionBudgetSpec{
			MinAvailable: ptr.To(intstr.FromInt32(0)), Selector: own,
		}},
		&corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "db-node-0"}, Spec: claimSpec("64Mi")},
		&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "db-node-1"}, Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To[int32](0), Selector: own,
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: own.MatchLabels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
			},
		}},
	} {
		name := reflect.TypeOf(foreign).Elem().Name() + " " + foreign.GetName()
		for _, labelled := range []bool{false, true} {
			title := name
			if labelled {
				title += " with our labels"
			}
			t.Run(title, func(t *testing.T) {
				w := newWorld(t)
				o := foreign.DeepCopyObject().(client.Object)
				o.SetNamespace(w.ns)
				if labelled {
					o.SetLabels((&v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: "db"}}).PodLabels())
				}
				if err := w.client.Create(t.Context(), o); err != nil {
					t.Fatal(err)
				}
				before := w.settled(o)
				w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](2) })
				v := w.awaitError(o.GetName())
				if v.Status.Status != v1alpha1.PhaseFailed || !strings.Contains(v.Status.Error, name) {
					t.Errorf("status %s, error %q", v.Status.Status, v.Status.Error)
				}
				if err := w.client.Delete(t.Context(), v); err != nil {
					t.Fatal(err)
				}
				w.eventually("the Valkey goes", func() bool {
					return client.IgnoreNotFound(w.client.Get(t.Context(), w.key("db"), v)) == nil && w.gone("Valkey db")
				})
				if after := w.settled(o); after != before {
					t.Errorf("%s was changed or deleted: version %s, then %s", name, before, after)
				}
			})
		}
	}
}

// settled is the version of an object once the world around it has done with it.
func (w *world) settled(o client.Object) string {
	w.t.Helper()
	var version string
	w.eventually(describe(o)+" is settled", func() bool {
		now := o.DeepCopyObject().(client.Object)
		if w.client.Get(w.t.Context(), client.ObjectKeyFromObject(o), now) != nil {
			version = "deleted"
			return true
		}
		version = now.GetResourceVersion()
		switch now := now.(type) {
		case *corev1.PersistentVolumeClaim:
			return now.Status.Phase == corev1.ClaimBound
		case *appsv1.Deployment:
			return now.Status.ObservedGeneration == now.Generation
		default:
			return true
		}
	})
	return version
}

func (w *world) gone(name string) bool {
	w.t.Helper()
	for _, o := range w.objects() {
		if reflect.TypeOf(o).Elem().Name()+" "+o.GetName() == name {
			return false
		}
	}
	return true
}
