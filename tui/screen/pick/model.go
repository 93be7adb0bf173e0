package pick

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// textLimit is the longest text that can be typed.
const textLimit = 300

// Item is one of those to choose from.
type Item struct {
	// Name is what is typed and looked for, Detail what is said beside it.
	Name, Detail string
	// Key leads to the same without this dialog.
	Key string
	// Why says why it cannot be chosen, where it cannot.
	Why string
	// Group sorts where nothing is typed: lower ones come first.
	Group int
	// More says that something has to be typed after the name.
	More bool
	// Effect is what choosing it does.
	Effect screen.Effect
}

// Source is what a dialog is about.
type Source struct {
	// Title stands in the frame, Label before what is typed.
	Title, Label string
	// Items are those that fit what is typed, in any order: only they are looked through. They must not change with the text
	// unless Words of it do.
	Items func(text string) []Item
	// Typed is what the text itself means, where it is none of the items. It stands before those that hold no more than its letters.
	Typed func(text string) (Item, bool)
	// None says what is not there where nothing fits the text; nil for the usual words.
	None func(text string) string
	// IsStrict says that what holds the text only inside a word is not taken unless the cursor was moved to it. What holds no more than its
	// letters, with others between them, never is.
	IsStrict bool
	// Choice takes in a list that has come.
	Choice func(names []string)
}

// Model is the dialog. It implements screen.Screen.
type Model struct {
	env    screen.Env
	id     screen.ID
	source Source
	prompt widget.Prompt
	note   string // what is wrong with the list
	told   string // why the last choice was not taken
	moved  bool   // the cursor, since something was typed

	items  []Item
	cursor int
	top    int

	width, height int
}

// New makes the dialog.
func New(env screen.Env, id screen.ID, source Source) *Model {
	m := &Model{env: env, id: id, source: source, prompt: widget.NewPrompt(env.Theme, source.Label, textLimit)}
	m.look("")
	return m
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = width, height
	m.move(0)
}

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Choice:
		if msg.To == m.id {
			m.take(msg)
		}
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	}
	return nil
}

// take shows a list that has come. The cursor stays on its item.
func (m *Model) take(c screen.Choice) {
	if m.note = ""; c.Problem != nil {
		m.note = c.Problem.Error()
		return
	}
	m.source.Choice(c.Names)
	m.look(m.current().Name)
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	m.told = ""
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Pick)
	}
	switch action {
	case keys.Back:
		return screen.Close{From: m.id}
	case keys.Confirm:
		return m.confirm()
	case keys.Complete:
		m.complete()
	case keys.Up:
		m.step(-1)
	case keys.Down:
		m.step(1)
	case keys.PageUp:
		m.step(-m.room())
	case keys.PageDown:
		m.step(m.room())
	default:
		before := m.prompt.Value()
		m.prompt.Update(msg)
		if m.prompt.Value() != before {
			m.moved = false
			m.look("")
		} else if before == "" && msg.Type == tea.KeyBackspace {
			return screen.Close{From: m.id}
		}
	}
	return nil
}

// confirm takes the item under the cursor, where it is what was typed or what the cursor was moved to.
func (m *Model) confirm() screen.Effect {
	it, text := m.current(), m.prompt.Value()
	farthest := isPart
	if m.source.IsStrict {
		farthest = isWord
	}
	if it.Name != "" && !m.moved && closeness(it.Name, text) > farthest {
		m.told = m.none() + ": " + m.env.UpDown() + " choose one of these"
		return nil
	}
	return m.choose(it)
}

// step moves the cursor by keys.
func (m *Model) step(by int) {
	m.moved = true
	m.move(by)
}

// none says that nothing is called as was typed.
func (m *Model) none() string {
	if m.source.None == nil {
		return "nothing is called so"
	}
	return m.source.None(m.prompt.Value())
}

// choose does what an item is for, after the dialog is gone.
func (m *Model) choose(it Item) screen.Effect {
	switch {
	case it.Name == "":
		return nil
	case it.Why != "":
		m.told = it.Why
		return nil
	case it.More:
		m.prompt.SetValue(it.Name + " ")
		m.look("")
		return nil
	}
	return screen.Effects{screen.Close{From: m.id}, it.Effect}
}

// complete types the rest of the item under the cursor.
func (m *Model) complete() {
	it := m.current()
	if it.Name == "" {
		return
	}
	text := it.Name
	if it.More {
		text += " "
	}
	m.prompt.SetValue(text)
	m.look(it.Name)
}

// look finds the items that fit, and puts the cursor on the one named or on the best.
func (m *Model) look(name string) {
	text := m.prompt.Value()
	m.items = rank(m.source.Items(text), text)
	if it, means := m.source.Typed(text); means {
		m.items = slices.Insert(m.items, nearer(m.items, text), it)
	}
	m.cursor, m.top = 0, 0
	for i := range m.items {
		if m.items[i].Name == name {
			m.cursor = i
			break
		}
	}
	m.move(0)
}

func (m *Model) current() Item {
	if m.cursor >= len(m.items) {
		return Item{}
	}
	return m.items[m.cursor]
}

// move moves the cursor and keeps it in sight.
func (m *Model) move(by int) {
	m.cursor = max(min(m.cursor+by, len(m.items)-1), 0)
	room := max(m.room(), 1)
	if m.cursor < m.top {
		m.top = m.cursor
	}
	if m.cursor >= m.top+room {
		m.top = m.cursor - room + 1
	}
}

func (m *Model) mouse(msg tea.MouseMsg) screen.Effect {
	switch {
	case msg.Button == tea.MouseButtonWheelUp:
		m.move(-1)
	case msg.Button == tea.MouseButtonWheelDown:
		m.move(1)
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		row := msg.Y - headLines
		if row >= 0 && row < m.room() && m.top+row < len(m.items) {
			m.cursor = m.top + row
			return m.choose(m.current())
		}
	}
	return nil
}
