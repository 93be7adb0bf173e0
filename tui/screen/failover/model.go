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
	recalling // it was asked for, and is to be taken back
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
	m := &Model{env: env, id: id, items: screen.TargetsOf(rows), batch: screen.Batch{Asked: true}}
	m.judge()
	return m
}

// judge says of each of several why it is not asked: a request that cannot be carried out would wait, and be carried out some day.
func (m *Model) judge() {
	for i := range m.items {
		it := &m.items[i]
		it.Why = ""
		switch {
		case m.isSingle() || it.Row == nil:
		case it.Row.Replicas < 2:
			it.Why = "has no replica"
		case it.Row.Ready < 2:
			it.Why = "no replica is ready"
		}
	}
}

func (m *Model) isSingle() bool { return len(m.items) == 1 }

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) { m.width, m.height = width, height }

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Snapshot:
		m.follow(msg)
	case screen.Detail:
		if m.isSingle() && msg.Ref == m.items[0].Ref.Key() {
			isFirst := m.detail == nil
			m.detail, m.now = &msg, msg.At
			if isFirst {
				m.note = "" // who asked too early may ask now
				m.adopt()
			}
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
	case screen.FailoverCancelled:
		if msg.To == m.id {
			return m.cancelled(msg)
		}
	case tea.KeyMsg:
		return m.key(msg)
	}
	return nil
}

// follow takes over what the list knows of the objects now.
func (m *Model) follow(s screen.Snapshot) {
	if m.batch.IsRunning() {
		return
	}
	if screen.Follow(s, m.items) {
		m.note = "it was changed meanwhile: look again"
	}
	m.judge()
}

// adopt takes up a request that waits already, whoever made it.
func (m *Model) adopt() {
	if v := m.detail.Valkey; v != nil && m.phase == choosing && m.isWaiting() {
		m.phase, m.began, m.from = asked, m.now, v.Status.Primary
	}
}

// isWaiting says whether the object carries a request for a failover, as far as it is known.
func (m *Model) isWaiting() bool {
	if m.detail == nil || m.detail.Valkey == nil {
		return false
	}
	_, waits := m.detail.Valkey.Annotations[v1alpha1.AnnotationFailover]
	return waits
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
	if m.phase != asked && m.phase != recalling || v == nil {
		return
	}
	if p := v.Status.Primary; !m.isWaiting() && p != "" && p != m.from {
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
	switch {
	case action == keys.Back, m.isOver() && action == keys.Confirm:
		return screen.Close{From: m.id, Text: m.closing()}
	case action == keys.Up:
		m.move(-1)
	case action == keys.Down:
		m.move(1)
	case m.canRecall() && action == keys.Confirm:
		m.phase, m.note = recalling, ""
		return screen.CancelFailover{From: m.id, Ref: m.items[0].Ref.Key()}
	case m.batch.IsRunning(), m.batch.IsFinished(), m.phase != choosing:
	case action == keys.Confirm:
		return m.confirm()
	}
	return nil
}

func (m *Model) isOver() bool {
	if m.isSingle() {
		return m.phase == moved
	}
	return m.batch.IsFinished()
}

// canRecall says that the one was asked for, and may be taken back.
func (m *Model) canRecall() bool { return m.isSingle() && m.phase == asked && !m.batch.IsRunning() }

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
		if !it.Gone && it.Why == "" {
			intent.Items = append(intent.Items, screen.FailoverItem{Ref: it.Ref, Node: m.chosen()})
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		m.note = "it is gone already"
		if !m.isSingle() {
			m.note = "none of them has a replica that is ready"
		}
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
	case m.cursor == 0 && roster.Best(m.nodes) < 0:
		return "no replica is ready: the request would wait, and be carried out some day"
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

// cancelled closes the dialog where the request is taken back, and says why it is not where it goes on.
func (m *Model) cancelled(msg screen.FailoverCancelled) screen.Effect {
	switch {
	case msg.Problem == nil && msg.Waited:
		return screen.Close{From: m.id, Text: m.items[0].Ref.String() + ": the failover is taken back"}
	case m.phase != recalling: // it has moved meanwhile
	case msg.Problem != nil:
		m.phase, m.note = asked, "not taken back: "+msg.Problem.Error()
	default:
		m.phase, m.note = asked, "too late: no request waits any more, it is under way or over"
	}
	return nil
}
