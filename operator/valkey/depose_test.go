//go:build integration

package valkey_test

import (
	"regexp"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/info"
	"kuberly.io/valkey-operator/test/valkeyserver"
)

// Case 23 (operator): a primary that was frozen while another was promoted takes no write when it comes back, though it has a
// replica left that acknowledges and nobody has looked at it yet.
func TestDeposedWhileFrozen(t *testing.T) {
	each(t, func(t *testing.T, bin valkeyserver.Bin) {
		old, next, left := startNode(t, bin), startNode(t, bin), startNode(t, bin)
		c := newClients(t)
		for _, s := range []*valkeyserver.Server{next, left} {
			if err := c.Follow(t.Context(), target(s), operatorLogin, old.Host, port()); err != nil {
				t.Fatal(err)
			}
			observe(t, c, s, "linked", func(seen info.Server) bool { return seen.LinkUp && seen.IsReplicaOf(old.Host) })
		}
		w := write(t, old)
		w.waitFor(t, 20)
		client := regexp.MustCompile(`id=\d+ `).FindString(regexp.MustCompile(`.*name=application.*`).FindString(admin(t, old, "CLIENT", "LIST")))
		if client == "" {
			t.Fatal("there is no client")
		}
		old.Freeze(t)
		t.Cleanup(func() { old.Thaw(t) })
		if c.Depose(t.Context(), target(old), operatorLogin) {
			t.Error("a frozen server has answered")
		}
		if err := c.Promote(t.Context(), target(next), operatorLogin); err != nil {
			t.Fatal(err)
		}
		old.Thaw(t)
		if reply := admin(t, old, "SET", "late", "1"); !strings.HasPrefix(reply, "READONLY") {
			t.Fatalf("the first write after it came back: %s", reply)
		}
		<-w.done // its client is sent away, to come back by the Service
		if clients := admin(t, old, "CLIENT", "LIST"); strings.Contains(clients, client) {
			t.Errorf("%s is still there:\n%s", client, clients)
		}
		seen := observe(t, c, old, "answers", func(info.Server) bool { return true })
		if seen.Role != v1alpha1.RoleReplica || seen.PrimaryPort == v1alpha1.Port || seen.Keys == 0 {
			t.Errorf("it is %+v, want one that is parked with its data", seen)
		}
	})
}

// One that answers after all says so, once: it has writes that nobody else has.
func TestDeposedWhileItServes(t *testing.T) {
	each(t, func(t *testing.T, bin valkeyserver.Bin) {
		s, c := startNode(t, bin), newClients(t)
		before := observe(t, c, s, "answers", func(info.Server) bool { return true })
		// The answer has a tenth of a second, which a busy machine may not give it: the order is carried out all the same.
		valkeyserver.Eventually(t, "a primary that serves is told apart from one that does not answer", func() bool {
			if c.Depose(t.Context(), target(s), operatorLogin) {
				return true
			}
			if err := c.Promote(t.Context(), target(s), operatorLogin); err != nil {
				t.Log(err)
			}
			return false
		})
		seen := observe(t, c, s, "parked", func(seen info.Server) bool { return seen.Role == v1alpha1.RoleReplica })
		if seen.ReplicationID != before.ReplicationID || seen.Offset < before.Offset {
			t.Errorf("its history is %s:%d, before it was %s:%d", seen.ReplicationID, seen.Offset, before.ReplicationID, before.Offset)
		}
		if c.Depose(t.Context(), target(s), operatorLogin) {
			t.Error("one that is parked is taken for a primary")
		}
		wrong := operatorLogin
		wrong.Password = "other"
		if c.Depose(t.Context(), target(s), wrong) {
			t.Error("one that refuses the login is taken for a primary")
		}
		s.Kill(t)
		if c.Depose(t.Context(), target(s), operatorLogin) {
			t.Error("one that is gone is taken for a primary")
		}
	})
}
