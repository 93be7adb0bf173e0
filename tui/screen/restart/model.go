package restart

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/server"
)

// Model is the dialog. It implements screen.Screen.
type Model struct {
	env   screen.Env
	id    screen.ID
	items []screen.Target

	batch screen.Batch
	note  string
	top   int

	// Of the one Valkey.
	detail   *screen.Detail
	readings []server.Reading
	nodes    []roster.Node
	old      map[string]bool // the names of the pods that are to be replaced
	began    time.Time
	over     bool
	took     time.Duration
	now      time.Time

	width, height int
}

// New asks about the rows.
func New(env screen.Env, id screen.ID, rows []*kube.Row) *Model {
	return &Model{env: env, id: id, items: screen.TargetsOf(rows), batch: screen.Batch{Asked: true}}
}

func (m *Model) isSingle() bool { return len(m.items) == 1 }

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) { m.width, m.height = width, height }

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Snapshot:
		if !m.batch.IsRunning() && screen.Follow(msg, m.items) && !m.batch.IsFinished() {
			m.note = "it was changed meanwhile: look again"
		}
	case screen.Detail:
		if m.isSingle() && msg.Ref == m.items[0].Ref.Key() {
			m.seen(msg)
		}
	case screen.Readings:
		if m.isSingle() && msg.Ref == m.items[0].Ref.Key() {
			m.readings, m.now = msg.List, msg.At
			m.renew()
		}
	case screen.Done:
		if msg.To == m.id {
			m.done(msg)
		}
	case tea.KeyMsg:
		return m.key(msg)
	}
	return nil
}

// seen takes over what is known of the one Valkey now.
func (m *Model) seen(d screen.Detail) {
	m.detail, m.now = &d, d.At
	wereKnown := len(m.nodes) > 0
	if m.renew(); !wereKnown && len(m.nodes) > 0 {
		m.note = "" // who asked too early may ask now
	}
}

func (m *Model) renew() {
	if m.detail == nil {
		return
	}
	m.nodes = roster.Of(m.detail.Detail, m.readings)
	if m.old == nil || m.over || m.detail.Valkey == nil {
		return
	}
	done := 0
	for i := range m.nodes {
		if m.step(&m.nodes[i]) == roster.Done {
			done++
		}
	}
	if done > 0 && done == len(m.nodes) && done >= m.detail.Valkey.WantedReplicas() {
		m.over, m.took = true, m.now.Sub(m.began)
	}
}

// step is where a node stands.
func (m *Model) step(n *roster.Node) roster.Step {
	switch {
	case !n.HasPod, n.Ending:
		return roster.Now
	case m.old[n.Pod]:
		return roster.Waits
	case n.Ready:
		return roster.Done
	default:
		return roster.Now
	}
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	action := m.env.Keys.Action(msg.String(), keys.Dialog, keys.Moving)
	isOver := m.batch.IsFinished() && (!m.isSingle() || m.over)
	switch {
	case action == keys.Back, isOver && action == keys.Confirm:
		text := ""
		if m.isSingle() && m.old != nil && !m.over {
			text = m.items[0].Ref.String() + ": the restart goes on"
		}
		return screen.Close{From: m.id, Text: text}
	case action == keys.Up:
		m.top = max(m.top-1, 0)
	case action == keys.Down:
		m.top++
	case m.batch.IsRunning(), m.batch.IsFinished():
	case action == keys.Confirm:
		return m.confirm()
	}
	return nil
}

func (m *Model) confirm() screen.Effect {
	intent := screen.Restart{From: m.id}
	m.note = ""
	var places []int
	for i, it := range m.items {
		if !it.Gone && it.Row.Replicas > 0 {
			intent.Refs = append(intent.Refs, it.Ref)
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		m.note = "there is no server to restart"
		return nil
	}
	if m.isSingle() {
		if len(m.nodes) == 0 {
			m.note = screen.NodesUnknown // and so it would not be known which of them are new
			return nil
		}
		m.old, m.began = map[string]bool{}, m.now
		for i := range m.nodes {
			m.old[m.nodes[i].Pod] = true // by name: of the pods themselves there may be no word yet but the operator's
		}
	}
	m.batch.Start(places)
	return intent
}

func (m *Model) done(msg screen.Done) {
	if note, _ := m.batch.Settle(msg, len(m.items)); note != "" {
		m.old, m.note = nil, note
	}
}
