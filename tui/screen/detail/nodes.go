package detail

import (
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/server"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const (
	oneScope   = keys.One
	showSecret = keys.ShowSecret
)

// nodeLinesOfOverview is a short table of the nodes, and below it why one of them cannot be looked at.
func (m *Model) nodeLinesOfOverview(width int) []string {
	t := m.env.Theme
	if len(m.nodes) == 0 {
		return []string{t.Render(theme.Dim, " no servers")}
	}
	g := m.nodesGrid(false)
	table := widget.NewTable(t)
	table.SetColumns(g.Columns, 1)
	table.HideCursor()
	table.SetSize(width, len(m.nodes)+2)
	table.SetSource(g)
	var lines []string
	for _, l := range table.Lines() {
		if strings.TrimSpace(l) != "" {
			lines = append(lines, l)
		}
	}
	for i := range m.nodes {
		n := &m.nodes[i]
		if text := trouble(n); text != "" && !m.isStopped(n) && !m.isTold(text) {
			lines = append(lines, indented(t, theme.Warn, "  "+t.Signs.Warn+" "+roster.Short(n.Name, m.ref.Name)+": "+text, width)...)
		}
	}
	return lines
}

// isStopped says whether a node has no server because none is wanted.
func (m *Model) isStopped(n *roster.Node) bool {
	v := m.detail.Valkey
	return v != nil && v.WantedReplicas() == 0 && !n.HasPod
}

// trouble says what is wrong with a node alone; what is wrong with all is said once elsewhere.
func trouble(n *roster.Node) string {
	switch {
	case n.Message != "" && !n.Ready:
		return n.Message
	case n.Reading != nil && n.Reading.Problem != "" && !n.Reading.Login:
		return n.Reading.Problem
	default:
		return ""
	}
}

// nodesGrid is the table of nodes: a few columns, or all of them.
func (m *Model) nodesGrid(all bool) *widget.Grid {
	// Of a few columns the sign before the name says whether it is ready.
	g := widget.NewGrid("Node", "Role", "Link", "Lag", "Memory", ">Ops/s", ">Hits", ">Conns", ">Restarts")
	if all {
		g = widget.NewGrid("Node", "Role", "Ready", "Link", "Lag", "Memory", ">Ops/s", ">Hits", ">Clients", ">Restarts", "Saved", "AOF", "Version", ">Up", "Host", "Pod")
	}
	for i := range m.nodes {
		n := &m.nodes[i]
		cells := append(m.identity(n, all), m.vitals(n, all)...)
		cells = append(cells, restarts(n))
		if all {
			cells = append(cells, m.more(n)...)
		}
		g.Add(n.Name+"/"+n.Pod, cells...)
	}
	g.Frozen = 1
	return g
}

// identity is who a node is and how it hangs on the others.
func (m *Model) identity(n *roster.Node, all bool) []widget.Cell {
	t := m.env.Theme
	role, roleTone := string(n.Role), theme.Text
	switch {
	case n.IsPrimary():
		roleTone = theme.Accent
	case role == "":
		role, roleTone = none, theme.Dim
	}
	sign, word, tone := t.Signs.OK, "yes", theme.OK
	switch {
	case m.isStopped(n):
		sign, word, tone = t.Signs.Off, "stopped", theme.Dim
	case n.State != "":
		sign, word, tone = t.Signs.Warn, n.State, theme.Warn
	case !n.Ready:
		sign, word, tone = t.Signs.Busy, "no", theme.Busy
	}
	name := roster.Short(n.Name, m.ref.Name)
	if all {
		return []widget.Cell{widget.Toned(name, theme.Strong), widget.Toned(role, roleTone), widget.Toned(sign+" "+word, tone), link(n), lag(n)}
	}
	if tone == theme.OK {
		tone = theme.Text
	}
	return []widget.Cell{widget.Toned(sign+" "+name, tone), widget.Toned(role, roleTone), link(n), lag(n)}
}

func link(n *roster.Node) widget.Cell {
	i := n.Info()
	switch {
	case i == nil:
		return dash()
	case n.Problem() != "":
		return widget.Toned("unreachable", theme.Error)
	case i.Loading:
		return widget.Toned("loading", theme.Busy)
	case n.IsPrimary():
		online := 0
		for _, r := range i.Replicas {
			if r.Online {
				online++
			}
		}
		if i.HandingOver() {
			return widget.Toned(i.FailoverState, theme.Busy)
		}
		return widget.Toned(strconv.Itoa(online)+" online", theme.Text)
	case i.Syncing:
		return widget.Toned("full sync", theme.Busy)
	case i.LinkUp:
		return widget.Toned("up", theme.OK)
	case i.LinkDownFor >= 0:
		return widget.Toned("down "+strconv.FormatInt(i.LinkDownFor, 10)+"s", theme.Error)
	default:
		return widget.Toned("down", theme.Error)
	}
}

func lag(n *roster.Node) widget.Cell {
	if !n.KnowsLag {
		return dash()
	}
	const long, far = 3, 1 << 20
	tone := theme.Text
	if n.Since >= long || n.Behind >= far {
		tone = theme.Warn
	}
	return widget.Toned(roster.Lag(n), tone)
}

// vitals are what a server does now.
func (m *Model) vitals(n *roster.Node, all bool) []widget.Cell {
	i := n.Info()
	if i == nil {
		return []widget.Cell{dash(), dash(), dash(), dash()}
	}
	hits := dash()
	if ratio, known := n.Reading.HitRatio(); known {
		hits = widget.Toned(roster.Percent(ratio), theme.Text)
	}
	clients := widget.Toned(roster.Count(i.Clients), theme.Text)
	if i.MaxClients > 0 && 10*i.Clients >= 9*i.MaxClients {
		clients.Tone = theme.Warn
	}
	barWidth := 4
	if all || m.width >= 100 {
		barWidth = 10
	}
	cells := []widget.Cell{m.memory(n, i, barWidth), widget.Toned(roster.Count(i.OpsPerSecond), theme.Text), hits, clients}
	if n.Problem() != "" { // the last that was known
		for c := range cells {
			cells[c].Tone = theme.Dim
		}
	}
	return cells
}

// memory is a bar of what is used of maxmemory, else of the limit of the container.
func (m *Model) memory(n *roster.Node, i *server.Info, barWidth int) widget.Cell {
	const high = 0.9
	whole := i.Max
	if whole <= 0 {
		whole = n.Memory
	}
	if whole <= 0 {
		return widget.Toned(roster.Size(i.Used), theme.Text)
	}
	part := float64(i.Used) / float64(whole)
	tone := theme.Text
	if part >= high {
		tone = theme.Warn
	}
	return widget.Toned(widget.Bar(m.env.Theme, part, 0, barWidth)+" "+roster.Size(i.Used)+"/"+roster.Size(whole), tone)
}

func restarts(n *roster.Node) widget.Cell {
	c := widget.Toned(strconv.Itoa(int(n.Restarts)), theme.Text)
	if n.Restarts > 0 {
		c.Tone = theme.Warn
	}
	return c
}

// more are the columns of the wide table.
func (m *Model) more(n *roster.Node) []widget.Cell {
	i := n.Info()
	if i == nil {
		return []widget.Cell{dash(), dash(), dash(), dash(), orDash(n.Host), orDash(n.Pod)}
	}
	saved := widget.Toned("never", theme.Dim)
	switch {
	case i.Saving:
		saved = widget.Toned("saving", theme.Busy)
	case !i.SaveOK:
		saved = widget.Toned("failed", theme.Error)
	case !i.LastSave.IsZero():
		saved = widget.Toned(ago(i.LastSave, m.now), theme.Text)
	}
	aof := widget.Toned("off", theme.Dim)
	switch {
	case i.AOF && i.AOFOK:
		aof = widget.Toned("ok", theme.OK)
	case i.AOF:
		aof = widget.Toned("failed", theme.Error)
	}
	return []widget.Cell{saved, aof, orDash(i.Version), widget.Toned(span(i.Uptime), theme.Text), orDash(n.Host), orDash(n.Pod)}
}

func orDash(s string) widget.Cell {
	if s == "" {
		return dash()
	}
	return widget.Toned(s, theme.Text)
}
