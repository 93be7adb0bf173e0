// Package review shows what a change of a Valkey will do before it is made: in words, what others changed meanwhile, and line by line. It
// wants the name typed where data would be lost. It makes no API call.
package review

import (
	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/impact"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// promptLimit is the longest text that can be typed.
const promptLimit = 300

// Model is the screen. It implements screen.Screen.
type Model struct {
	env      screen.Env
	id       screen.ID
	title    string
	isEditor bool // the change comes from an editor, which can be opened again

	ready   bool // there is something to agree to
	busy    string
	review  kube.Review
	effects []impact.Effect
	mine    map[string]bool // the paths that are changed here
	diff    []manifest.Line
	problem *kube.Problem
	path    string

	prompt *widget.Prompt // open while the name is typed
	note   string
	top    int

	width, height int
}

// New makes the screen of a change that was checked.
func New(env screen.Env, id screen.ID, title string, r kube.Review) *Model {
	m := &Model{env: env, id: id, title: title}
	m.show(r)
	return m
}

// NewEditor makes the screen of a change that is being written in an editor.
func NewEditor(env screen.Env, id screen.ID, title string) *Model {
	return &Model{env: env, id: id, title: title, isEditor: true, busy: "in the editor"}
}

// show takes over what the server says.
func (m *Model) show(r kube.Review) {
	m.review, m.ready, m.busy, m.problem, m.prompt, m.top = r, true, "", nil, nil, 0
	after, err := manifest.Typed(r.Result)
	if err == nil {
		var before *v1alpha1.Valkey
		if r.Proposal.Base != nil {
			before, err = manifest.Typed(r.Proposal.Base)
		}
		m.effects = nil
		if err == nil {
			m.effects = impact.Of(before, after)
		}
	}
	m.mine = map[string]bool{}
	if r.Proposal.Base != nil && len(r.Meanwhile) > 0 {
		for _, c := range manifest.Changes(r.Proposal.Base, r.Result) {
			m.mine[c.Path] = true
		}
	}
	if err == nil {
		m.diff, err = manifest.Diff(r.Proposal.Base, r.Result)
	}
	if err != nil {
		m.ready, m.problem = false, kube.Explain(err)
	}
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) { m.width, m.height = width, height }

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Reviewed:
		if msg.To == m.id {
			m.show(msg.Review)
		}
	case screen.Refused:
		if msg.To == m.id {
			m.ready, m.busy, m.problem, m.top = false, "", msg.Problem, 0
		}
	case screen.Editing:
		if msg.To == m.id {
			m.path = msg.Path
			if m.busy = "asking the server"; msg.Problem != nil {
				m.ready, m.busy, m.problem, m.top = false, "", msg.Problem, 0
			}
		}
	case tea.KeyMsg:
		return m.key(msg)
	}
	return nil
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	if m.prompt != nil {
		return m.typing(msg)
	}
	if msg.Paste {
		return nil
	}
	name := msg.String()
	switch action := m.env.Keys.Action(name, keys.Review, keys.Moving); action {
	case keys.Back:
		return screen.Close{From: m.id}
	case keys.Confirm:
		return m.confirm()
	case keys.EditAgain:
		return m.again()
	case keys.Up:
		m.scroll(-1)
	case keys.Down:
		m.scroll(1)
	case keys.PageUp:
		m.scroll(-m.height)
	case keys.PageDown:
		m.scroll(m.height)
	case keys.Top:
		m.top = 0
	case keys.Bottom:
		m.scroll(len(m.diff) + m.height)
	default:
		return m.env.Common(name)
	}
	return nil
}

func (m *Model) again() screen.Effect {
	switch {
	case m.busy != "":
		return nil
	case m.isEditor:
		m.ready, m.busy, m.problem = false, "in the editor", nil
		return screen.EditAgain{From: m.id}
	default:
		return screen.Close{From: m.id} // the form is beneath
	}
}

// isDangerous says that data would be lost.
func (m *Model) isDangerous() bool {
	for _, e := range m.effects {
		if e.Weight == impact.Danger {
			return true
		}
	}
	return false
}

func (m *Model) confirm() screen.Effect {
	switch {
	case !m.ready || m.busy != "":
		return nil
	case m.isDangerous():
		p := widget.NewPrompt(m.env.Theme, "Type "+m.name()+" to lose the data: ", promptLimit)
		m.prompt, m.note = &p, ""
		return nil
	}
	return m.commit()
}

func (m *Model) name() string { return m.review.Result.GetName() }

func (m *Model) typing(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Input)
	}
	switch {
	case action == keys.Back:
		m.prompt = nil
	case action == keys.Confirm && m.prompt.Value() == m.name():
		m.prompt = nil
		return m.commit()
	case action == keys.Confirm:
		m.prompt, m.note = nil, "not done: "+m.name()+" was not typed"
	default:
		m.prompt.Update(msg)
	}
	return nil
}

func (m *Model) commit() screen.Effect {
	m.busy, m.note = "asking the server", ""
	return screen.Commit{From: m.id, Proposal: m.review.Proposal}
}
