//go:build integration

package controller_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// disturbed is a client that sees every ConfigMap changed by hand, and whose applies of one kind fail; and how often they
// did. What it sees is its own: a real change would be put right by the manager that runs beside, which may be quicker.
func (w *world) disturbed(kind string, failure error) (client.Client, *atomic.Int32) {
	w.t.Helper()
	var hits atomic.Int32
	watching, err := client.NewWithWatch(w.config, client.Options{Scheme: w.client.Scheme()})
	if err != nil {
		w.t.Fatal(err)
	}
	return interceptor.NewClient(watching, interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			err := c.List(ctx, list, opts...)
			if maps, ok := list.(*corev1.ConfigMapList); ok {
				for i := range maps.Items {
					maps.Items[i].Data["boot"] = "neither"
				}
			}
			return err
		},
		Apply: func(ctx context.Context, c client.WithWatch, o runtime.ApplyConfiguration, opts ...client.ApplyOption) error {
			if named, ok := o.(interface{ GetKind() string }); ok && named.GetKind() == kind {
				hits.Add(1)
				return failure
			}
			return c.Apply(ctx, o, opts...)
		},
	}), &hits
}

// A conflict means that the next look knows more: no error, nowhere.
func TestConflictIsAQuietRetry(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", nil)
	v := w.awaitPhase("db", v1alpha1.PhaseRunning)
	conflict := apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, "db", errors.New("it has changed"))
	client, hits := w.disturbed("ConfigMap", conflict)
	r := w.reconciler(client)
	result, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: w.key("db")})
	if err != nil || result.RequeueAfter <= 0 {
		t.Errorf("it says %v, %v; want another try and no error", result, err)
	}
	if hits.Load() == 0 {
		t.Error("there was no conflict")
	}
	if got := w.get("db").Status; got.Error != "" || got.Status != v.Status.Status {
		t.Errorf("the status says %s: %q", got.Status, got.Error)
	}
}

// What the API server refuses is said, what was true stays said, and both heal.
func TestAPIErrorIsSaidAndHeals(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", nil)
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	refusal := apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "db", errors.New("no more of them"))
	client, hits := w.disturbed("ConfigMap", refusal)
	w.eventually("the error is in the status", func() bool { // the manager that runs beside takes it away again
		_, err := w.reconciler(client).Reconcile(t.Context(), ctrl.Request{NamespacedName: w.key("db")})
		if err == nil {
			t.Error("what the API server refuses is no error")
		}
		v := w.get("db")
		return strings.Contains(v.Status.Error, "no more of them") && v.Status.Primary == "db-node-0" && v.Status.ReadyReplicas == 1 || t.Failed()
	})
	if hits.Load() == 0 {
		t.Error("nothing was refused")
	}
	v := w.awaitPhase("db", v1alpha1.PhaseRunning)
	w.eventually("the error is gone", func() bool {
		w.reconcile(w.reconciler(w.client), "db")
		v = w.get("db")
		return v.Status.Error == ""
	})
}

// Case 18 (operator): the longest name that is admitted runs with all its children.
func TestLongestNameRuns(t *testing.T) {
	w := newWorld(t)
	name := "a" + strings.Repeat("b", 48) + "c"
	w.valkey(name, func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](2) })
	w.awaitPhase(name, v1alpha1.PhaseRunning)
}

// Case 5 (operator): 2 -> 0 -> 2 comes back with a primary and every key. Case 22 (operator): and nobody is wiped by an
// empty one that restarts.
func TestStopAndStartKeepsTheData(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](2) })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	if got := w.onPrimary("SET", "key", "value"); got != "OK" {
		t.Fatalf("SET: %q", got)
	}
	w.scale(0)
	stopped := w.awaitPhase("db", v1alpha1.PhaseStopped)
	if stopped.Status.ReadyReplicas != 0 {
		t.Errorf("stopped with %d ready", stopped.Status.ReadyReplicas)
	}
	w.scale(2)
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	if got := w.onPrimary("GET", "key"); got != "value" {
		t.Errorf("the key is %q after 2 -> 0 -> 2", got)
	}
}

// Case 22 (operator): a primary without a volume that restarts comes back empty; its replica takes over with the data.
func TestEmptyRestartedPrimaryWipesNobody(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", func(v *v1alpha1.Valkey) {
		v.Spec.Replicas, v.Spec.Volume = ptr.To[int32](2), v1alpha1.VolumeSpec{}
	})
	v := w.awaitPhase("db", v1alpha1.PhaseRunning)
	if got := w.onPrimary("SET", "key", "value"); got != "OK" {
		t.Fatalf("SET: %q", got)
	}
	if got := w.onPrimary("WAIT", "1", "5000"); got != "1" {
		t.Fatalf("WAIT: %q", got)
	}
	before := v.Status.Primary
	w.kubelet.kill(w.primaryPod())
	w.eventually("another primary", func() bool { return w.get("db").Status.Primary != before })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	if got := w.onPrimary("GET", "key"); got != "value" {
		t.Errorf("the key is %q", got)
	}
	w.eventually("it follows", func() bool {
		return w.pod(before[len("db-node-"):]).Labels[v1alpha1.LabelRole] == string(v1alpha1.RoleReplica)
	})
	// It would come back with that some day, as it was then, where it starts again as a primary.
	w.eventually("the copy that a replica got is gone once it is loaded", func() bool {
		copies, err := filepath.Glob(filepath.Join(w.kubelet.dir, "*", "data", "*.rdb"))
		return err == nil && len(copies) == 0
	})
}

func (w *world) primaryPod() *corev1.Pod {
	w.t.Helper()
	var pods corev1.PodList
	selector := client.MatchingLabels{v1alpha1.LabelRole: string(v1alpha1.RolePrimary)}
	w.eventually("the primary on record is labelled", func() bool {
		if err := w.client.List(w.t.Context(), &pods, client.InNamespace(w.ns), selector); err != nil {
			w.t.Fatal(err)
		}
		return len(pods.Items) == 1 && pods.Items[0].Status.PodIP == w.get("db").Status.PrimaryAddress
	})
	return &pods.Items[0]
}

func (w *world) onPrimary(words ...string) string {
	w.t.Helper()
	return w.cli(w.primaryPod().Status.PodIP, "root", awkward, words...)
}
