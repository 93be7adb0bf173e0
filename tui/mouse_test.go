package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// click clicks on a text of the screen.
func (s *session) click(text string) {
	s.t.Helper()
	for y, l := range strings.Split(s.text(), "\n") {
		if before, _, found := strings.Cut(l, text); found {
			s.send(tea.MouseMsg{X: widget.Width(before), Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			return
		}
	}
	s.t.Fatalf("there is no %q to click on", text)
}

func TestMouse(t *testing.T) {
	f := newFake(cast()...)
	f.namespaces = []string{"default", "kube-system", "other"}
	s := newSession(t, f, 200, 40, theme.TrueColor)
	s.sees("sessions")
	s.click("sessions")
	s.cursorOn("sessions")
	s.send(tea.MouseMsg{X: 5, Y: 8, Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
	s.cursorOn("cache")
	s.click("IMAGE")
	s.sees("IMAGE↑")
	s.click("IMAGE")
	s.sees("IMAGE↓")
	s.click("scale")
	s.sees("Scale default/cache")
	s.click("cancel")
	s.misses("Scale default/cache")
	s.press("N")
	s.sees("kube-system")
	s.click("kube-system")
	s.sees("namespace kube-system")
}

func TestClicksBesideADialogDoNothing(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.press("N")
	s.sees("Namespace")
	for y := range 40 {
		for _, x := range []int{0, 119} {
			if y < 39 {
				s.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			}
		}
	}
	if len(s.m.stack) != 2 {
		t.Error("the dialog is gone, or another one is there")
	}
}
