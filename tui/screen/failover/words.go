package failover

import (
	"slices"
	"strconv"

	"kuberly.io/valkey-operator/tui/screen/roster"
)

// Words is for screen.Worded: of one Valkey the node under the cursor and how it goes. Of several its lines do.
func (m *Model) Words() (words, figures []string) {
	if !m.isSingle() || m.items[0].Gone || m.detail == nil {
		return nil, nil
	}
	name := m.items[0].Ref.Name
	words = []string{"Fail over " + m.items[0].Ref.String()}
	text := strconv.Itoa(m.cursor+1) + " of " + strconv.Itoa(len(m.nodes)+1) + ": "
	best := roster.Best(m.nodes)
	switch {
	case m.cursor > 0:
		n := &m.nodes[m.cursor-1]
		text += roster.Short(n.Name, name)
		switch {
		case n.IsPrimary():
			text += ", is the primary"
		case !roster.CanLead(n):
			text += ", not ready " + n.State
		default:
			text += ", ready"
		}
		if m.cursor-1 == best {
			text += ", the best"
		}
		if n.KnowsLag {
			figures = []string{roster.Lag(n) + " behind"}
		}
	case best >= 0:
		text += "the best one, now " + roster.Short(m.nodes[best].Name, name)
	default:
		text += "the best one"
	}
	return slices.Concat(append(words, text), m.going(boxWidth), m.foot(boxWidth)), figures
}
