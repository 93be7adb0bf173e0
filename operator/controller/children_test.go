//go:build integration

package controller_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// The whole way of a standalone: finalizer, owned children, a running status.
func TestStandaloneRuns(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", nil)
	v := w.awaitPhase("db", v1alpha1.PhaseRunning)
	if !slices.Contains(v.Finalizers, v1alpha1.Finalizer) {
		t.Errorf("finalizers %v", v.Finalizers)
	}
	if v.Status.ReadyReplicas != 1 || v.Status.Primary != "db-node-0" || v.Status.Version == "" || v.Status.Error != "" {
		t.Errorf("status %+v", v.Status)
	}
	for _, o := range w.objects() {
		switch o.(type) {
		case *v1alpha1.Valkey, *corev1.Pod: // pods are the Deployment's
			continue
		}
		if !metav1.IsControlledBy(o, v) {
			t.Errorf("%s is not owned: %v", describe(o), o.GetOwnerReferences())
		}
	}
}

// Case 9 (operator): each kind of child that is deleted by hand comes back by the watch, in seconds.
func TestDeletedChildComesBack(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](2) })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	kinds := map[string]bool{}
	for _, o := range w.objects() {
		if _, isValkey := o.(*v1alpha1.Valkey); isValkey {
			continue
		}
		if _, isPod := o.(*corev1.Pod); isPod {
			continue
		}
		kinds[describe(o)[:8]] = true
		if err := w.client.Delete(t.Context(), o); err != nil {
			t.Fatalf("%s: %v", describe(o), err)
		}
		before := o.GetUID()
		w.eventually(describe(o)+" is back", func() bool {
			now := o.DeepCopyObject().(client.Object)
			return w.client.Get(t.Context(), client.ObjectKeyFromObject(o), now) == nil && now.GetUID() != before
		})
	}
	w.awaitPhase("db", v1alpha1.PhaseRunning)
}

// Case 9 (operator): what is changed by hand in a child is as it should be again, and what was added is gone; even
// where an apply alone would be refused.
func TestChangedChildComesBack(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](2) })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	for name, c := range map[string]struct {
		object string
		patch  string
	}{
		"Deployment: another image":            {"Deployment db-node-1", `{"spec":{"template":{"spec":{"containers":[{"name":"valkey","image":"evil"}]}}}}`},
		"Deployment: a container beside":       {"Deployment db-node-1", `{"spec":{"template":{"spec":{"containers":[{"name":"spy","image":"spy"}]}}}}`},
		"Deployment: the boot mode fixed":      {"Deployment db-node-1", `{"spec":{"template":{"spec":{"containers":[{"name":"valkey","env":[{"name":"VALKEY_BOOT","value":"primary","valueFrom":null}]}]}}}}`},
		"Deployment: two at a time":            {"Deployment db-node-1", `{"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}}`},
		"Deployment: arguments":                {"Deployment db-node-1", `{"spec":{"template":{"spec":{"containers":[{"name":"valkey","args":["x"]}]}}}}`},
		"Service: a renamed port":              {"Service db", `{"spec":{"ports":[{"port":6379,"name":"other"}]}}`},
		"Service: another port in its place":   {"Service db", `{"spec":{"ports":[{"$patch":"replace"},{"port":7000,"name":"valkey"}]}}`},
		"Service: selects less":                {"Service db-replicas", `{"spec":{"selector":{"app":"x"}}}`},
		"PodDisruptionBudget: selects less":    {"PodDisruptionBudget db", `{"spec":{"selector":{"matchLabels":{"app":"x"}}}}`},
		"Service: selects everything":          {"Service db-replicas", `{"spec":{"selector":{"database.kuberly.io/role":null}}}`},
		"Secret: another password":             {"Secret db", `{"data":{"password":"eA=="}}`},
		"Secret: a key added":                  {"Secret db-internal", `{"data":{"extra":"eA=="}}`},
		"Secret: the operator's own password":  {"Secret db-internal", `{"data":{"operator-password":"eA=="}}`},
		"ConfigMap: another configuration":     {"ConfigMap db", `{"data":{"valkey.conf":"port 1\n","more":"x"}}`},
		"PodDisruptionBudget: none protected":  {"PodDisruptionBudget db", `{"spec":{"minAvailable":0}}`},
		"PodDisruptionBudget: the other arm":   {"PodDisruptionBudget db", `{"spec":{"minAvailable":null,"maxUnavailable":1}}`},
		"PersistentVolumeClaim: a label taken": {"PersistentVolumeClaim db-node-1", `{"metadata":{"labels":{"database.kuberly.io/node":"9"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			o := w.named(c.object)
			before, err := runtimeMap(o)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.client.Patch(t.Context(), o, client.RawPatch(types.StrategicMergePatchType, []byte(c.patch)), client.FieldOwner("somebody")); err != nil {
				t.Fatal(err)
			}
			w.eventually(c.object+" is as before", func() bool {
				now, err := runtimeMap(w.named(c.object))
				return err == nil && sameSpec(before, now)
			})
			if now := w.named(c.object); now.GetUID() != o.GetUID() || now.GetDeletionTimestamp() != nil {
				t.Errorf("%s was deleted over it", c.object)
			}
		})
	}
	w.awaitPhase("db", v1alpha1.PhaseRunning)
}

// Case 11 (operator): at rest nothing is written, however often it is looked at, and nothing is asked to be: a write of
// what is there already changes no object, and costs all the same.
func TestZeroWritesAtRest(t *testing.T) {
	w := newWorld(t)
	w.valkey("alone", nil)
	w.valkey("three", func(v *v1alpha1.Valkey) {
		v.Spec.Replicas, v.Spec.Volume.Enabled, v.Spec.Volume.Storage = ptr.To[int32](3), false, ""
		v.Spec.NodeSelector = map[string]string{"disk": "ssd"}
		v.Spec.Tolerations = []corev1.Toleration{{Key: "a", Operator: corev1.TolerationOpExists}}
		v.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.ScheduleAnyway,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/instance": "three"}},
		}}
	})
	w.valkey("stopped", func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](0) })
	w.awaitPhase("alone", v1alpha1.PhaseRunning)
	w.awaitPhase("three", v1alpha1.PhaseRunning)
	w.awaitPhase("stopped", v1alpha1.PhaseStopped)
	counted, writes := w.counting()
	r := w.reconciler(counted)
	// The last look of the manager itself may still come.
	for _, name := range []string{"alone", "three", "stopped"} {
		w.reconcile(r, name)
	}
	versions := func() map[string]string {
		out := map[string]string{}
		for _, o := range w.objects() {
			out[describe(o)] = o.GetResourceVersion()
		}
		return out
	}
	before := versions()
	writes.Store(0)
	for range 20 {
		for _, name := range []string{"alone", "three", "stopped"} {
			w.reconcile(r, name)
		}
	}
	if n := writes.Load(); n > 0 {
		t.Errorf("%d requests to write", n)
	}
	after := versions()
	for name, version := range before {
		if after[name] != version {
			t.Errorf("%s was written", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d objects, before %d", len(after), len(before))
	}
}
