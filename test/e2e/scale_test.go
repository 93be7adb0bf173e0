//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// TestScales goes 1, 5, 2, 0, 3 under load, while a roll is under way and while the primary is killed: no acknowledged
// write of the planned part is lost (case 5 (operator)).
func TestScales(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 1))
	l := startLoad(s)
	s.scale(5)
	s.waitRunning()
	s.waitLinked(4)
	l.waitWrites(100)

	// A roll begins, and in the middle of it another number is wanted.
	s.change(func(v *v1alpha1.Valkey) { v.Spec.Resource.CPU = "210m" })
	eventually(t, "the roll is under way", func() string {
		for _, p := range s.pods() {
			if p.Spec.Containers[0].Resources.Limits.Cpu().String() == "210m" {
				return ""
			}
		}
		return "no pod is rolled yet"
	})
	s.scale(2)
	s.waitRunning()
	s.waitLinked(1)
	for _, p := range s.pods() {
		if got := p.Spec.Containers[0].Resources.Limits.Cpu().String(); got != "210m" {
			t.Errorf("%s has %s: the roll was not ended", p.Name, got)
		}
	}
	l.waitWrites(100)

	s.scale(0)
	s.waitFor(v1alpha1.PhaseStopped)
	s.scale(3)
	s.waitRunning()
	s.waitLinked(2)
	l.waitWrites(100)
	l.lostNothing()
}

// TestScaleDuringAFailover: another number is wanted in the instant in which the primary dies.
func TestScaleDuringAFailover(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 3))
	s.waitLinked(2)
	l := startLoad(s)
	signal(t, s.primary(), syscall.SIGKILL)
	s.scale(5)
	s.waitRunning()
	s.waitLinked(4)
	signal(t, s.primary(), syscall.SIGKILL)
	s.scale(2)
	s.waitRunning()
	s.waitLinked(1)
	l.waitWrites(100)
	if r := l.finish(); r.lost > r.acked/5 {
		t.Errorf("%d of %d acknowledged writes are gone", r.lost, r.acked)
	}
}

// TestClaimDeletedByHand: a claim that is deleted stays until its pod ends, as Kubernetes has it; then the node gets a new
// one, and its data from the primary.
func TestClaimDeletedByHand(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 3))
	s.waitLinked(2)
	l := startLoad(s)
	for _, role := range []v1alpha1.Role{v1alpha1.RoleReplica, v1alpha1.RolePrimary} {
		pod := s.primary()
		if role == v1alpha1.RoleReplica {
			pod = &s.replicas()[0]
		}
		claim := &corev1.PersistentVolumeClaim{}
		claim.Namespace, claim.Name = s.Namespace, s.get().NodeName(nodeOf(t, pod))
		if err := kube.Delete(t.Context(), claim); err != nil {
			t.Fatal(err)
		}
		deletePod(t, pod)
		eventually(t, "a new claim", func() string {
			var now corev1.PersistentVolumeClaim
			if err := kube.Get(t.Context(), client.ObjectKeyFromObject(claim), &now); err != nil {
				return err.Error()
			}
			if now.DeletionTimestamp != nil {
				return "the old one is still there"
			}
			return ""
		})
		s.waitRunning()
		s.waitLinked(2)
		l.waitWrites(100)
	}
	l.lostNothing()
}

// TestUpgrade rolls from Valkey 8.1 to 9.1 under load. The way back ends at its first server, since 8.1 does not read what
// 9.1 wrote: the rest serves, the status says why, and going forward again heals it.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	const before = "valkey/valkey:8.1"
	s := create(t, newValkey(newNamespace(t), 3, func(v *v1alpha1.Valkey) { v.Spec.Image = before }))
	s.waitLinked(2)
	l := startLoad(s)
	s.change(func(v *v1alpha1.Valkey) { v.Spec.Image = image })
	s.waitRunning()
	s.waitLinked(2)
	if got := s.get().Status.Version; !strings.HasPrefix(got, "9.1") {
		t.Errorf("the version is %q", got)
	}
	l.waitWrites(100)
	for _, p := range s.pods() { // up to now it may only have added to what 8.1 wrote
		s.rewriteFiles(&p)
	}

	s.change(func(v *v1alpha1.Valkey) { v.Spec.Image = before })
	eventually(t, "the cause in words", func() string {
		if got := s.get().Status.Error; !strings.Contains(got, "is older than the Valkey that wrote it") {
			return fmt.Sprintf("the error is %q", got)
		}
		return ""
	})
	l.waitWrites(100)
	if v := s.get(); v.Status.ReadyReplicas != 2 {
		t.Errorf("%d of 3 servers serve, want 2", v.Status.ReadyReplicas)
	}
	s.change(func(v *v1alpha1.Valkey) { v.Spec.Image = image })
	s.waitRunning()
	s.waitLinked(2)
	l.lostNothing()
}

// rewriteFiles has the server of a pod write its data anew.
func (s subject) rewriteFiles(p *corev1.Pod) {
	s.t.Helper()
	eventually(s.t, p.Name+" begins to write its data anew", func() string {
		if _, err := s.ask(address(p), "BGREWRITEAOF"); err != nil {
			return err.Error() // as where one is under way, which began earlier
		}
		return ""
	})
	eventually(s.t, p.Name+" has written its data anew", func() string {
		text, err := s.ask(address(p), "INFO", "persistence")
		if err != nil {
			return err.Error()
		}
		if !strings.Contains(text, "aof_rewrite_in_progress:0") || !strings.Contains(text, "aof_rewrite_scheduled:0") {
			return "it is at it"
		}
		return ""
	})
}
