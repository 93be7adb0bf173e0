package controller

import (
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

// What a replica says after its primary has ended does not tell whether it had all: that is known from before.
func TestSynced(t *testing.T) {
	t.Parallel()
	const offset = 100 << 20
	primary := info.Server{Role: v1alpha1.RolePrimary, ReplicationID: "a", Offset: offset}
	replica := func(change func(*info.Server)) info.Server {
		server := info.Server{Role: v1alpha1.RoleReplica, ReplicationID: "a", Offset: offset, PrimaryPort: v1alpha1.Port, LinkUp: true}
		change(&server)
		return server
	}
	r := &Reconciler{}
	for _, step := range []struct {
		sentence string
		server   info.Server
		want     bool
		again    bool
	}{
		{"one that has started", replica(func(s *info.Server) { s.PrimaryPort, s.LinkUp = 1, false }), false, false},
		{"one that gets its copy", replica(func(s *info.Server) { s.Syncing, s.LinkUp = true, false }), false, false},
		{"one that lost its primary meanwhile", replica(func(s *info.Server) { s.LinkUp = false }), false, false},
		{"one that has its copy, and not yet what was written since", replica(func(s *info.Server) { s.Offset -= 2 << 20 }), false, true},
		{"one that has all but a little", replica(func(s *info.Server) { s.Offset -= 1 << 10 }), true, false},
		{"one that lost its primary", replica(func(s *info.Server) { s.LinkUp = false }), true, false},
		{"one that is behind again", replica(func(s *info.Server) { s.Offset -= 2 << 20 }), true, false},
		{"one that gets another copy", replica(func(s *info.Server) { s.Syncing, s.LinkUp = true, false }), false, false},
		{"one that lost its primary then", replica(func(s *info.Server) { s.LinkUp = false }), false, false},
		{"one that is the primary", primary, true, false},
		{"one that was", replica(func(s *info.Server) { s.LinkUp = false }), true, false},
		{"one that loads its data", replica(func(s *info.Server) { s.Loading, s.LinkUp = true, false }), false, false},
	} {
		s := newScope(r, &v1alpha1.Valkey{})
		s.seen["replica"], s.seen["primary"] = step.server, primary
		if got := s.isSynced("replica"); got != step.want || (s.again == soon) != step.again {
			t.Errorf("%s: %v, looked at again after %s; want %v, soon %v", step.sentence, got, s.again, step.want, step.again)
		}
	}
	s := newScope(r, &v1alpha1.Valkey{})
	s.seen["new"] = replica(func(*info.Server) {})
	if s.isSynced("new") {
		t.Error("where no primary is seen nobody has caught up with it")
	}
}
