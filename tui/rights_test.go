package tui

import (
	"strings"
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

// denied waits until it is known what may not be done.
func deniedSession(t *testing.T, denied ...string) *session {
	t.Helper()
	f := newFake(append(cast(), object{namespace: "other", name: "far-away", replicas: 1, status: v1alpha1.PhaseRunning}.row())...)
	f.denied = denied
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.until("rights are known", func() bool { return s.m.env.Rights.IsKnown("default") })
	return s
}

func TestWhatMayNotBeDoneSaysWhyAndOpensNothing(t *testing.T) {
	s := deniedSession(t, "delete valkeys", "create valkeys", "update valkeys/scale", "get pods/log")
	for key, want := range map[string]string{
		"ctrl+d": "you may not delete valkeys", "c": "you may not create valkeys", "s": "you may not update valkeys/scale",
		"+": "you may not update valkeys/scale", "l": "you may not get pods/log",
	} {
		s.press(key)
		s.sees(want)
		if len(s.m.stack) != 1 {
			t.Fatalf("%s opens something", key)
		}
		s.press("down")
	}
}

func TestWhatMayNotBeDoneIsDimmed(t *testing.T) {
	free, bound := deniedSession(t), deniedSession(t, "delete valkeys")
	footer := func(s *session) string {
		lines := strings.Split(s.m.View(), "\n")
		return lines[len(lines)-1]
	}
	dim := bound.m.env.Theme.Render(theme.Bar, "ctrl-d")
	if strings.Contains(footer(free), dim) || !strings.Contains(footer(bound), dim) {
		t.Errorf("the key that may not be pressed does not stand back in %q", footer(bound))
	}
	bound.press("?")
	bound.sees("delete (asks for the name): not allowed")
	bound.press("esc", ":")
	bound.write("delete")
	bound.sees("you may not delete valkeys")
	bound.press("enter")
	bound.sees("✗ you may not delete valkeys")
}

// A right that is missing in one namespace is no obstacle in another.
func TestRightsAreThoseOfTheNamespaceOfTheRow(t *testing.T) {
	s := deniedSession(t, "update valkeys/scale in other")
	s.press("0")
	s.sees("far-away")
	s.until("the rights in both are known", func() bool { return s.m.env.Rights.IsKnown("other") })
	s.press("+")
	s.sees("Scale default/cache")
	s.press("esc", "G")
	s.cursorOn("far-away")
	s.press("+")
	s.sees(`you may not update valkeys/scale in namespace "other"`)
}

// An error is no "no": what is not known is tried, and it is asked again after a refusal, since rights change.
func TestRightsThatAreNotKnownRefuseNothing(t *testing.T) {
	f := newFake(cast()...)
	f.noRights = &kube.Problem{Class: kube.ClassTimeout, Message: "too late"}
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.until("it was asked", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return f.rightsRead > 0 })
	s.press("s")
	s.sees("Scale default/cache")
}

func TestARightThatIsGivenLaterIsSeenAtTheSecondTry(t *testing.T) {
	s := deniedSession(t, "delete valkeys")
	s.fake.set(func() { s.fake.denied = nil })
	s.press("ctrl+d")
	s.sees("you may not delete")
	s.until("it is known better", func() bool { return s.m.env.Rights.Why("delete", []string{"default"}) == "" })
	s.press("ctrl+d")
	s.sees("Type cache to delete")
}

// Letters that are typed are no actions, whatever may not be done.
func TestWhatIsTypedIsNotRefused(t *testing.T) {
	s := deniedSession(t, "update valkeys/scale", "create valkeys", "get pods/log")
	s.press("/")
	s.write("scl")
	s.sees("/scl")
	s.press("esc")
	s.press(":")
	s.write("scl")
	s.sees(":scl")
	s.press("esc", "ctrl+d")
	s.sees("Type cache to delete")
	s.write("cs")
	s.sees("> cs")
}

// What no right is missing for is not said to be one: the dashboard was started so.
func TestHelpSaysReadOnly(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 60, theme.TrueColor)
	s.m.env.ReadOnly = true
	s.sees("sessions")
	s.press("?")
	s.sees("scale: read-only")
	s.misses("not allowed")
	s.misses("…")
}
