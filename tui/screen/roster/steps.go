package roster

import (
	"strings"
	"time"

	"kuberly.io/valkey-operator/tui/theme"
)

// StepLine says of each node in a roll whether it is done, at work or waits, the primary as the last; empty where there is no roll.
func StepLine(t *theme.Theme, nodes []Node, valkey string, since time.Time, rolling bool) string {
	if !rolling {
		return ""
	}
	steps := Steps(nodes, since)
	var parts, last []string
	seen := map[string]bool{}
	for i := range nodes {
		n := &nodes[i]
		if seen[n.Name] {
			continue
		}
		seen[n.Name] = true
		text := ""
		switch steps[n.Name] {
		case Done:
			text = t.Render(theme.OK, t.Signs.OK+" "+Short(n.Name, valkey)+" done")
		case Now:
			text = t.Render(theme.Busy, t.Signs.Busy+" "+Short(n.Name, valkey)+" restarts")
		default:
			text = t.Render(theme.Dim, t.Signs.Off+" "+Short(n.Name, valkey)+" waits")
		}
		if n.IsPrimary() && steps[n.Name] == Waits {
			last = append(last, t.Render(theme.Dim, t.Signs.Off+" "+Short(n.Name, valkey)+" waits (primary, last)"))
			continue
		}
		parts = append(parts, text)
	}
	return strings.Join(append(parts, last...), "  ")
}
