// Package help shows the keys that are in force where it was called. It is made from the key map alone, so that it cannot
// differ from what the keys do.
package help

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// Model is the help. It implements screen.Screen.
type Model struct {
	env           screen.Env
	id            screen.ID
	scopes        []keys.Scope
	top           int
	width, height int
}

// New makes the help for the scopes.
func New(env screen.Env, id screen.ID, scopes []keys.Scope) *Model {
	return &Model{env: env, id: id, scopes: scopes}
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) { m.width, m.height = width, height }

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	k, isKey := msg.(tea.KeyMsg)
	if !isKey {
		return nil
	}
	switch m.env.Keys.Action(k.String(), keys.Moving, keys.Everywhere) {
	case keys.Up:
		m.top--
	case keys.Down:
		m.top++
	case keys.PageUp:
		m.top -= m.height
	case keys.PageDown:
		m.top += m.height
	case keys.Top:
		m.top = 0
	case keys.Bottom:
		m.top = len(m.lines())
	case keys.Help, keys.Back, keys.Quit:
		return screen.Close{From: m.id}
	}
	return nil
}

// View is for screen.Screen.
func (m *Model) View() screen.View {
	lines := m.lines()
	from, to := screen.Window(len(lines), max(m.top, 0), m.height)
	m.top = from
	hints := []widget.Hint{{Key: m.env.Keys.First(keys.Everywhere, keys.Back), Text: "back"}}
	if to-from < len(lines) {
		hints = append(hints, widget.Hint{Key: m.env.Keys.First(keys.Moving, keys.PageDown), Text: "more"})
	}
	return screen.View{
		Lines:  widget.Height(lines[from:to:to], m.height),
		Title:  m.env.Theme.Render(theme.Strong, "Help"),
		Hints:  hints,
		Scopes: m.scopes,
	}
}

func (m *Model) lines() []string { return widget.HelpLines(m.env.Theme, m.sections(), m.width) }

func (m *Model) sections() []widget.Section {
	sections := make([]widget.Section, 0, len(m.scopes)+1)
	for _, s := range m.scopes {
		section := widget.Section{Title: s.Title()}
		for _, b := range m.env.Keys.Bindings(s) {
			h := widget.Hint{Key: m.labels(b), Text: b.Help}
			switch why := m.env.Why(b.Action); why {
			case "":
			case screen.ReadOnly:
				h.Text, h.Off = h.Text+": read-only", true
			default:
				h.Text, h.Off = h.Text+": not allowed", true // the key says why
			}
			section.Hints = append(section.Hints, h)
		}
		sections = append(sections, section)
	}
	return append(sections, m.legend())
}

func (m *Model) labels(b keys.Binding) string {
	labels := make([]string, len(b.Keys))
	for i, k := range b.Keys {
		labels[i] = m.env.Label(k)
	}
	return strings.Join(labels, " ")
}

// legend explains the signs.
func (m *Model) legend() widget.Section {
	s := m.env.Theme.Signs
	return widget.Section{Title: "Signs", Hints: []widget.Hint{
		{Key: s.OK, Text: "running"},
		{Key: s.Busy, Text: "in progress"},
		{Key: s.Fail, Text: "failed: the column ERROR says why"},
		{Key: s.Off, Text: "stopped: 0 servers wanted"},
		{Key: s.Warn, Text: "being deleted"},
		{Key: s.Unknown, Text: "not seen by the operator yet"},
	}}
}
