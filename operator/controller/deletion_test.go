//go:build integration

package controller_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Case 12 (operator): deletion ends where the children went first, each kind of them.
func TestDeletionAfterTheChildren(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", nil)
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	v := w.get("db")
	if err := w.client.Delete(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	for _, o := range w.objects() {
		if _, isValkey := o.(*v1alpha1.Valkey); !isValkey {
			if err := client.IgnoreNotFound(w.client.Delete(t.Context(), o)); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.eventually("nothing is left", func() bool { return len(w.objects()) == 0 })
}

// A finalizer that is not ours is not ours to remove; our part is done all the same.
func TestDeletionLeavesForeignFinalizers(t *testing.T) {
	const foreign = "example.com/theirs"
	w := newWorld(t)
	w.valkey("db", func(v *v1alpha1.Valkey) { v.Finalizers = []string{foreign} })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	if err := w.client.Delete(t.Context(), w.get("db")); err != nil {
		t.Fatal(err)
	}
	w.eventually("only the Valkey is left, with their finalizer", func() bool {
		objects := w.objects()
		return len(objects) == 1 && slices.Equal(objects[0].GetFinalizers(), []string{foreign})
	})
	w.update(func(v *v1alpha1.Valkey) { v.Finalizers = nil })
	w.eventually("nothing is left", func() bool { return len(w.objects()) == 0 })
}

// Servers go first, then claims, then the rest: a server that ends must still find its Secret and its volume.
func TestDeletionWaitsForTheServers(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", nil)
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	w.kubelet.hold(func(pod *corev1.Pod) bool { return pod.DeletionTimestamp != nil })
	if err := w.client.Delete(t.Context(), w.get("db")); err != nil {
		t.Fatal(err)
	}
	w.eventually("the pod is ending", func() bool {
		return slices.ContainsFunc(w.objects(), func(o client.Object) bool {
			_, isPod := o.(*corev1.Pod)
			return isPod && o.GetDeletionTimestamp() != nil
		})
	})
	r := w.reconciler(w.client)
	for range 5 {
		w.reconcile(r, "db")
	}
	for _, kept := range []string{"Secret db-internal", "ConfigMap db", "PersistentVolumeClaim db-node-0", "Valkey db"} {
		if o := w.named(kept); o.GetDeletionTimestamp() != nil && kept != "Valkey db" {
			t.Errorf("%s goes while a server is still ending", kept)
		}
	}
	w.kubelet.hold(func(*corev1.Pod) bool { return false })
	w.eventually("nothing is left", func() bool { return len(w.objects()) == 0 })
}

// Case 12 (operator): a namespace that is being deleted ends: nothing is created in it, and no finalizer stays.
func TestDeletionWithTheNamespace(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", nil)
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	namespace := &corev1.Namespace{}
	if err := w.client.Get(t.Context(), client.ObjectKey{Name: w.ns}, namespace); err != nil {
		t.Fatal(err)
	}
	if err := w.client.Delete(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	// What the namespace controller does: everything is deleted, in no order that helps.
	for _, name := range []string{"Secret db-internal", "Service db", "Deployment db-node-0", "ConfigMap db"} {
		if err := client.IgnoreNotFound(w.client.Delete(t.Context(), w.named(name))); err != nil {
			t.Fatal(err)
		}
	}
	w.reconcile(w.reconciler(w.client), "db") // a refusal to create is no error
	for _, o := range w.objects() {
		if err := client.IgnoreNotFound(w.client.Delete(t.Context(), o)); err != nil {
			t.Fatal(err)
		}
	}
	w.eventually("nothing is left", func() bool { return len(w.objects()) == 0 })
	for line := range strings.Lines(manager.logs.String()) {
		isEvent := strings.Contains(line, `"logger":"events"`) // client-go's: one of before came too late for the namespace
		if strings.Contains(line, w.ns) && strings.Contains(line, `"level":"error"`) && !isEvent {
			t.Errorf("an error is logged for a namespace that is going: %s", line)
		}
	}
}
