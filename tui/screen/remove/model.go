package remove

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// Model is the dialog. It implements screen.Screen.
type Model struct {
	env    screen.Env
	id     screen.ID
	items  []item
	prompt widget.Prompt

	batch screen.Batch
	note  string
	top   int

	width, height int
}

// item is one Valkey as it was last looked at.
type item struct {
	ref  kube.Ref
	gone bool

	children []kube.Child
	missing  []string
	loaded   bool
	problem  *kube.Problem
}

// New asks about the rows. Init must be sent next.
func New(env screen.Env, id screen.ID, rows []*kube.Row) *Model {
	m := &Model{env: env, id: id, prompt: widget.NewPrompt(env.Theme, "> ", 300)}
	for _, r := range rows {
		m.items = append(m.items, item{ref: r.Ref()})
	}
	return m
}

// Init asks what belongs to the objects.
func (m *Model) Init() screen.Effect {
	refs := make([]kube.Ref, len(m.items))
	for i := range m.items {
		refs[i] = m.items[i].ref.Key()
	}
	return screen.LoadChildren{From: m.id, Refs: refs}
}

// word is what has to be typed.
func (m *Model) word() string {
	if len(m.items) == 1 {
		return m.items[0].ref.Name
	}
	return "delete " + strconv.Itoa(len(m.items))
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) { m.width, m.height = width, height }

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Snapshot:
		m.follow(msg)
	case screen.Children:
		if msg.To == m.id && msg.Index < len(m.items) {
			it := &m.items[msg.Index]
			it.children, it.missing, it.problem, it.loaded = msg.List, msg.Missing, msg.Problem, true
		}
	case screen.Done:
		if msg.To == m.id {
			return m.done(msg)
		}
	case tea.KeyMsg:
		return m.key(msg)
	}
	return nil
}

// follow takes over a new resourceVersion where only the status changed, since that is no reason to ask again. Where the spec
// changed the name has to be typed anew.
func (m *Model) follow(s screen.Snapshot) {
	if m.batch.IsRunning() || m.batch.IsFinished() || !s.Synced || s.Stale {
		return
	}
	now := screen.RowsOf(s, m.items, func(it item) kube.Ref { return it.ref })
	for i := range m.items {
		it := &m.items[i]
		r := now[it.ref.UID]
		if it.gone = r == nil; it.gone {
			continue
		}
		if r.Generation != it.ref.Generation && m.prompt.Value() != "" {
			m.note = it.ref.String() + " was changed meanwhile: look again, then type once more"
			m.prompt.SetValue("")
		}
		it.ref = r.Ref()
	}
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Dialog)
	}
	switch {
	case action == keys.Back, m.batch.IsFinished() && action == keys.Confirm:
		return screen.Close{From: m.id}
	case msg.Type == tea.KeyPgDown, msg.Type == tea.KeyDown:
		m.top++
	case msg.Type == tea.KeyPgUp, msg.Type == tea.KeyUp:
		m.top = max(m.top-1, 0)
	case m.batch.IsRunning(), m.batch.IsFinished():
	case action == keys.Confirm:
		return m.confirm()
	default:
		m.note = ""
		m.prompt.Update(msg)
	}
	return nil
}

func (m *Model) confirm() screen.Effect {
	if m.prompt.Value() != m.word() {
		m.note = "type " + m.word() + " to delete"
		if typed := m.prompt.Value(); typed != "" {
			m.note = typed + " is not " + m.word() + ": " + m.note
		}
		return nil
	}
	intent := screen.Delete{From: m.id}
	var places []int
	for i := range m.items {
		if !m.items[i].gone {
			intent.Refs = append(intent.Refs, m.items[i].ref)
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		m.note = "it is gone already"
		return nil
	}
	m.batch.Start(places)
	return intent
}

func (m *Model) done(msg screen.Done) screen.Effect {
	note, closes := m.batch.Settle(msg, len(m.items))
	if note != "" {
		m.note = note
	}
	if !closes {
		return nil
	}
	text := m.items[0].ref.String() + ": its deletion has begun"
	return screen.Close{From: m.id, Text: text}
}
