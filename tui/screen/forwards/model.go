package forwards

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

const (
	// portLimit is the longest text of a port that can be typed.
	portLimit   = 12
	highestPort = 65535
	wheelRows   = 3
)

// Model is the screen. It implements screen.Screen.
type Model struct {
	env   screen.Env
	id    screen.ID
	list  []screen.Forward
	table *widget.Table

	prompt *widget.Prompt // while the local port of wish is typed
	wish   screen.StartForward
	note   string // what is wrong with what was typed

	width, height int
}

// New shows a list, and where a new one is wished asks for its local port.
func New(env screen.Env, id screen.ID, list []screen.Forward, wish *screen.StartForward) *Model {
	m := &Model{env: env, id: id, table: widget.NewTable(env.Theme)}
	m.take(list)
	m.table.MoveTo(len(list) - 1)
	if wish != nil {
		m.ask(*wish, "")
	}
	return m
}

// ask asks for the local port of a new one.
func (m *Model) ask(wish screen.StartForward, typed string) {
	wish.From = m.id
	p := widget.NewPrompt(m.env.Theme, "local port for "+wish.Ref.String()+" (none: 6379, or a free one): ", portLimit)
	p.SetValue(typed)
	m.prompt, m.wish = &p, wish
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = width, height
	m.table.SetSize(width, height)
}

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Forwards:
		m.take(msg.List)
	case screen.ForwardRefused:
		if msg.To == m.id {
			typed := ""
			if msg.Wish.Local > 0 {
				typed = strconv.Itoa(msg.Wish.Local)
			}
			m.ask(msg.Wish, typed)
			m.note = msg.Problem.Message
		}
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		m.mouse(msg)
	}
	return nil
}

// take shows a list. Its cursor stays on its forward; a new one gets it.
func (m *Model) take(list []screen.Forward) {
	grew := len(list) > len(m.list)
	m.list = list
	g := grid(m.env.Theme, list)
	m.table.SetColumns(g.Columns, 1)
	m.table.SetSource(g)
	if grew {
		m.table.MoveTo(len(list) - 1)
	}
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	if m.prompt != nil {
		return m.typing(msg)
	}
	if msg.Paste {
		return nil
	}
	name := msg.String()
	action := m.env.Keys.Action(name, keys.ForwardList, keys.Moving, keys.Everywhere)
	if screen.ScrollTable(m.table, action) {
		return nil
	}
	switch action {
	case keys.StopForward, keys.CopyMenu:
		if len(m.list) == 0 {
			return nil
		}
		f := m.list[m.table.Cursor()]
		if action == keys.CopyMenu {
			return screen.Copy{What: "the local address", Text: f.Status.Local}
		}
		return screen.StopForward{ID: f.ID}
	case keys.Back, keys.Quit:
		return screen.Close{From: m.id}
	default:
		return m.env.Common(name)
	}
}

// typing takes the local port. What is no port is said, and stays to be mended.
func (m *Model) typing(msg tea.KeyMsg) screen.Effect {
	m.note = ""
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Input)
	}
	switch action {
	case keys.Back:
		m.prompt = nil
	case keys.Confirm:
		wish, text := m.wish, m.prompt.Value()
		if text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > highestPort {
				m.note = strconv.Quote(text) + " is no port: 1 to 65535"
				return nil
			}
			wish.Local = n
		}
		m.prompt = nil
		return wish
	default:
		m.prompt.Update(msg)
	}
	return nil
}

func (m *Model) mouse(msg tea.MouseMsg) {
	switch {
	case msg.Button == tea.MouseButtonWheelUp:
		m.table.Move(-wheelRows)
	case msg.Button == tea.MouseButtonWheelDown:
		m.table.Move(wheelRows)
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		if row := m.table.RowAt(msg.Y); row >= 0 {
			m.table.MoveTo(row)
		}
	}
}

// wished is where a forward leads in words.
func wished(s kube.ForwardStatus) string {
	if s.Node == "" {
		return "primary"
	}
	return s.Node
}
