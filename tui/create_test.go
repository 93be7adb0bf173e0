package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

// openForm is a session in the form.
func openForm(t *testing.T, f *fake) *session {
	s := newSession(t, f, 100, 30, theme.TrueColor)
	s.until("the list is known", func() bool { return s.m.known })
	s.press("c")
	s.sees("Create a Valkey")
	return s
}

// focused is the line of the field that takes keys.
func (s *session) focused() string { return s.line("▌") }

func TestFormCreates(t *testing.T) {
	f := newFake(cast()...)
	s := openForm(t, f)
	s.write("app-db")
	s.press("tab", "tab")
	if !strings.Contains(s.focused(), "Servers") {
		t.Fatalf("after two tabs the keys go to %q", s.focused())
	}
	s.press("backspace")
	s.write("2")
	s.press("ctrl+s")
	s.sees("default/app-db is created; its password is in the Secret app-db-password")
	got := f.did()
	if len(got) != 1 || !strings.HasPrefix(got[0], "create default/app-db image valkey/valkey:") || !strings.HasSuffix(got[0], "replicas 2 password 26") {
		t.Errorf("actions %q, want one of two servers with a password that was made", got)
	}
	s.cursorOn("app-db")
	s.press("c")
	s.sees("Create a Valkey")
	if servers := s.line("Servers"); !strings.Contains(servers, "1") || strings.Contains(servers, "2") {
		t.Errorf("what became an object is still in the form: %q", servers)
	}
}

// case 22 (dashboard): a field with an error keeps nobody: back, forward, out and in again, and nothing typed is lost.
func TestNoErrorKeepsAnybodyInAField(t *testing.T) {
	f := newFake(cast()...)
	s := openForm(t, f)
	s.write("Bad_Name")
	s.press("tab")
	s.sees("lower case letters, digits and dashes")
	if !strings.Contains(s.focused(), "Namespace") {
		t.Fatalf("the error keeps the keys in %q", s.focused())
	}
	s.press("shift+tab")
	if !strings.Contains(s.focused(), "Name") || !strings.Contains(s.focused(), "Bad_Name") {
		t.Fatalf("back leads to %q", s.focused())
	}
	s.press("shift+tab") // from the first to the last
	if !strings.Contains(s.focused(), "Storage") {
		t.Fatalf("back from the first leads to %q", s.focused())
	}
	s.press("esc")
	s.sees("sessions")
	s.press("c")
	s.sees("Bad_Name")
	s.press("ctrl+s")
	s.sees("not created")
	if len(f.did()) != 0 {
		t.Errorf("actions %q, want none", f.did())
	}
	s.press("ctrl+n")
	s.misses("Bad_Name")
}

func TestFormShowsRefusalsBesideTheirFields(t *testing.T) {
	f := newFake(cast()...)
	f.refuse["default/app"] = &kube.Problem{Class: kube.ClassInvalid, Message: "the Valkey was refused", Fields: []kube.FieldProblem{
		{Path: "spec.resource.memory", Message: "more than the quota of team-a allows"},
	}}
	s := openForm(t, f)
	s.write("app")
	s.press("ctrl+s")
	s.sees("more than the quota of team-a allows")
	if !strings.Contains(s.focused(), "Memory") {
		t.Errorf("the keys go to %q, want the refused field", s.focused())
	}
	s.press("1")
	s.misses("more than the quota")
	f.mu.Lock()
	f.refuse["default/app"] = &kube.Problem{Class: kube.ClassForbidden, Message: "you may not create valkeys in default", Hint: "ask for a role"}
	f.mu.Unlock()
	s.press("backspace", "ctrl+s")
	s.sees("you may not create valkeys in default")
	s.sees("app")
	f.mu.Lock()
	f.refuse["default/app"] = &kube.Problem{Class: kube.ClassExists, Message: "default/app exists already"}
	f.mu.Unlock()
	s.press("ctrl+s")
	s.sees("✗ default/app exists already")
	if !strings.Contains(s.focused(), "Name") {
		t.Errorf("the keys go to %q, want the name", s.focused())
	}
}

func TestPasswordIsShownOnlyWhenAskedFor(t *testing.T) {
	s := openForm(t, newFake(cast()...))
	for range 5 {
		s.press("tab")
	}
	s.write("geheim")
	if strings.Contains(s.text(), "geheim") {
		t.Fatal("the password is on the screen")
	}
	s.press("ctrl+r")
	s.sees("geheim")
	s.press("ctrl+r")
	s.misses("geheim")
	s.press("ctrl+g", "ctrl+r")
	s.until("a password that was made", func() bool {
		words := strings.Fields(s.focused())
		return len(words) == 3 && len(words[2]) == 26 && words[2] != strings.Repeat("*", 26)
	})
}

func TestFormTakesAPaste(t *testing.T) {
	s := openForm(t, newFake(cast()...))
	s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("pasted-name"), Paste: true})
	if !strings.Contains(s.focused(), "pasted-name") {
		t.Errorf("after a paste the field is %q", s.focused())
	}
	s.press("tab", "tab", "tab", "tab", "tab")
	secret := "with space and ctrl\x13"
	s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(secret), Paste: true})
	if s.m.top().id != 2 {
		t.Error("a pasted control character acted as a key")
	}
}

func TestFormWithTheVolumeOff(t *testing.T) {
	f := newFake(cast()...)
	s := openForm(t, f)
	s.write("mem")
	for range 8 {
		s.press("tab")
	}
	s.press(" ")
	s.press("tab", "enter") // the last field: enter creates
	s.sees("default/mem is created")
	if f.lastCreated.Spec.Volume.Enabled || f.lastCreated.Spec.Volume.Storage != "" {
		t.Errorf("created with the volume %+v, want it off", f.lastCreated.Spec.Volume)
	}
}
