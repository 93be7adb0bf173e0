//go:build e2e

package e2e

import (
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// topLine is what `valkeyctl top -o json` tells of one server.
type topLine struct {
	Name, Role string
	Asked      bool
	LagBytes   *int64
}

func top(t *testing.T, s subject) []topLine {
	t.Helper()
	var lines []topLine
	out := valkeyctl(t, "top", s.Name, "--namespace="+s.Namespace, "-o", "json")
	if err := json.Unmarshal([]byte(out), &lines); err != nil {
		t.Fatalf("%v in:\n%s", err, out)
	}
	return lines
}

// TestTop asks real servers through the API server, before and after a failover by the verb.
func TestTop(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 3))
	s.waitLinked(2)
	check := func(primary string) {
		t.Helper()
		lines := top(t, s)
		if len(lines) != 3 {
			t.Fatalf("%d servers: %+v", len(lines), lines)
		}
		for _, l := range lines {
			if isPrimary := l.Name == primary; !l.Asked || isPrimary != (l.Role == "primary") || isPrimary == (l.LagBytes != nil) {
				t.Errorf("with %s as the primary: %+v", primary, l)
			}
		}
	}
	check(s.get().Status.Primary)
	valkeyctl(t, "failover", s.Name, "--namespace="+s.Namespace)
	s.waitRunning()
	s.waitLinked(2)
	check(s.get().Status.Primary)
}

// terminal is a program on a terminal.
type terminal struct {
	t      *testing.T
	screen *vt.SafeEmulator
	in     io.Writer
}

func openTerminal(t *testing.T, width, height int, args ...string) *terminal {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary("valkeyctl"), args...)
	ptmx, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)})
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, screen: vt.NewSafeEmulator(width, height), in: ptmx}
	go func() { _, _ = io.Copy(term.screen, ptmx) }() // both end with the program
	go func() { _, _ = io.Copy(ptmx, term.screen) }() // what a terminal answers
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		_ = ptmx.Close()
		_ = term.screen.Close()
	})
	return term
}

func (m *terminal) types(text string) {
	m.t.Helper()
	if _, err := io.WriteString(m.in, text); err != nil {
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

// TestDashboardOnRealPods fills the table of nodes over tunnels, and moves the primary by the dialog, seen live.
func TestDashboardOnRealPods(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 3))
	s.waitLinked(2)
	from := s.get().Status.Primary
	m := openTerminal(t, 120, 40, "--namespace", s.Namespace)
	m.sees(s.Name, "running")
	m.types("\r")
	m.sees("primary "+from, "2 online", "Last minutes of")
	m.types("f")
	m.sees("Fail over", "best", "ready")
	m.types("\r")
	m.sees("is the primary now")
	if to := s.get().Status.Primary; to == from {
		t.Errorf("the primary is %s still", to)
	}
	m.types("\r")
	m.sees("Changes of the primary", strings.TrimPrefix(from, s.Name+"-")+" →")
}
