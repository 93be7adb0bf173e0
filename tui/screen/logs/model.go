package logs

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

const (
	// ringBytes bounds what is kept of a log.
	ringBytes    = 32 << 20
	patternLimit = 200
	shiftCells   = 16
	wheelRows    = 3
)

// Model is the screen. It implements screen.Screen.
type Model struct {
	env screen.Env
	id  screen.ID
	ref kube.Ref
	log *widget.Log

	nodes   map[string]int // colour of each node, in the order in which they first spoke
	ended   bool
	problem *kube.Problem

	prompt *widget.Prompt
	before string
	width  int
}

// found is the reply of a search.
type found struct {
	to     screen.ID
	result widget.SearchResult
}

// New makes an empty log of a Valkey.
func New(env screen.Env, id screen.ID, ref kube.Ref) *Model {
	return &Model{env: env, id: id, ref: ref, log: widget.NewLog(env.Theme, ringBytes), nodes: map[string]int{}}
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) {
	m.width = width
	m.log.SetSize(width, height)
}

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.LogLines:
		if msg.To == m.id {
			m.add(msg)
		}
	case found:
		if msg.to == m.id {
			m.log.Apply(msg.result)
		}
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		m.mouse(msg)
	}
	return nil
}

func (m *Model) add(msg screen.LogLines) {
	lines := make([]widget.LogLine, len(msg.Lines))
	for i, l := range msg.Lines {
		lines[i] = widget.LogLine{Time: l.Time, Text: l.Text, Notice: l.Kind == kube.LineNotice}
		if l.Kind == kube.LineDropped {
			lines[i].Dropped = max(l.Dropped, 1)
		}
		if l.Node != "" {
			lines[i].Source, lines[i].Label = m.colour(l.Node), m.short(l.Node)
		}
	}
	m.log.Append(lines)
	m.problem = msg.Problem
	m.ended = msg.End
}

func (m *Model) colour(node string) int {
	c, known := m.nodes[node]
	if !known {
		c = len(m.nodes)
		m.nodes[node] = c
	}
	return c
}

// short is the node's name without that of the Valkey, which stands above.
func (m *Model) short(node string) string { return strings.TrimPrefix(node, m.ref.Name+"-") }

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	if m.prompt != nil {
		return m.typing(msg)
	}
	if msg.Paste {
		return nil
	}
	name := msg.String()
	action := m.env.Keys.Action(name, keys.LogView, keys.Moving, keys.Everywhere)
	if m.move(action) {
		return nil
	}
	switch action {
	case keys.Follow:
		m.log.Follow(!m.log.IsFollowing())
	case keys.Wrap:
		m.log.Wrap(!m.log.IsWrapping())
	case keys.Times:
		m.log.Times(!m.log.HasTimes())
	case keys.Clear:
		m.log.Clear()
	case keys.OnlyFound:
		m.log.ShowAll(!m.log.ShowsAll())
	case keys.Next:
		m.jump(1)
	case keys.Previous:
		m.jump(-1)
	case keys.Filter:
		p := widget.NewPrompt(m.env.Theme, "/", patternLimit)
		p.SetValue(m.log.Pattern())
		m.prompt, m.before = &p, m.log.Pattern()
	case keys.Back:
		if m.log.Pattern() != "" {
			return m.find("")
		}
		return screen.Close{From: m.id}
	default:
		return m.env.Common(name)
	}
	return nil
}

func (m *Model) move(action keys.Action) bool {
	switch action {
	case keys.Up:
		m.log.Move(-1)
	case keys.Down:
		m.log.Move(1)
	case keys.PageUp:
		m.log.Page(-1)
	case keys.PageDown:
		m.log.Page(1)
	case keys.Top:
		m.log.Top()
	case keys.Bottom:
		m.log.Bottom()
	case keys.Left:
		m.log.Shift(-shiftCells)
	case keys.Right:
		m.log.Shift(shiftCells)
	default:
		return false
	}
	return true
}

// jump goes to the next line found, among all lines, since that shows what is around it.
func (m *Model) jump(direction int) {
	m.log.NextFound(direction)
}

func (m *Model) typing(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Input)
	}
	switch action {
	case keys.Confirm:
		m.prompt = nil
		return nil
	case keys.Back:
		m.prompt = nil
		return m.find(m.before)
	}
	m.prompt.Update(msg)
	return m.find(m.prompt.Value())
}

// find looks for a text, in a command, since there may be much to look through.
func (m *Model) find(text string) screen.Effect {
	search := m.log.SetPattern(text)
	if search == nil {
		return nil
	}
	id := m.id
	return func() tea.Msg { return found{id, search.Run()} }
}

func (m *Model) mouse(msg tea.MouseMsg) {
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		m.log.Move(-wheelRows)
	case tea.MouseButtonWheelDown:
		m.log.Move(wheelRows)
	}
}
