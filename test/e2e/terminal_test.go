//go:build e2e

package e2e

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// What keys send.
const (
	enterKey = "\r"
	escKey   = "\x1b"
	ctrlD    = "\x04"
	ctrlS    = "\x13"
	ctrlU    = "\x15" // empties the line
)

// terminal is valkeyctl on a terminal of its own, with an emulator that shows what is on the screen.
type terminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	pty    *os.File
	screen *vt.SafeEmulator
}

func openTerminal(t *testing.T, args ...string) *terminal {
	const width, height = 120, 40
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary("valkeyctl"), args...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=", "XDG_CONFIG_HOME="+t.TempDir())
	ptmx, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: height, Cols: width})
	if err != nil {
		t.Fatal(err)
	}
	m := &terminal{t: t, cmd: cmd, pty: ptmx, screen: vt.NewSafeEmulator(width, height)}
	go func() { _, _ = io.Copy(m.screen, ptmx) }() // both end with the program
	go func() { _, _ = io.Copy(ptmx, m.screen) }() // what a terminal answers
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed, or has ended
		_ = ptmx.Close()
		_ = m.screen.Close()
	})
	return m
}

func (m *terminal) types(text string) {
	m.t.Helper()
	if _, err := io.WriteString(m.pty, text); err != nil {
		m.t.Fatal(err)
	}
}

func (m *terminal) sees(words ...string) {
	m.t.Helper()
	eventually(m.t, "the screen holds "+strings.Join(words, ", "), func() string {
		text := m.screen.String()
		for _, w := range words {
			if !strings.Contains(text, w) {
				return w + " is not on the screen:\n" + text
			}
		}
		return ""
	})
}

// finds waits until something on the screen matches, and returns it.
func (m *terminal) finds(pattern string) string {
	m.t.Helper()
	what, found := regexp.MustCompile(pattern), ""
	eventually(m.t, "the screen holds "+pattern, func() string {
		text := m.screen.String()
		if found = what.FindString(text); found == "" {
			return "it is\n" + text
		}
		return ""
	})
	return found
}

// seesDashboard waits until the dashboard has the whole screen, from the header to the hints.
func (m *terminal) seesDashboard() {
	m.t.Helper()
	eventually(m.t, "the dashboard has the screen", func() string {
		text := m.screen.String()
		lines := strings.Split(text, "\n")
		if !m.screen.IsAltScreen() || !strings.HasPrefix(lines[0], " valkey ") || !strings.Contains(lines[len(lines)-1], "quit") {
			return "it is\n" + text
		}
		return ""
	})
}

func (m *terminal) resize(width, height int) {
	m.t.Helper()
	m.screen.Resize(width, height)
	if err := pty.Setsize(m.pty, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		m.t.Fatal(err)
	}
}

// quits leaves the dashboard, which must end well and give the terminal back.
func (m *terminal) quits() {
	m.t.Helper()
	m.types("q")
	if err := m.cmd.Wait(); err != nil {
		m.t.Errorf("the dashboard ends with %v", err)
	}
	eventually(m.t, "the screen is the shell's again", func() string {
		if m.screen.IsAltScreen() {
			return "it is the dashboard's"
		}
		return ""
	})
}
