package detail

import (
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/server"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// setting is what is known of one directive.
type setting struct {
	name             string
	wanted           string // in spec.config
	isWanted, inFile bool
	file             string // what the servers start with
	told             string // what the server says is in force; empty where it does not say
}

// cells are what is wanted, what is in force as far as anybody says, the default where it is known, and who set it.
func (s setting) cells(defaults map[string]string) []widget.Cell {
	inForce, from := s.told, "server"
	if s.inFile {
		from = "operator"
		if inForce == "" {
			inForce = s.file
		}
	}
	wanted := dash()
	if s.isWanted {
		wanted, from = plain(s.wanted), "spec.config"
	}
	force := orDash(inForce)
	if s.isWanted && inForce != "" && !isSame(s.wanted, inForce) {
		force.Tone = theme.Warn
	}
	return []widget.Cell{widget.Toned(s.name, theme.Strong), wanted, force, widget.Toned(orDash(defaults[s.name]).Text, theme.Dim), widget.Toned(from, theme.Dim)}
}

// isSame says whether two values mean the same: 100mb is 104857600.
func isSame(a, b string) bool {
	a, b = strings.Trim(strings.ToLower(a), `"`), strings.Trim(strings.ToLower(b), `"`)
	return a == b || amount(a) >= 0 && amount(a) == amount(b)
}

// amount is a number with one of the units of valkey.conf; -1 where it is none.
func amount(text string) int64 {
	factor := int64(1)
	for _, u := range []struct {
		suffix string
		factor int64
	}{{"kb", 1 << 10}, {"mb", 1 << 20}, {"gb", 1 << 30}, {"k", 1_000}, {"m", 1_000_000}, {"g", 1_000_000_000}, {"b", 1}} {
		if rest, found := strings.CutSuffix(text, u.suffix); found {
			text, factor = rest, u.factor
			break
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n * factor
}

// notes are what is to be known of the table that is shown: why it is empty or not whole, else the whole text of the row under
// the cursor.
func (m *Model) notes() []string {
	t := m.env.Theme
	if text := m.note(); text != "" {
		return widget.Height(indented(t, theme.Dim, text, m.width), noteLines)
	}
	g, at := m.grid(), m.tables[m.tab].Cursor()
	if (m.tab != tabEvents && m.tab != tabSlowlog) || at < 0 || at >= g.Len() {
		return widget.Height(nil, noteLines)
	}
	whole, _ := g.Cell(at, len(g.Columns)-1)
	return widget.Height(indented(t, theme.Text, whole, m.width), noteLines)
}

// note says why the table that is shown is empty, or not whole.
func (m *Model) note() string {
	text := ""
	switch m.tab {
	case tabEvents:
		text = m.emptyNote("no events: the cluster keeps them for an hour or so", len(m.detail.Events))
		if m.detail.EventsProblem != nil {
			text = "not current: " + m.detail.EventsProblem.Error()
		}
	case tabConfig:
		text = "in force: what the primary says, else what its file says; the observer may not ask for every setting: one is a password"
		if m.noConf != nil {
			text = "the servers' file is not shown: " + m.noConf.Error()
		}
	default:
		text = m.serverNote()
	}
	return text
}

func (m *Model) emptyNote(text string, n int) string {
	if n > 0 {
		return ""
	}
	return text
}

// serverNote says why a table that is made of what servers say is empty or not whole.
func (m *Model) serverNote() string {
	for i := range m.nodes {
		n := &m.nodes[i]
		if n.Reading == nil {
			continue
		}
		if n.Reading.Problem != "" {
			return n.Name + ": " + n.Reading.Problem
		}
		if more := n.Reading.More; more != nil && more.Left != "" {
			return n.Name + ": " + more.Left
		}
	}
	switch {
	case m.tab == tabSlowlog:
		return m.latencyNote()
	case m.tables[m.tab].Len() > 0:
		return ""
	case len(m.readings) == 0:
		return "asking the servers" + m.env.Theme.Signs.Ellipsis
	case m.tab == tabKeyspace:
		return "no keys"
	default:
		return ""
	}
}

func (m *Model) latencyNote() string {
	var parts []string
	m.eachMore(server.LookSlowlog, func(node string, more *server.More) {
		for _, l := range more.Latency {
			parts = append(parts, node+" was held up by "+l.Event+" for "+took(l.Last)+" (most "+took(l.Max)+")")
		}
	})
	if len(parts) == 0 && m.tables[m.tab].Len() == 0 {
		return "no slow command"
	}
	return strings.Join(parts, "; ")
}
