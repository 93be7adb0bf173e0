package tui

import (
	"slices"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

// What cannot be carried out is not asked for: it would wait, and be carried out some day.
func TestFailoverIsRefusedWhereNoReplicaIsReady(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	f.addCache()
	f.edit(func(d *kube.Detail) {
		for i := range d.Nodes {
			d.Nodes[i].Ready = i == 0
			d.Valkey.Status.Nodes[i].Ready = i == 0
		}
	})
	s.press("f")
	s.sees("the best one")
	s.press("enter")
	s.sees("no replica is ready")
	s.press("esc", "ctrl+a", "f")
	s.sees("Fail over 4 Valkeys")
	s.misses("choose")
	for name, why := range map[string]string{"jobs": "no replica is ready", "sessions": "has no replica", "zzz": "has no replica"} {
		if l := s.line("default/" + name + " "); !strings.Contains(l, why) {
			t.Errorf("%s says %q", name, l)
		}
	}
	s.press("enter")
	s.sees("● 1 asked")
	if got, want := f.did(), []string{"failover to  of default/cache uid uid-default-cache rv 1"}; !slices.Equal(got, want) {
		t.Errorf("did %q, want %q", got, want)
	}
}

// A request that waits is taken back with a key, also by who comes again later.
func TestFailoverIsTakenBack(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	f.addCache()
	s.press("f")
	s.sees("behind")
	s.press("enter")
	s.sees("enter takes it back,")
	s.sees("enter take the request back  esc leave it to go on")
	f.edit(func(d *kube.Detail) { d.Valkey.Annotations = map[string]string{v1alpha1.AnnotationFailover: "any"} })
	s.press("esc")
	s.sees("the failover goes on")
	s.press("f")
	s.sees("takes it back")
	f.set(func() { f.noRequest = true })
	s.press("enter")
	s.sees("too late: no request waits")
	f.set(func() { f.noRequest = false })
	s.press("enter")
	s.sees("default/cache: the failover is taken back")
	s.misses("Fail over default/cache")
	if got, want := f.did()[1:], []string{"cancel the failover of default/cache uid uid-default-cache rv ", "cancel the failover of default/cache uid uid-default-cache rv "}; !slices.Equal(got, want) {
		t.Errorf("did %q, want %q", got, want)
	}
}
