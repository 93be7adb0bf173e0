package choose

import (
	"slices"
	"strconv"

	"kuberly.io/valkey-operator/tui/keys"
)

// Words is for screen.Worded: what is chosen, the item under the cursor, and what is asked or missing.
func (m *Model) Words() (words, figures []string) {
	words = []string{m.want.Title}
	if m.problem != nil || m.loading || len(m.items) == 0 {
		return append(words, m.list(boxWidth)...), nil
	}
	it := m.items[m.cursor]
	text := strconv.Itoa(m.cursor+1) + " of " + strconv.Itoa(len(m.items)) + ": " + it.Text
	if m.want.Many && it.Marked {
		text += ", marked"
	}
	for _, more := range []string{it.Detail, it.Why} {
		if more != "" {
			text += ", " + more
		}
	}
	words = append(words, text)
	if m.asking >= 0 {
		words = append(words, "y yes, "+m.env.Keys.First(keys.Dialog, keys.Back)+" no")
	}
	return slices.Concat(words, m.foot(boxWidth)), nil
}
