//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// These tests take hosts away. They are not parallel, so they run before those that need the hosts.

// sandbox runs the program that made the cluster.
func sandbox(t testing.TB, args ...string) {
	t.Helper()
	if dir := os.Getenv("SANDBOX_DIR"); dir != "" {
		args = append([]string{"--dir", dir}, args...)
	}
	if out, err := run(t, binary("sandbox"), args...); err != nil {
		t.Fatalf("sandbox %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// leaderHost is the host of the manager that works.
func leaderHost(t testing.TB) string {
	t.Helper()
	var lease coordinationv1.Lease
	var host string
	eventually(t, "a leader", func() string {
		key := client.ObjectKey{Namespace: managerNamespace, Name: "valkey-operator." + v1alpha1.Group}
		if err := kube.Get(t.Context(), key, &lease); err != nil || lease.Spec.HolderIdentity == nil {
			return fmt.Sprint("no lease: ", err)
		}
		name, _, _ := strings.Cut(*lease.Spec.HolderIdentity, "_")
		var pod corev1.Pod
		if err := kube.Get(t.Context(), client.ObjectKey{Namespace: managerNamespace, Name: name}, &pod); err != nil {
			return err.Error()
		}
		host = pod.Spec.NodeName
		return ""
	})
	return host
}

// primaryOn makes the node on a host the primary.
func (s subject) primaryOn(host string) *corev1.Pod {
	s.t.Helper()
	v := s.get()
	for i := range v.WantedReplicas() {
		if v.Status.Nodes[i].Host != host {
			continue
		}
		if v.Status.Primary != v.NodeName(i) {
			s.change(func(v *v1alpha1.Valkey) { askFailover(v, v.NodeName(i)) })
		}
		eventually(s.t, v.NodeName(i)+" is the primary", func() string {
			if now := s.get(); now.Status.Primary != v.NodeName(i) || now.Status.Status != v1alpha1.PhaseRunning {
				return now.Status.Primary + " is"
			}
			return ""
		})
		return s.primary()
	}
	s.t.Fatalf("no node of %s is on %s", s.Name, host)
	return nil
}

// TestHostCut is case 15 (operator): the primary's host loses its network. Another takes over; when the host is back
// its old primary becomes a replica, and takes no write that would be lost.
func TestHostCut(t *testing.T) {
	s := create(t, newValkey(newNamespace(t), 3))
	s.waitLinked(2)
	host := "node2"
	if leaderHost(t) == host {
		host = "node3"
	}
	old := s.primaryOn(host)
	l := startLoad(s)
	sandbox(t, "cut", host)
	healed := false
	heal := func() {
		if !healed {
			healed = true
			sandbox(t, "heal", host)
		}
	}
	defer heal()
	eventually(t, "another primary", func() string {
		if s.get().Status.PrimaryAddress == old.Status.PodIP {
			return "the one that was cut off is still it"
		}
		return ""
	})
	l.waitWrites(200)
	heal()
	s.waitRunning()
	s.waitLinked(2)
	if r := l.finish(); r.lost > r.acked/5 {
		t.Errorf("%d of %d acknowledged writes are gone", r.lost, r.acked)
	}
}

// TestDrain is case 16 (operator): the primary's host is cordoned and its pods are evicted. The budget holds the
// eviction back until the primary has moved, and nothing is lost.
func TestDrain(t *testing.T) {
	s := create(t, newValkey(newNamespace(t), 3))
	s.waitLinked(2)
	l := startLoad(s)
	old := s.primary()
	cordon(t.Context(), t, old.Spec.NodeName, true)
	t.Cleanup(func() { cordon(context.Background(), t, old.Spec.NodeName, false) })
	eventually(t, "the eviction is granted", func() string {
		if err := evict(t, old); err != nil {
			return err.Error()
		}
		return ""
	})
	if now := s.primary(); now.Spec.NodeName == old.Spec.NodeName {
		t.Errorf("the primary is still on %s", now.Spec.NodeName)
	}
	s.waitRunning()
	s.waitLinked(2)
	l.lostNothing()
}

// cordon says whether a host takes new pods.
func cordon(ctx context.Context, t testing.TB, host string, yes bool) {
	t.Helper()
	node := &corev1.Node{}
	if err := kube.Get(ctx, client.ObjectKey{Name: host}, node); err != nil {
		t.Fatal(err)
	}
	before := node.DeepCopy()
	node.Spec.Unschedulable = yes
	if err := kube.Patch(ctx, node, client.MergeFrom(before)); err != nil {
		t.Fatal(err)
	}
}
