package detail

import (
	"time"

	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/server"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// trends are the last minutes of the primary, or of the one server that can be asked.
func (m *Model) trends(width int) []string {
	n := m.leading()
	if n == nil || n.Reading == nil || len(n.Reading.History) < 2 {
		return nil
	}
	t := m.env.Theme
	head := "Last minutes of " + roster.Short(n.Name, m.ref.Name)
	return append([]string{"", " " + t.Render(theme.Strong, head)}, m.sparklines(n, width)...)
}

// leading is the primary, else the first that has told anything.
func (m *Model) leading() *roster.Node {
	var first *roster.Node
	for i := range m.nodes {
		n := &m.nodes[i]
		if n.Info() == nil {
			continue
		}
		if n.IsPrimary() {
			return n
		}
		if first == nil {
			first = n
		}
	}
	return first
}

// sparklines are what a server did in the time of its history.
func (m *Model) sparklines(n *roster.Node, width int) []string {
	history := n.Reading.History
	const nameWidth, valueWidth = 9, 20
	room := min(max(width-nameWidth-valueWidth-6, 8), 100)
	var lines []string
	for _, s := range []struct {
		name  string
		value func(server.Point) float64
		text  func(float64) string
	}{
		{"ops/s", func(p server.Point) float64 { return p.OpsPerSecond }, func(f float64) string { return roster.Count(int64(f)) }},
		{"memory", func(p server.Point) float64 { return p.Memory }, func(f float64) string { return roster.Size(int64(f)) }},
		{"clients", func(p server.Point) float64 { return p.Clients }, func(f float64) string { return roster.Count(int64(f)) }},
	} {
		values := make([]float64, len(history))
		most := 0.0
		for i, p := range history {
			values[i] = s.value(p)
			most = max(most, values[i])
		}
		t := m.env.Theme
		text := s.text(values[len(values)-1]) + t.Render(theme.Dim, "  most "+s.text(most))
		lines = append(lines, "   "+t.Render(theme.Dim, widget.Fit(s.name, nameWidth, ""))+
			t.Render(theme.Accent, widget.Sparkline(t, values, 0, room))+"  "+text)
	}
	return lines
}

// nodeLines is the room below the table of nodes for the one under the cursor.
func (m *Model) nodeLines(height int) int {
	const wish, least = 11, 8
	if height < wish+least {
		return max(min(height-least, wish), 0)
	}
	return wish
}

// nodeDetail is everything about the node under the cursor.
func (m *Model) nodeDetail() []string {
	room := m.nodeLines(max(m.height-tabLines, 0))
	at := m.tables[tabNodes].Cursor()
	if room == 0 || at < 0 || at >= len(m.nodes) {
		return widget.Height(nil, room)
	}
	n := &m.nodes[at]
	t := m.env.Theme
	lines := []string{widget.Rule(t, m.width), m.fact(roster.Short(n.Name, m.ref.Name), m.placed(n), m.width)}
	if text := trouble(n); text != "" {
		lines = append(lines, indented(t, theme.Warn, t.Signs.Warn+" "+text, m.width)...)
	}
	if i := n.Info(); i != nil {
		lines = append(lines, m.infoLines(n, i)...)
		if len(n.Reading.History) > 1 {
			lines = append(lines, m.sparklines(n, m.width)...)
		}
	} else if n.Reading != nil && n.Reading.Problem != "" {
		lines = append(lines, indented(t, theme.Dim, t.Signs.Unknown+" "+n.Reading.Problem, m.width)...)
	}
	return widget.Height(lines, room)
}

func (m *Model) placed(n *roster.Node) string {
	dot := m.env.Theme.Render(theme.Bar, " "+m.env.Theme.Signs.Dot+" ")
	text := orDash(n.Pod).Text
	for _, part := range []string{n.Host, n.IP} {
		if part != "" {
			text += dot + part
		}
	}
	if !n.Created.IsZero() {
		text += dot + "made " + ago(n.Created, m.now) + " ago"
	}
	return text
}

func (m *Model) infoLines(n *roster.Node, i *server.Info) []string {
	dot := m.env.Theme.Render(theme.Bar, " "+m.env.Theme.Signs.Dot+" ")
	memory := roster.Size(i.Used) + " used" + dot + roster.Size(i.Peak) + " at most" + dot + roster.Size(i.RSS) + " resident"
	if i.Max > 0 {
		memory += dot + roster.Size(i.Max) + " maxmemory (" + i.Policy + ")"
	}
	if n.Memory > 0 {
		memory += dot + roster.Size(n.Memory) + " limit"
	}
	work := roster.Count(i.Commands) + " commands" + dot + roster.Count(i.Expired) + " expired" + dot + roster.Count(i.Evicted) + " evicted" + dot +
		roster.Size(int64(i.In)) + "/s in" + dot + roster.Size(int64(i.Out)) + "/s out" + dot + roster.Count(i.Rejected) + " refused"
	data := plural(int(i.Keys), "key") + dot + roster.Count(i.Changes) + " changes since the last save"
	if !i.LastSave.IsZero() {
		data += dot + "saved " + i.LastSave.UTC().Format(time.DateTime) + " UTC"
	}
	return []string{m.fact("memory", memory, m.width), m.fact("work", work, m.width), m.fact("data", data, m.width)}
}
