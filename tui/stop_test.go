package tui

import (
	"slices"
	"testing"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

func TestStopAndStartAsk(t *testing.T) {
	f := newFake(
		object{name: "cache", replicas: 3, ready: 3, generation: 1}.row(),
		object{name: "mem", replicas: 2, ready: 2, noVolume: true, generation: 1}.row(),
		object{name: "old", replicas: 0, remembered: 4, generation: 1}.row(),
	)
	s := newSession(t, f, 100, 30, theme.TrueColor)
	s.sees("old")
	s.press("S")
	s.sees("Stop default/cache")
	s.sees("3 → 0")
	s.sees("The data is kept on the claims")
	s.press("enter")
	s.sees("default/cache is being stopped")
	s.press("j", "S")
	s.sees("ALL DATA IS LOST")
	s.press("enter")
	s.sees("type mem to lose the data")
	s.write("mem")
	s.press("enter")
	s.sees("default/mem is being stopped")
	s.press("j", "S")
	s.sees("Start default/old")
	s.sees("It had 4 when it was stopped")
	s.press("enter")
	s.sees("default/old is being started")
	if got, want := f.did(), []string{"scale default/cache 0", "scale default/mem 0", "scale default/old 4"}; !slices.Equal(got, want) {
		t.Errorf("actions %q, want %q", got, want)
	}
}

// case 3 (dashboard): in bulk each has a line of its own, and one that is refused stops no other.
func TestStopInBulk(t *testing.T) {
	f := newFake(cast()...)
	f.refuse["default/jobs"] = &kube.Problem{Class: kube.ClassForbidden, Message: "you may not patch valkeys"}
	s := newSession(t, f, 100, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("ctrl+a", "S")
	s.sees("Stop 4 Valkeys")
	s.sees("it is stopped already")
	s.press("enter")
	s.sees("1 of 3 failed")
	s.sees("you may not patch valkeys")
	if got := f.did(); len(got) != 2 {
		t.Errorf("actions %q, want those of the other two", got)
	}
	s.press("enter")
	s.misses("Stop 4 Valkeys")
}

// Right after a stop the list may still show servers: what the object is decides.
func TestStopLooksAtTheObjectItself(t *testing.T) {
	f := newFake(object{name: "cache", replicas: 3, ready: 3, generation: 1}.row())
	f.fresh = object{name: "cache", replicas: 0, remembered: 3, generation: 2}.row()
	s := newSession(t, f, 100, 30, theme.TrueColor)
	s.sees("cache")
	s.press("S")
	s.sees("Start default/cache")
	s.sees("It had 3 when it was stopped")
	s.run(s.m.broadcast(screen.Snapshot{Snapshot: f.snapshot(kube.Scope{})})) // once more, as it was
	s.sees("Start default/cache")
}

// What somebody else did meanwhile turns no question round: the opposite is offered.
func TestStopOffersTheStart(t *testing.T) {
	f := newFake(object{name: "cache", replicas: 3, ready: 3, generation: 1}.row())
	s := newSession(t, f, 100, 30, theme.TrueColor)
	s.sees("cache")
	s.press("S")
	s.sees("Stop default/cache")
	s.press("down") // it has been looked at
	f.put(object{name: "cache", replicas: 0, remembered: 3, generation: 2}.row())
	s.sees("it is stopped already: S starts it")
	s.press("enter")
	s.sees("nothing would change")
	s.press("S")
	s.sees("Start default/cache")
	s.press("S")
	s.sees("Start default/cache") // there is something to do now
	s.press("enter")
	s.sees("default/cache is being started")
	if got, want := f.did(), []string{"scale default/cache 3"}; !slices.Equal(got, want) {
		t.Errorf("actions %q, want %q", got, want)
	}
}
