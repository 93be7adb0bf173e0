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

func dash() widget.Cell { return widget.Toned(none, theme.Dim) }

func plain(text string) widget.Cell { return widget.Toned(text, theme.Text) }

// grid is the table of the tab that is shown.
func (m *Model) grid() *widget.Grid {
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
func (m *Model) eventsGrid() *widget.Grid {
	t := m.env.Theme
	g := widget.NewGrid(">Ago", "Reason", "Of", "~Message")
	for _, e := range slices.Backward(m.detail.Events) {
		reason, tone := t.Signs.OK+" "+e.Reason, theme.Text
		if e.Type != "Normal" {
			reason, tone = t.Signs.Warn+" "+e.Reason, theme.Warn
		}
		message := e.Message
		if e.Count > 1 {
			message = "(" + roster.Count(int64(e.Count)) + " times) " + message
		}
		g.Add(e.Object+e.Reason+e.First.String()+e.Message, widget.Toned(ago(e.Last, m.now), theme.Dim), widget.Toned(reason, tone),
			widget.Toned(m.ofWhat(e.Object), theme.Dim), plain(message))
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
func (m *Model) slowGrid() *widget.Grid {
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
	g := widget.NewGrid("Node", ">Ago", ">Took", "~Client", "~Command")
	const long = 100_000_000 // a tenth of a second holds everybody up
	for _, e := range all {
		tone := theme.Text
		if e.Took >= long {
			tone = theme.Warn
		}
		g.Add(e.node+"/"+roster.Count(e.ID), widget.Toned(e.node, theme.Strong), widget.Toned(ago(e.At, m.now), theme.Dim), widget.Toned(took(e.Took), tone),
			widget.Toned(e.Client, theme.Dim), plain(e.Command))
	}
	return g
}

// clientsGrid has the clients of all servers, those that take most memory first.
func (m *Model) clientsGrid() *widget.Grid {
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
	g := widget.NewGrid("Node", "~Address", "~User", "~Command", ">Idle", ">Age", ">Memory", "~Name", ">Db", "Flags", "~Library")
	for _, e := range all {
		g.Add(e.node+"/"+e.ID, widget.Toned(e.node, theme.Strong), plain(e.Address), plain(e.User), plain(e.Command),
			plain(span(e.Idle)), plain(span(e.Age)), plain(roster.Size(e.Memory)), orDash(e.Name), plain(e.Database), widget.Toned(e.Flags, theme.Dim), widget.Toned(e.Library, theme.Dim))
	}
	return g
}

// keyspaceGrid has the databases of all servers.
func (m *Model) keyspaceGrid() *widget.Grid {
	g := widget.NewGrid("Node", "Role", "Database", ">Keys", ">With expiry", ">Mean time to live")
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
			g.Add(n.Pod+"/"+db.Name, widget.Toned(roster.Short(n.Name, m.ref.Name), theme.Strong), plain(string(n.Role)), plain(db.Name),
				plain(roster.Count(db.Keys)), plain(roster.Count(db.Expires)), ttl)
		}
	}
	return g
}

// configGrid has each directive that somebody set or that a server tells: what is wanted, what is in force, the default.
func (m *Model) configGrid() *widget.Grid {
	g := widget.NewGrid("Directive", "~Wanted", "~In force", "~Default", "From")
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
		g.Add(name, s.cells(defaults)...)
	}
	return g
}
