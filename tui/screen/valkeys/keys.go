package valkeys

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// filterLimit is the longest filter.
const filterLimit = 200

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	if m.prompt != nil {
		return m.typing(msg)
	}
	if msg.Paste {
		return nil
	}
	name := msg.String()
	action := m.env.Keys.Action(name, keys.List, keys.Moving, keys.Everywhere)
	if screen.ScrollTable(m.table, action) {
		return nil
	}
	switch action {
	case keys.Filter:
		p := widget.NewPrompt(m.env.Theme, "/", filterLimit)
		p.SetValue(m.wish.filter)
		m.prompt, m.before = &p, m.wish.filter
	case keys.Mark:
		m.table.ToggleMark()
		m.table.Move(1)
	case keys.MarkAll:
		m.table.MarkAll()
	case keys.SortNext:
		return m.sortBy(1)
	case keys.SortPrev:
		return m.sortBy(-1)
	case keys.SortTurn:
		m.wish.order.descending = !m.wish.order.descending
		return m.arrange()
	case keys.Wide:
		m.wish.wide = !m.wish.wide
		return m.arrange()
	case keys.Namespaces:
		return screen.ShowAll{All: !m.latest.All}
	case keys.PickSpace:
		return screen.OpenNamespaces{}
	case keys.Back:
		return m.back()
	case keys.OperatorLogs, keys.Logs, keys.Scale, keys.More, keys.Less, keys.Create, keys.Edit, keys.EditText, keys.Stop, keys.Delete,
		keys.CopyMenu, keys.Open, keys.Manifest, keys.Failover, keys.Restart,
		keys.OpenConsole, keys.OpenShell, keys.Forward, keys.Forwards:
		return m.act(action)
	default:
		return m.env.Common(name)
	}
	return nil
}

// act turns a key into the intent to do something with the chosen rows.
func (m *Model) act(action keys.Action) screen.Effect {
	if action == keys.Create {
		return screen.OpenCreate{Namespace: m.latest.Namespace}
	}
	if action == keys.OperatorLogs {
		return screen.OpenLogs{Operator: true}
	}
	if action == keys.Forwards {
		return screen.OpenForwards{}
	}
	rows := m.chosen()
	if len(rows) == 0 {
		return flash("there is no Valkey here: "+m.env.Keys.First(keys.List, keys.Create)+" creates one", false)
	}
	return screen.Act(action, m.current(), rows)
}

// back drops the filter, then the marks; then nothing, since this is the last screen.
func (m *Model) back() screen.Effect {
	switch {
	case m.wish.filter != "":
		m.wish.filter = ""
		return m.arrange()
	case m.table.Marks() > 0:
		m.table.ClearMarks()
	default:
		return flash(m.env.Keys.First(keys.Everywhere, keys.Quit)+" quits", false)
	}
	return nil
}

// typing feeds the prompt and filters with every key.
func (m *Model) typing(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Input)
	}
	switch {
	case action == keys.Confirm && m.badFilter != "":
		return nil // it stands in the prompt what is wrong
	case action == keys.Confirm:
		m.prompt = nil
		return nil
	case action == keys.Back:
		m.prompt = nil
		return m.filter(m.before)
	case msg.Type == tea.KeyUp:
		m.table.Move(-1)
		return nil
	case msg.Type == tea.KeyDown:
		m.table.Move(1)
		return nil
	}
	m.prompt.Update(msg)
	return m.filter(m.prompt.Value())
}

func (m *Model) filter(text string) screen.Effect {
	m.badFilter = ""
	if _, err := parseFilter(text); err != nil {
		m.badFilter = err.Error() // the last good rows stay
		return nil
	}
	if text == m.wish.filter {
		return nil
	}
	m.wish.filter = text
	return m.arrange()
}

// sortBy goes on to the next column that is shown, or to the one before.
func (m *Model) sortBy(step int) screen.Effect {
	if m.shown == nil {
		return nil
	}
	n := len(m.shown.shown)
	at := max(m.sortedColumn(), 0)
	return m.sortByColumn((at + step + n) % n)
}

// sortByColumn sorts by a column that is shown; by the same one again it turns the order.
func (m *Model) sortByColumn(place int) screen.Effect {
	if m.shown == nil {
		return nil
	}
	column := m.shown.shown[place]
	if m.sortedColumn() == place {
		m.wish.order.descending = !m.wish.order.descending
	} else {
		m.wish.order = order{column: column}
	}
	return m.arrange()
}

// Columns are the names of the columns that are shown, and the place of the one that is sorted by, -1 for none.
func (m *Model) Columns() (names []string, sorted int, descending bool) {
	if m.shown == nil {
		return nil, -1, false
	}
	for _, c := range m.shown.shown {
		names = append(names, strings.ToLower(m.shown.title(c)))
	}
	return names, m.sortedColumn(), m.wish.order.descending
}

// sortByName sorts by a column of the name.
func (m *Model) sortByName(msg screen.SortBy) screen.Effect {
	names, _, _ := m.Columns()
	place := slices.Index(names, msg.Column)
	if place < 0 {
		return flash("there is no column "+msg.Column+" now", true)
	}
	m.wish.order = order{column: m.shown.shown[place], descending: msg.Descending}
	return m.arrange()
}

// wheelRows is how far one notch of the wheel goes.
const wheelRows = 3

// mouse takes events whose place is counted from the table's upper left corner.
func (m *Model) mouse(msg tea.MouseMsg) screen.Effect {
	switch {
	case msg.Button == tea.MouseButtonWheelUp:
		m.table.Move(-wheelRows)
	case msg.Button == tea.MouseButtonWheelDown:
		m.table.Move(wheelRows)
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		if row := m.table.RowAt(msg.Y); row >= 0 {
			m.table.MoveTo(row)
		} else if column := m.table.HeaderAt(msg.X, msg.Y); column >= 0 {
			return m.sortByColumn(column)
		}
	}
	return nil
}

func flash(text string, isError bool) screen.Effect {
	return screen.Flash{Text: text, IsError: isError}
}
