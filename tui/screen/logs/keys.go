package logs

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// spans are how far back each key reads.
var spans = map[keys.Action]time.Duration{
	keys.SinceAll: 0, keys.Since1m: time.Minute, keys.Since5m: 5 * time.Minute, keys.Since15m: 15 * time.Minute,
	keys.Since1h: time.Hour, keys.Since1d: 24 * time.Hour,
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	switch {
	case m.prompt != nil:
		return m.typing(msg)
	case msg.Paste:
		return nil
	case m.line != nil:
		return m.lineKey(msg.String())
	}
	name := msg.String()
	action := m.env.Keys.Action(name, keys.LogView, keys.Moving, keys.Everywhere)
	if m.move(action) {
		return nil
	}
	if m.look(action) {
		return nil
	}
	if effect, known := m.read(action); known {
		return effect
	}
	switch action {
	case keys.LogSave:
		m.ask(askPath, m.fileName())
	case keys.LogOpen:
		m.open()
	case keys.CopyMenu:
		return m.copyMenu()
	case keys.Back:
		return m.back()
	default:
		return m.env.Common(name)
	}
	return nil
}

// back drops what is searched for, then the filter, then the screen.
func (m *Model) back() screen.Effect {
	switch {
	case m.log.Pattern() != "":
		return m.find("")
	case m.log.Filter() != "":
		return m.filter("")
	default:
		return screen.Close{From: m.id}
	}
}

// look changes how the lines are shown, if the action is about that.
func (m *Model) look(action keys.Action) bool {
	switch action {
	case keys.Follow:
		m.log.Follow(!m.log.IsFollowing())
	case keys.Wrap:
		m.log.Wrap(!m.log.IsWrapping())
	case keys.Times:
		m.log.Times(!m.log.HasTimes())
	case keys.Clear:
		m.log.Clear()
	case keys.LogRaw:
		m.log.Raw(!m.log.IsRaw())
	case keys.Next:
		m.log.NextFound(1)
	case keys.Previous:
		m.log.NextFound(-1)
	case keys.Search:
		m.before = m.log.Pattern()
		m.ask(askPattern, m.before)
	case keys.Filter:
		m.before = m.log.Filter()
		m.ask(askFilter, m.before)
	default:
		return false
	}
	return true
}

// read changes which lines are read.
func (m *Model) read(action keys.Action) (effect screen.Effect, known bool) {
	if span, known := spans[action]; known {
		m.since, m.all = span, span == 0
		return m.reread(), true
	}
	switch action {
	case keys.LogPrevious:
		m.previous = !m.previous
		return m.reread(), true
	case keys.LogNodes:
		if m.subject.Operator {
			return screen.Flash{Text: "the operator's log is that of all its pods"}, true
		}
		return m.chooseNodes(), true
	default:
		return nil, false
	}
}

func (m *Model) chooseNodes() screen.Effect {
	return screen.Choose{
		Title: "Servers of " + m.subject.Ref.String(), Of: m.subject.Ref, Many: true, Marked: m.subject.Nodes,
		Empty: "there is no server", Done: func(chosen []screen.Item) screen.Effect {
			m.subject.Nodes = nil
			for _, it := range chosen {
				m.subject.Nodes = append(m.subject.Nodes, it.Key)
			}
			return m.reread()
		},
	}
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

func (m *Model) ask(what question, value string) {
	label, limit := "/", patternLimit
	switch what {
	case askFilter:
		label = "only lines with (! without): "
	case askPath:
		label, limit = "save to: ", pathLimit
	case askOverwrite:
		label, limit = "it exists. Overwrite it? y or n: ", 1
	case askPattern:
	}
	p := widget.NewPrompt(m.env.Theme, label, limit)
	p.SetValue(value)
	m.prompt, m.asking = &p, what
}

func (m *Model) typing(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Input)
	}
	value := m.prompt.Value()
	switch {
	case m.asking == askOverwrite:
		return m.overwrite(msg.String())
	case action == keys.Confirm:
		m.prompt = nil
		return m.keep(value)
	case action == keys.Back:
		m.prompt = nil
		return m.try(m.before)
	}
	m.prompt.Update(msg)
	return m.try(m.prompt.Value())
}

// keep does what a text that was typed is for.
func (m *Model) keep(text string) screen.Effect {
	switch m.asking {
	case askPath:
		return m.save(text, false)
	case askPattern:
		m.showFound()
	case askFilter, askOverwrite:
	}
	return nil
}

// try shows what a text leads to, while it is typed.
func (m *Model) try(text string) screen.Effect {
	switch m.asking {
	case askPattern:
		return m.find(text)
	case askFilter:
		return m.filter(text)
	default:
		return nil
	}
}
