//go:build integration

package valkey_test

import (
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/operator/valkey/info"
	"kuberly.io/valkey-operator/test/valkeyserver"
)

// Planned moves lose no acknowledged write, as invariant 3 of the design has it.
func TestHandOverUnderWrites(t *testing.T) {
	each(t, func(t *testing.T, bin valkeyserver.Bin) {
		a, b, c := startNode(t, bin), startNode(t, bin, "replicaof 127.0.0.1 1"), newClients(t)
		if err := c.Follow(t.Context(), target(b), operatorLogin, a.Host, port()); err != nil {
			t.Fatal(err)
		}
		observe(t, c, b, "linked", func(seen info.Server) bool { return seen.LinkUp && seen.IsReplicaOf(a.Host) })
		listed := observe(t, c, a, "listed", func(seen info.Server) bool { return len(seen.Replicas) == 1 && seen.Replicas[0].Online })
		if r := listed.Replicas[0]; r.Host != b.Host || r.Port != v1alpha1.Port {
			t.Fatalf("the primary lists its replica as %s:%d, want %s", r.Host, r.Port, b.Address())
		}

		w := write(t, a)
		w.waitFor(t, 200)
		if err := c.HandOver(t.Context(), target(a), operatorLogin, target(b), 10*time.Second); err != nil {
			t.Fatal(err)
		}
		observe(t, c, b, "took over", func(seen info.Server) bool { return seen.Role == v1alpha1.RolePrimary })
		observe(t, c, a, "stepped down", func(seen info.Server) bool {
			return seen.IsReplicaOf(b.Host) && seen.LinkUp && seen.FailoverState == "no-failover"
		})
		acknowledged := w.stop(t)
		if acknowledged < 200 {
			t.Fatalf("only %d writes", acknowledged)
		}
		if got := admin(t, b, "GET", "last"); got != strconv.Itoa(acknowledged) {
			t.Errorf("the new primary has writes up to %s, acknowledged were %d", got, acknowledged)
		}
	})
}

func TestAbortEndsAHandover(t *testing.T) {
	bin := valkeyserver.Default(t)
	a, b, c := startNode(t, bin), startNode(t, bin, "replicaof 127.0.0.1 1"), newClients(t)
	if err := c.Follow(t.Context(), target(b), operatorLogin, a.Host, port()); err != nil {
		t.Fatal(err)
	}
	observe(t, c, a, "listed", func(seen info.Server) bool { return len(seen.Replicas) == 1 && seen.Replicas[0].Online })
	b.Freeze(t) // so that it never catches up
	t.Cleanup(func() { b.Thaw(t) })
	admin(t, a, "SET", "k", "v")
	if err := c.HandOver(t.Context(), target(a), operatorLogin, target(b), time.Minute); err != nil {
		t.Fatal(err)
	}
	observe(t, c, a, "handing over", func(seen info.Server) bool { return seen.FailoverState == "waiting-for-sync" })
	if err := c.Abort(t.Context(), target(a), operatorLogin); err != nil {
		t.Fatal(err)
	}
	observe(t, c, a, "primary again", func(seen info.Server) bool {
		return seen.FailoverState == "no-failover" && seen.Role == v1alpha1.RolePrimary
	})
	if got := admin(t, a, "SET", "k", "w"); got != "OK" {
		t.Errorf("a write after that: %q", got)
	}
}

// A replica speaks once a second by itself, and a primary that hands over waits for its word. It is urged, so a handover
// takes milliseconds; and its end is told, so nobody has to ask.
func TestHandOverIsQuick(t *testing.T) {
	each(t, func(t *testing.T, bin valkeyserver.Bin) {
		const rounds = 32
		told := make(chan valkey.Target, rounds)
		c := valkey.NewClients(valkey.PodDialer{}, func(t valkey.Target) { told <- t })
		t.Cleanup(c.Close)
		from, to := startNode(t, bin), startNode(t, bin, "replicaof 127.0.0.1 1")
		if err := c.Follow(t.Context(), target(to), operatorLogin, from.Host, port()); err != nil {
			t.Fatal(err)
		}
		var took []time.Duration
		for range rounds {
			observe(t, c, from, "in sync", func(seen info.Server) bool { return len(seen.Replicas) == 1 && seen.Replicas[0].Online })
			w := write(t, from)
			w.waitFor(t, 20)
			began := time.Now()
			if err := c.HandOver(t.Context(), target(from), operatorLogin, target(to), 10*time.Second); err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-told:
				if got != target(from) {
					t.Errorf("told of %v, want %v", got, target(from))
				}
			case <-time.After(20 * time.Second):
				t.Fatal("nobody was told")
			}
			took = append(took, time.Since(began))
			if seen := observe(t, c, to, "answers", func(info.Server) bool { return true }); seen.Role != v1alpha1.RolePrimary {
				t.Errorf("told of the end, and the successor is a %s", seen.Role)
			}
			w.stop(t)
			from, to = to, from
		}
		// Without urging about half of the rounds wait for the replica's own word, which takes them nine tenths of a second.
		waited := 0
		for _, d := range took {
			if d > 700*time.Millisecond {
				waited++
			}
		}
		if waited > rounds/4 {
			t.Errorf("%d of %d waited for the replica's own word; all: %v", waited, rounds, took)
		}
	})
}

// Whoever closes the connections does not wait for a handover that hangs.
func TestCloseEndsTheWatchOverAHandover(t *testing.T) {
	bin := valkeyserver.Default(t)
	a, b := startNode(t, bin), startNode(t, bin, "replicaof 127.0.0.1 1")
	before := goleak.IgnoreCurrent()
	c := valkey.NewClients(valkey.PodDialer{}, nil)
	if err := c.Follow(t.Context(), target(b), operatorLogin, a.Host, port()); err != nil {
		t.Fatal(err)
	}
	observe(t, c, a, "listed", func(seen info.Server) bool { return len(seen.Replicas) == 1 && seen.Replicas[0].Online })
	b.Freeze(t)
	t.Cleanup(func() { b.Thaw(t) })
	admin(t, a, "SET", "k", "v")
	if err := c.HandOver(t.Context(), target(a), operatorLogin, target(b), time.Minute); err != nil {
		t.Fatal(err)
	}
	c.Close()
	goleak.VerifyNone(t, before)
}
