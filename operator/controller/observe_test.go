//go:build integration

package controller

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/plan"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/test/valkeyserver"
)

// It takes a second to find that a primary does not answer. What its replica says counts as of the end of that second, or of
// a moment later, when it has missed the second ping: before, it would say that it hears from it, and the failover would
// wait for another look, which costs a second again.
func TestPrimaryThatFallsSilent(t *testing.T) {
	const password = "secret"
	bin := valkeyserver.Default(t)
	node := func(lines ...string) *valkeyserver.Server {
		host := valkeyserver.Host(t, v1alpha1.Port)
		return bin.Start(t, valkeyserver.Options{Host: host, Port: v1alpha1.Port, Lines: append(lines,
			"bind-source-addr "+host, "user default on nopass ~* &* +@all", "user "+v1alpha1.UserOperator+" on >"+password+" ~* &* +@all",
			"repl-ping-replica-period 1")})
	}
	primary := node()
	replica := node("replicaof " + primary.Host + " 6379")
	valkeyserver.Eventually(t, "the replica is linked", func() bool {
		return strings.Contains(replica.CLI(t, "INFO", "replication"), "master_link_status:up")
	})

	servers := valkey.NewClients(valkey.PodDialer{}, nil)
	t.Cleanup(servers.Close)
	s := newScope(&Reconciler{Servers: servers, Clock: clock.RealClock{}}, &v1alpha1.Valkey{})
	s.login.Operator = password
	for i, server := range []*valkeyserver.Server{primary, replica} {
		pod := &corev1.Pod{}
		pod.UID = types.UID(server.Host)
		pod.Status.PodIP = server.Host
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
			Name: v1alpha1.ContainerName, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
		}}
		s.node(i).pods = []*corev1.Pod{pod}
	}
	primary.CLI(t, "SET", "key", "value")
	primary.Freeze(t)
	t.Cleanup(func() { primary.Thaw(t) })
	if err := s.observe(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.unreachable[primary.Host] == nil {
		t.Fatalf("a frozen primary answers: %+v", s.seen[primary.Host])
	}
	if seen := s.seen[replica.Host]; !seen.LinkUp || seen.LastIO < plan.QuietSeconds {
		t.Errorf("the replica heard from its primary %d s ago, want it to be asked until that is %d s: %+v", seen.LastIO, plan.QuietSeconds, seen)
	}

	// Case 23 (operator): what it would take when it goes on, another being the primary, would be lost.
	refused, err := s.do(t.Context(), plan.Action{Kind: plan.Depose, Pod: plan.Pod{UID: primary.Host}})
	if refused || err != nil {
		t.Errorf("to depose it: refused %v, %v; it did not answer", refused, err)
	}
	primary.Thaw(t)
	if reply := primary.CLI(t, "SET", "key", "late"); !strings.HasPrefix(reply, "READONLY") {
		t.Errorf("a write when it goes on: %s", reply)
	}
}
