package failover

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/server"
)

// phase is how far the failover of the one Valkey is.
type phase int

const (
	choosing phase = iota
	asked
	moved
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
	cursor   int // 0 is the best one, then the nodes
	phase    phase
	from, to string    // the primary before and after
	began    time.Time // when it was asked for
	ended    time.Time
	now      time.Time

	width, height int
}

// New asks about the rows.
func New(env screen.Env, id screen.ID, rows []*kube.Row) *Model {
	return &Model{env: env, id: id, items: screen.TargetsOf(rows)}
}

func (m *Model) isSingle() bool { return len(m.items) == 1 }

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) { m.width, m.height = width, height }

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Snapshot:
		if !m.batch.IsRunning() && screen.Follow(msg, m.items) {
			m.note = "it was changed meanwhile: look again"
		}
	case screen.Detail:
		if m.isSingle() && msg.Ref == m.items[0].Ref.Key() {
			if m.detail == nil {
				m.note = "" // who asked too early may ask now
			}
			m.detail, m.now = &msg, msg.At
			m.renew()
			m.watch()
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

// renew joins what is known, with the cursor on the node where it was.
func (m *Model) renew() {
	if m.detail == nil {
		return
	}
	chosen := m.chosen()
	m.nodes = roster.Of(m.detail.Detail, m.readings)
	for i := range m.nodes {
		if chosen != "" && m.nodes[i].Name == chosen {
			m.cursor = i + 1
		}
	}
	m.cursor = min(m.cursor, len(m.nodes))
}

// watch sees whether the role has moved.
func (m *Model) watch() {
	v := m.detail.Valkey
	if m.phase != asked || v == nil {
		return
	}
	_, waits := v.Annotations[v1alpha1.AnnotationFailover]
	if p := v.Status.Primary; !waits && p != "" && p != m.from {
		m.phase, m.to, m.ended = moved, p, m.detail.At
	}
}

// chosen is the node that was picked; empty for the best one.
func (m *Model) chosen() string {
	if m.cursor == 0 || m.cursor > len(m.nodes) {
		return ""
	}
	return m.nodes[m.cursor-1].Name
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	action := m.env.Keys.Action(msg.String(), keys.Dialog, keys.Moving)
	isOver := m.batch.IsFinished() && (!m.isSingle() || m.phase == moved)
	switch {
	case action == keys.Back, isOver && action == keys.Confirm:
		return screen.Close{From: m.id, Text: m.closing()}
	case action == keys.Up:
		m.move(-1)
	case action == keys.Down:
		m.move(1)
	case m.batch.IsRunning(), m.batch.IsFinished():
	case action == keys.Confirm:
		return m.confirm()
	}
	return nil
}

// closing is what is said when the dialog is left while it goes on.
func (m *Model) closing() string {
	if m.isSingle() && m.phase == asked {
		return m.items[0].Ref.String() + ": the failover goes on"
	}
	return ""
}

func (m *Model) move(by int) {
	m.note = ""
	if !m.isSingle() {
		m.top = max(m.top+by, 0)
		return
	}
	if m.phase == choosing {
		m.cursor = max(min(m.cursor+by, len(m.nodes)), 0)
	}
}

func (m *Model) confirm() screen.Effect {
	if why := m.refusal(); why != "" {
		m.note = why
		return nil
	}
	intent := screen.Failover{From: m.id}
	var places []int
	for i, it := range m.items {
		if !it.Gone {
			intent.Items = append(intent.Items, screen.FailoverItem{Ref: it.Ref, Node: m.chosen()})
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		m.note = "it is gone already"
		return nil
	}
	if m.isSingle() {
		m.phase, m.began = asked, m.now
		if m.detail != nil && m.detail.Valkey != nil {
			m.from = m.detail.Valkey.Status.Primary
		}
	}
	m.batch.Start(places)
	return intent
}

// refusal says why what is chosen makes no sense.
func (m *Model) refusal() string {
	if !m.isSingle() {
		return ""
	}
	switch {
	case m.detail == nil || m.detail.Valkey == nil:
		return screen.NodesUnknown
	case m.detail.Valkey.WantedReplicas() < 2:
		return "there is nobody to fail over to: scale it to 2 servers or more first"
	case m.cursor == 0:
		return ""
	}
	n := &m.nodes[m.cursor-1]
	switch {
	case n.IsPrimary():
		return n.Name + " is the primary already"
	case !roster.CanLead(n):
		return n.Name + " is not ready: choose another"
	}
	return ""
}

func (m *Model) done(msg screen.Done) {
	if note, _ := m.batch.Settle(msg, len(m.items)); note != "" {
		m.phase, m.note = choosing, note
	}
}
