package detail

import (
	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// findLimit is the longest text that is looked for.
const findLimit = 200

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	if m.prompt != nil {
		return m.typing(msg)
	}
	if msg.Paste {
		return nil
	}
	name := msg.String()
	action := m.env.Keys.Action(name, keys.One, keys.Moving, keys.Everywhere)
	if t, leads := tabKeys[action]; leads {
		return m.open(t)
	}
	if effect := m.act(action); effect != nil {
		return effect
	}
	if m.move(action) {
		return nil
	}
	switch action {
	case keys.NextTab:
		return m.open((m.tab + 1) % tabCount)
	case keys.PrevTab:
		return m.open((m.tab + tabCount - 1) % tabCount)
	case keys.Filter:
		if m.tab != tabYAML {
			return m.env.Common(name)
		}
		p := widget.NewPrompt(m.env.Theme, "/", findLimit)
		p.SetValue(m.yaml.Finding())
		m.prompt = &p
	case keys.Next:
		m.yaml.Next(1)
	case keys.Previous:
		m.yaml.Next(-1)
	case keys.Back:
		if m.tab == tabYAML && m.yaml.Finding() != "" {
			m.yaml.Find("")
			return nil
		}
		return screen.Close{From: m.id}
	default:
		return m.env.Common(name)
	}
	return nil
}

// mover is what the keys scroll on the tab that is shown.
func (m *Model) mover() screen.Scroller {
	switch m.tab {
	case tabOverview:
		return m.page
	case tabYAML:
		return m.yaml
	default:
		return m.tables[m.tab]
	}
}

func (m *Model) move(action keys.Action) bool {
	switch action {
	case keys.SortPrev:
		m.tables[m.tab].Scroll(-1)
	case keys.SortNext:
		m.tables[m.tab].Scroll(1)
	default:
		return screen.Scroll(m.mover(), action)
	}
	return true
}

// typing looks for what is typed, with every key.
func (m *Model) typing(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Input)
	}
	switch action {
	case keys.Confirm:
		m.prompt = nil
	case keys.Back:
		m.prompt = nil
		m.yaml.Find("")
	default:
		m.prompt.Update(msg)
		m.yaml.Find(m.prompt.Value())
	}
	return nil
}

// wheelRows is how far one notch of the wheel goes.
const wheelRows = 3

// mouse takes events whose place is counted from the screen's upper left corner.
func (m *Model) mouse(msg tea.MouseMsg) screen.Effect {
	switch {
	case msg.Button == tea.MouseButtonWheelUp:
		m.mover().Move(-wheelRows)
	case msg.Button == tea.MouseButtonWheelDown:
		m.mover().Move(wheelRows)
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress && msg.Y == 0:
		if at := widget.TabAt(m.titles(), int(m.tab), m.width-1, msg.X-1); at >= 0 {
			return m.open(tab(at))
		}
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress && m.tab != tabOverview && m.tab != tabYAML:
		if row := m.tables[m.tab].RowAt(msg.Y - tabLines); row >= 0 {
			m.tables[m.tab].MoveTo(row)
		}
	}
	return nil
}
