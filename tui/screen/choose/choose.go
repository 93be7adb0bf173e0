// Package choose is the dialog that chooses one or several of a few things: servers of a Valkey, what to copy, how far back to read.
// It owns the list and the marks; what comes of the choice is the caller's.
package choose

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const (
	boxWidth  = 64
	hotkeys   = 9 // items that a digit chooses
	frameRows = 8 // rows of the dialog beside the items
)

// Model is the dialog. It implements screen.Screen.
type Model struct {
	env  screen.Env
	id   screen.ID
	want screen.Choose

	items   []screen.Item
	loading bool
	problem *kube.Problem
	note    string
	cursor  int
	asking  int // the item that is asked about once more; -1 for none

	width, height int
}

// New asks what is wanted. Items that are nil come later, as screen.Items.
func New(env screen.Env, id screen.ID, want screen.Choose) *Model {
	m := &Model{env: env, id: id, want: want, loading: want.Items == nil, asking: -1}
	m.take(want.Items)
	return m
}

func (m *Model) take(items []screen.Item) {
	m.items = slices.Clone(items)
	for i, it := range m.items {
		if it.Marked {
			m.cursor = i
			break
		}
	}
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) { m.width, m.height = width, height }

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Items:
		if msg.To == m.id {
			m.loading, m.problem = false, msg.Problem
			m.take(msg.List)
		}
	case tea.KeyMsg:
		if !msg.Paste {
			return m.key(msg.String())
		}
	}
	return nil
}

func (m *Model) key(name string) screen.Effect {
	m.note = ""
	action := m.env.Keys.Action(name, keys.Choice, keys.Dialog, keys.Moving)
	if m.asking >= 0 {
		it := m.items[m.asking]
		m.asking = -1
		if action == keys.Confirm || name == "y" {
			return m.done([]screen.Item{it})
		}
		return nil
	}
	switch action {
	case keys.Back:
		return screen.Close{From: m.id}
	case keys.Up:
		m.move(-1)
	case keys.Down:
		m.move(1)
	case keys.PageUp, keys.Top:
		m.cursor = 0
	case keys.PageDown, keys.Bottom:
		m.cursor = max(len(m.items)-1, 0)
	case keys.ChooseMark:
		m.toggle(m.cursor)
	case keys.ChooseAll:
		m.toggleAll()
	case keys.Confirm:
		return m.confirm()
	default:
		return m.hotkey(name)
	}
	return nil
}

func (m *Model) move(by int) {
	if n := len(m.items); n > 0 {
		m.cursor = (m.cursor + by + n) % n
	}
}

func (m *Model) toggle(i int) {
	if m.want.Many && i < len(m.items) && m.items[i].Why == "" {
		m.items[i].Marked = !m.items[i].Marked
	}
}

func (m *Model) toggleAll() {
	if !m.want.Many {
		return
	}
	all := !slices.ContainsFunc(m.items, func(it screen.Item) bool { return !it.Marked })
	for i := range m.items {
		m.items[i].Marked = !all
	}
}

// hotkey chooses an item by its digit, or in a choice of many marks it.
func (m *Model) hotkey(name string) screen.Effect {
	n, err := strconv.Atoi(name)
	if err != nil || n < 1 || n > min(len(m.items), hotkeys) || len(name) != 1 {
		return nil
	}
	m.cursor = n - 1
	if m.want.Many {
		m.toggle(m.cursor)
		return nil
	}
	return m.confirm()
}

func (m *Model) confirm() screen.Effect {
	if len(m.items) == 0 {
		return nil
	}
	if m.want.Many {
		var chosen []screen.Item
		for _, it := range m.items {
			if it.Marked {
				chosen = append(chosen, it)
			}
		}
		if len(chosen) == 0 {
			m.note = "mark at least one"
			return nil
		}
		return m.done(chosen)
	}
	switch it := m.items[m.cursor]; {
	case it.Why != "":
		m.note = it.Why
		return nil
	case it.Ask != "":
		m.asking = m.cursor
		return nil
	default:
		return m.done([]screen.Item{it})
	}
}

func (m *Model) done(chosen []screen.Item) screen.Effect {
	return screen.Effects{screen.Close{From: m.id}, m.want.Done(chosen)}
}

// View is for screen.Screen.
func (m *Model) View() screen.View {
	width := min(boxWidth, m.width)
	inner := width - 4
	lines := append([]string{""}, m.list(inner)...)
	if foot := m.foot(inner); len(foot) > 0 {
		lines = append(append(lines, ""), foot...)
	}
	lines = append(lines, "")
	return screen.View{
		Lines:  widget.Frame(m.env.Theme, theme.Accent, m.want.Title, lines, width),
		Hints:  m.hints(),
		Dialog: true,
		Scopes: []keys.Scope{keys.Choice, keys.Dialog, keys.Moving},
	}
}

func (m *Model) hints() []widget.Hint {
	if m.asking >= 0 {
		return []widget.Hint{{Key: "y", Text: "yes"}, {Key: m.env.Keys.First(keys.Dialog, keys.Back), Text: "no"}}
	}
	hints := []widget.Hint{{Key: m.env.UpDown(), Text: "move"}}
	if m.want.Many {
		hints = append(hints, m.env.Hints(keys.Choice)...)
	}
	return append(hints, m.env.Hints(keys.Dialog)...)
}

func (m *Model) list(width int) []string {
	t := m.env.Theme
	switch {
	case m.problem != nil:
		return m.wrapped(theme.Error, t.Signs.Fail+" "+m.problem.Error(), width)
	case m.loading:
		return []string{t.Render(theme.Busy, t.Signs.Busy+" asking the cluster"+t.Signs.Ellipsis)}
	case len(m.items) == 0:
		return m.wrapped(theme.Dim, m.want.Empty, width)
	}
	text := 0
	for _, it := range m.items {
		text = max(text, widget.Width(it.Text))
	}
	text = min(text, width/2)
	from, to := screen.Window(len(m.items), max(m.cursor-m.room()/2, 0), m.room())
	lines := make([]string, 0, to-from+1)
	for i := from; i < to; i++ {
		lines = append(lines, m.line(i, text, width))
	}
	if rest := len(m.items) - (to - from); rest > 0 {
		lines = append(lines, t.Render(theme.Dim, strconv.Itoa(rest)+" more"))
	}
	return lines
}

func (m *Model) room() int { return max(m.height-frameRows, 1) }

func (m *Model) line(i, text, width int) string {
	t := m.env.Theme
	it := m.items[i]
	cursor, digit := " ", " "
	if i < hotkeys {
		digit = strconv.Itoa(i + 1)
	}
	mark := ""
	if m.want.Many {
		mark = "  "
		if it.Marked {
			mark = t.Signs.Mark + " "
		}
	}
	tone := theme.Text
	detail := it.Detail
	if it.Why != "" {
		tone, detail = theme.Dim, it.Why
	}
	label := widget.Fit(it.Text, text, t.Signs.Ellipsis)
	if i != m.cursor {
		return cursor + t.Render(theme.Accent, digit) + " " + t.Render(theme.OK, mark) + t.Render(tone, label) + "  " + t.Render(theme.Dim, detail)
	}
	row := t.Signs.Cursor + digit + " " + mark + label + "  " + detail
	return t.Selected(tone).Render(widget.Fit(row, width, t.Signs.Ellipsis))
}

// foot asks once more, or says what is missing.
func (m *Model) foot(width int) []string {
	switch {
	case m.asking >= 0:
		return m.wrapped(theme.Warn, m.items[m.asking].Ask, width)
	case m.note != "":
		return m.wrapped(theme.Error, m.note, width)
	case m.want.Note != "":
		return m.wrapped(theme.Dim, m.want.Note, width)
	default:
		return nil
	}
}

func (m *Model) wrapped(tone theme.Tone, text string, width int) []string {
	var lines []string
	for _, l := range widget.Wrap(text, width) {
		lines = append(lines, m.env.Theme.Render(tone, l))
	}
	return lines
}
