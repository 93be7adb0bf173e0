//go:build e2e

package e2e

import (
	"encoding/json"
	"strings"
	"testing"
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

// TestDashboardOnRealPods fills the table of nodes over tunnels, and moves the primary by the dialog, seen live.
func TestDashboardOnRealPods(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 3))
	s.waitLinked(2)
	from := s.get().Status.Primary
	m := openTerminal(t, "--namespace", s.Namespace)
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
