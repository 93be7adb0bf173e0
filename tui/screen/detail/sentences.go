package detail

import (
	"cmp"
	"slices"
	"strconv"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/screen/roster"
)

// changing are the columns of a tab that change by themselves.
var changing = map[tab][]string{
	tabNodes:    {"lag", "memory", "ops/s", "hits", "clients", "conns", "saved", "up"},
	tabEvents:   {"ago"},
	tabSlowlog:  {"ago"},
	tabClients:  {"idle", "age", "memory", "command"},
	tabKeyspace: {"keys", "with expiry", "mean time to live"},
}

// Words is for screen.Worded: the tab, what is to be known of the Valkey there, or the row under the cursor.
func (m *Model) Words() (words, figures []string) {
	words = []string{"tab " + tabTitles[m.tab] + ", " + strconv.Itoa(int(m.tab)+1) + " of " + strconv.Itoa(int(tabCount))}
	switch {
	case m.detail.Valkey == nil, m.tab == tabYAML:
		return append(words, m.body()...), nil
	case m.tab == tabOverview:
		more, moving := m.overviewWords(m.detail.Valkey)
		return append(words, more...), moving
	}
	row, moving := m.tables[m.tab].Words(changing[m.tab]...)
	words, figures = append(words, row), []string{moving}
	if m.tab != tabNodes {
		return append(words, m.note()), figures
	}
	if at := m.tables[m.tab].Cursor(); at >= 0 && at < len(m.nodes) {
		words = append(words, trouble(&m.nodes[at]))
	}
	return words, figures
}

// overviewWords are the overview without what only the eye takes in, and without ages.
func (m *Model) overviewWords(v *v1alpha1.Valkey) (words, figures []string) {
	facts := m.facts(v, m.width)
	words = []string{facts[0], strconv.Itoa(int(v.Status.ReadyReplicas)) + " of " + strconv.Itoa(v.WantedReplicas()) + " ready"}
	if v.Status.Primary != "" {
		words = append(words, "primary "+v.Status.Primary)
	}
	words = slices.Concat(append(words, facts[2]), m.drift(v, m.width))
	g := m.nodesGrid(false)
	for i := range m.nodes {
		n := &m.nodes[i]
		node, moving := g.Words(i, changing[tabNodes]...)
		words, figures = append(words, node), append(figures, roster.Short(n.Name, v.Name)+": "+moving)
		if text := trouble(n); text != "" {
			words = append(words, roster.Short(n.Name, v.Name)+": "+text)
		}
	}
	for i := range v.Status.Conditions {
		c := &v.Status.Conditions[i]
		words = append(words, "condition "+c.Type+" "+string(c.Status)+": "+orReason(c))
	}
	for _, c := range v.Status.RoleChanges {
		if c.From == c.To {
			words = append(words, "the primary "+c.To+" was kept: "+c.Reason)
			continue
		}
		words = append(words, "the primary changed from "+cmp.Or(c.From, "none")+" to "+c.To+": "+c.Reason)
	}
	return words, figures
}
