package tui

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/theme"
)

// Goroutines and streams are back to where they were after a thousand views of a log.
func TestAThousandLogViewsLeaveNothingBehind(t *testing.T) {
	f := newFake(cast()...)
	f.lines = someLines(10)
	s := newSession(t, f, 80, 24, theme.TrueColor)
	s.sees("sessions")
	before := runtime.NumGoroutine()
	for range 1000 {
		s.press("l")
		if len(s.m.stack) != 2 {
			t.Fatal("the log is not open")
		}
		s.press("esc")
	}
	s.until("all streams are closed", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return f.streams == 0 })
	s.until("goroutines are back to base", func() bool { return runtime.NumGoroutine() <= before+2 })
	if len(s.m.logs) != 0 || len(s.m.stack) != 1 {
		t.Errorf("%d logs and %d screens are left", len(s.m.logs), len(s.m.stack))
	}
}

func TestMouseSelectsScrollsAndSorts(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	row := -1
	for i, l := range strings.Split(s.text(), "\n") {
		if strings.Contains(l, "sessions") {
			row = i
		}
	}
	s.send(tea.MouseMsg{X: 5, Y: row, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	s.cursorOn("sessions")
	s.send(tea.MouseMsg{X: 5, Y: row, Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
	s.cursorOn("cache")
	s.send(tea.MouseMsg{X: 15, Y: headLines + 1, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	s.sees("IMAGE↑")
	s.send(tea.MouseMsg{X: 15, Y: 0, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	s.press("s")
	s.sees("Scale default/cache")
	s.send(tea.MouseMsg{X: 5, Y: row, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	s.press("esc")
	s.cursorOn("cache")
}

func TestKeysTypedAheadReachTheirDialog(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	for _, key := range []string{"j", "s", "4", "enter"} { // faster than any command ends
		s.send(keyOf(key))
	}
	s.sees("default/jobs: 2 → 4 servers")
}

func TestLogFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log, closeLog, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	log.Info("hello")
	closeLog()
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "msg=hello") {
		t.Errorf("the log file holds %q, %v", data, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v; want it for its owner alone", info.Mode(), err)
	}
	if _, _, err := openLog(filepath.Join(path, "no", "such")); !errors.Is(err, os.ErrNotExist) && err == nil {
		t.Error("a log file that cannot be opened is no error")
	}
}

func TestBadThemeIsOneClearLine(t *testing.T) {
	if _, err := theme.FromEnv("purple", os.Getenv); err == nil || err.Error() != `theme "purple": want one of auto, dark, light, high-contrast, high-contrast-light` {
		t.Errorf("error %v", err)
	}
}
