package keys

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// special are the keys that bubbletea knows by a name, by that name.
var special = specialKeys()

func specialKeys() map[string]tea.KeyType {
	const lowest, highest = -256, 127 // bubbletea numbers special keys downwards, and control characters as ASCII does
	names := map[string]tea.KeyType{}
	for k := tea.KeyType(highest); k >= lowest; k-- {
		name := k.String()
		if k == tea.KeyRunes || name == "" {
			continue
		}
		names[name] = k
	}
	return names
}

// Press is the message that a key of the name leads to: what bubbletea sends when it is pressed. It says false for a name that
// no key has.
func Press(name string) (msg tea.KeyMsg, known bool) {
	rest, alt := strings.CutPrefix(name, "alt+")
	if k, found := special[rest]; found {
		msg = tea.KeyMsg{Type: k, Alt: alt}
		if k == tea.KeySpace {
			msg.Runes = []rune{' '}
		}
		return msg, true
	}
	runes := []rune(rest)
	if len(runes) != 1 || runes[0] < ' ' {
		return tea.KeyMsg{}, false
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: runes, Alt: alt}, true
}
