package detail

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/server"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// cell is a text with its meaning.
type cell struct {
	text string
	tone theme.Tone
}

func dash() cell { return cell{none, theme.Dim} }

func plain(text string) cell { return cell{text, theme.Text} }

// grid is a table's source.
type grid struct {
	columns []widget.Column
	frozen  int
	keys    []string
	cells   [][]cell
}

// newGrid has columns of the titles; one that begins with > is aligned to the right, one with ~ may be cut.
func newGrid(titles ...string) *grid {
	g := &grid{}
	for _, title := range titles {
		c := widget.Column{}
		if rest, right := strings.CutPrefix(title, ">"); right {
			title, c.Right = rest, true
		}
		if rest, long := strings.CutPrefix(title, "~"); long {
			title, c.Min = rest, leastLong
		}
		c.Title = strings.ToUpper(title)
		g.columns = append(g.columns, c)
	}
	return g
}

// leastLong is the least width of a column that may be cut.
const leastLong = 12

// add adds a row.
func (g *grid) add(key string, cells ...cell) {
	g.keys, g.cells = append(g.keys, key), append(g.cells, cells)
	for i := range cells {
		c := &g.columns[i]
		if c.Want = max(c.Want, widget.Width(cells[i].text)); c.Min > 0 {
			c.Min = min(leastLong, c.Want)
		}
	}
}

// Len is for widget.Source.
func (g *grid) Len() int { return len(g.keys) }

// Key is for widget.Source.
func (g *grid) Key(row int) string { return g.keys[row] }

// Cell is for widget.Source.
func (g *grid) Cell(row, column int) (string, theme.Tone) {
	c := g.cells[row][column]
	return c.text, c.tone
}

// grid is the table of the tab that is shown.
func (m *Model) grid() *grid {
	switch m.tab {
	case tabNodes:
		return m.nodesGrid(true)
	case tabEvents:
		return m.eventsGrid()
	case tabSlowlog:
		return m.slowGrid()
	case tabClients:
		return m.clientsGrid()
	case tabConfig:
		return m.configGrid()
	default:
		return m.keyspaceGrid()
	}
}

// eventsGrid has the newest event first.
func (m *Model) eventsGrid() *grid {
	t := m.env.Theme
	g := newGrid(">Ago", "Reason", "Of", "~Message")
	for _, e := range slices.Backward(m.detail.Events) {
		reason, tone := t.Signs.OK+" "+e.Reason, theme.Text
		if e.Type != "Normal" {
			reason, tone = t.Signs.Warn+" "+e.Reason, theme.Warn
		}
		message := e.Message
		if e.Count > 1 {
			message = "(" + roster.Count(int64(e.Count)) + " times) " + message
		}
		g.add(e.Object+e.Reason+e.First.String()+e.Message, cell{ago(e.Last, m.now), theme.Dim}, cell{reason, tone},
			cell{m.ofWhat(e.Object), theme.Dim}, plain(message))
	}
	return g
}

// ofWhat is the object of an event without the name of the Valkey, and a pod's without what makes it unique.
func (m *Model) ofWhat(object string) string {
	kind, name, _ := strings.Cut(object, "/")
	rest, isChild := strings.CutPrefix(name, m.ref.Name+"-")
	if !isChild {
		return kind
	}
	if index, tail, isNode := strings.Cut(strings.TrimPrefix(rest, "node-"), "-"); isNode && tail != "" && strings.HasPrefix(rest, "node-") {
		rest = "node-" + index
	}
	return kind + " " + rest
}

// eachMore calls do with what each server was asked for beside INFO, where it is what was looked for.
func (m *Model) eachMore(look server.Look, do func(node string, more *server.More)) {
	for i := range m.nodes {
		n := &m.nodes[i]
		if n.Reading != nil && n.Reading.More != nil && n.Reading.More.Look == look {
			do(roster.Short(n.Name, m.ref.Name), n.Reading.More)
		}
	}
}

// slowGrid has the slow commands of all servers, the newest first.
func (m *Model) slowGrid() *grid {
	type entry struct {
		node string
		server.Slow
	}
	var all []entry
	m.eachMore(server.LookSlowlog, func(node string, more *server.More) {
		for _, s := range more.Slow {
			all = append(all, entry{node, s})
		}
	})
	slices.SortStableFunc(all, func(a, b entry) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.node, b.node), cmp.Compare(b.ID, a.ID))
	})
	g := newGrid("Node", ">Ago", ">Took", "~Client", "~Command")
	const long = 100_000_000 // a tenth of a second holds everybody up
	for _, e := range all {
		tone := theme.Text
		if e.Took >= long {
			tone = theme.Warn
		}
		g.add(e.node+"/"+roster.Count(e.ID), cell{e.node, theme.Strong}, cell{ago(e.At, m.now), theme.Dim}, cell{took(e.Took), tone},
			cell{e.Client, theme.Dim}, plain(e.Command))
	}
	return g
}

// clientsGrid has the clients of all servers, those that take most memory first.
func (m *Model) clientsGrid() *grid {
	type entry struct {
		node string
		server.Connection
	}
	var all []entry
	m.eachMore(server.LookClients, func(node string, more *server.More) {
		for _, c := range more.Clients {
			all = append(all, entry{node, c})
		}
	})
	slices.SortStableFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(b.Memory, a.Memory), cmp.Compare(a.ID, b.ID))
	})
	g := newGrid("Node", "~Address", "~User", "~Command", ">Idle", ">Age", ">Memory", "~Name", ">Db", "Flags", "~Library")
	for _, e := range all {
		g.add(e.node+"/"+e.ID, cell{e.node, theme.Strong}, plain(e.Address), plain(e.User), plain(e.Command),
			plain(span(e.Idle)), plain(span(e.Age)), plain(roster.Size(e.Memory)), orDash(e.Name), plain(e.Database), cell{e.Flags, theme.Dim}, cell{e.Library, theme.Dim})
	}
	return g
}

// keyspaceGrid has the databases of all servers.
func (m *Model) keyspaceGrid() *grid {
	g := newGrid("Node", "Role", "Database", ">Keys", ">With expiry", ">Mean time to live")
	for i := range m.nodes {
		n := &m.nodes[i]
		info := n.Info()
		if info == nil {
			continue
		}
		for _, db := range info.Databases {
			ttl := dash()
			if db.TTL > 0 {
				ttl = plain(span(db.TTL))
			}
			g.add(n.Pod+"/"+db.Name, cell{roster.Short(n.Name, m.ref.Name), theme.Strong}, plain(string(n.Role)), plain(db.Name),
				plain(roster.Count(db.Keys)), plain(roster.Count(db.Expires)), ttl)
		}
	}
	return g
}

// configGrid has each directive that somebody set or that a server tells: what is wanted, what is in force, the default.
func (m *Model) configGrid() *grid {
	g := newGrid("Directive", "~Wanted", "~In force", "~Default", "From")
	v := m.detail.Valkey
	if v == nil || m.config == nil && m.noConf == nil {
		return g
	}
	told := map[string]string{}
	version := v.Status.Version
	if n := m.leading(); n != nil {
		told, version = n.Info().Settings(), n.Info().Version
	}
	defaults := server.Defaults(version)
	names := map[string]bool{}
	for name := range v.Spec.Config {
		names[name] = true
	}
	for name := range m.config {
		names[name] = true
	}
	for name := range told {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		s := setting{name: name, file: m.config[name], told: told[name]}
		_, s.inFile = m.config[name]
		wanted, isWanted := v.Spec.Config[name]
		s.wanted, s.isWanted = string(wanted), isWanted
		g.add(name, s.cells(defaults)...)
	}
	return g
}
