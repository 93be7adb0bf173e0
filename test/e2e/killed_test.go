//go:build e2e

package e2e

import (
	"context"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// killedWhile is one action that all managers are killed in.
type killedWhile struct {
	name string
	act  func(t *testing.T, s subject)
	// atOnce kills without waiting until the status speaks of the action, which may be over by then.
	atOnce bool
	// done goes on where the action is not over with status running.
	done func(t *testing.T, s subject)
	// unplanned says that writes which had reached no replica may be gone.
	unplanned bool
}

// TestManagerKilled kills every manager in the middle of each action under load, one after the other: another goes on from
// what it observes, and no acknowledged write is lost by a planned one.
func TestManagerKilled(t *testing.T) {
	s := create(t, newValkey(newNamespace(t), 3))
	for _, c := range []killedWhile{
		{name: "roll", act: func(_ *testing.T, s subject) {
			s.change(func(v *v1alpha1.Valkey) { v.Spec.Resource.CPU = "210m" })
		}},
		{name: "handover", act: func(_ *testing.T, s subject) { s.requestFailover() }, atOnce: true, done: requestIsGone},
		{name: "failover", act: func(t *testing.T, s subject) { signal(t, s.primary(), syscall.SIGKILL) }, atOnce: true, unplanned: true},
		{name: "end of the primary's pod", act: func(t *testing.T, s subject) { deletePod(t, s.primary()) }, atOnce: true},
		{name: "drain", act: drainPrimary, atOnce: true, done: leavesTheHost},
		{name: "scale up", act: func(_ *testing.T, s subject) { s.scale(5) }},
		{name: "scale down", act: func(_ *testing.T, s subject) { s.scale(2) }},
		{name: "stop", act: func(_ *testing.T, s subject) { s.scale(0) }, done: func(_ *testing.T, s subject) {
			s.waitFor(v1alpha1.PhaseStopped)
			s.scale(2)
		}},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, subject{t, s.ObjectKey}) })
	}
}

func (c killedWhile) run(t *testing.T, s subject) {
	l := startLoad(s)
	c.act(t, s)
	if !c.atOnce {
		eventually(t, "the operator is at it", func() string {
			if s.get().Status.Status != v1alpha1.PhaseInProgress {
				return "nothing happens yet"
			}
			return ""
		})
	}
	killManagers(t)
	if c.done != nil {
		c.done(t, s)
	}
	s.waitRunning()
	s.waitLinked(s.get().WantedReplicas() - 1)
	l.waitWrites(50)
	r := l.finish()
	if r.lost > 0 && !c.unplanned || r.lost > r.acked/5 {
		t.Errorf("%d of %d acknowledged writes are gone", r.lost, r.acked)
	}
}

// requestIsGone waits until a requested handover has been carried out.
func requestIsGone(t *testing.T, s subject) {
	t.Helper()
	eventually(t, "the request is carried out", func() string {
		if to := s.get().Annotations[v1alpha1.AnnotationFailover]; to != "" {
			return "it still asks for " + to
		}
		return ""
	})
}

// drainPrimary cordons the primary's host, as a drain begins.
func drainPrimary(t *testing.T, s subject) {
	host := s.primary().Spec.NodeName
	cordon(t.Context(), t, host, true)
	t.Cleanup(func() { cordon(context.Background(), t, host, false) })
}

// leavesTheHost waits until the primary has left the host that is drained.
func leavesTheHost(t *testing.T, s subject) {
	t.Helper()
	eventually(t, "the primary is on a host that is not drained", func() string {
		var host corev1.Node
		if err := kube.Get(t.Context(), client.ObjectKey{Name: s.primary().Spec.NodeName}, &host); err != nil {
			return err.Error()
		}
		if host.Spec.Unschedulable {
			return "it is on " + host.Name
		}
		return ""
	})
}

// TestManagerKilledInALife: managers are killed right after a Valkey was made, and right after it was deleted.
func TestManagerKilledInALife(t *testing.T) {
	v := newValkey(newNamespace(t), 3)
	if err := kube.Create(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	killManagers(t)
	s := subject{t, client.ObjectKeyFromObject(v)}
	s.waitRunning()
	s.waitLinked(2)
	s.writeKey()
	if err := kube.Delete(t.Context(), s.get()); err != nil {
		t.Fatal(err)
	}
	killManagers(t)
	eventually(t, "nothing left", func() string { return leftovers(t, v.Namespace) })
}
