package scale

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
)

// most is the greatest number of servers that the API takes.
const most = 5

// Model is the dialog. It implements screen.Screen.
type Model struct {
	env   screen.Env
	id    screen.ID
	items []item

	// The wish is a number for all, or where relative is set one that is added to what each has.
	relative bool
	number   int32

	batch screen.Batch
	note  string
	top   int

	width, height int
}

// item is one Valkey as it is known now.
type item struct {
	ref     kube.Ref
	current int32
	volume  v1alpha1.VolumeSpec // as far as it matters
	gone    bool
}

func itemOf(r *kube.Row) item {
	it := item{ref: r.Ref(), current: r.Replicas, gone: r.Deleting, volume: v1alpha1.VolumeSpec{Enabled: r.HasVolume, Reclaim: v1alpha1.ReclaimDelete}}
	if r.Retains {
		it.volume.Reclaim = v1alpha1.ReclaimRetain
	}
	return it
}

// New asks about the rows; by is added to what each has to begin with.
func New(env screen.Env, id screen.ID, rows []*kube.Row, by int32) *Model {
	m := &Model{env: env, id: id, relative: true, number: by}
	for _, r := range rows {
		m.items = append(m.items, itemOf(r))
	}
	if len(m.items) == 1 {
		m.relative = false
		m.number = bounded(m.items[0].current + by)
	}
	return m
}

// wanted is what an item shall have.
func (m *Model) wanted(i item) int32 {
	if m.relative {
		return bounded(i.current + m.number)
	}
	return m.number
}

func bounded(n int32) int32 { return max(min(n, most), 0) }

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) { m.width, m.height = width, height }

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Snapshot:
		m.follow(msg)
	case screen.Done:
		if msg.To == m.id {
			return m.done(msg)
		}
	case tea.KeyMsg:
		return m.key(msg)
	}
	return nil
}

// follow takes over what is known of the objects now. What is gone stays in the list, but nothing happens to it.
func (m *Model) follow(s screen.Snapshot) {
	if m.batch.IsRunning() || !s.Synced || s.Stale {
		return
	}
	now := screen.RowsOf(s, m.items, func(it item) kube.Ref { return it.ref })
	for i := range m.items {
		r := now[m.items[i].ref.UID]
		m.items[i].gone = true
		if r != nil {
			m.items[i] = itemOf(r)
		}
	}
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	name := msg.String()
	action := m.env.Keys.Action(name, keys.Dialog, keys.Count, keys.Moving)
	if m.batch.IsFinished() && (action == keys.Confirm || action == keys.Back) {
		return screen.Close{From: m.id}
	}
	switch action {
	case keys.Back:
		return screen.Close{From: m.id}
	case keys.PageDown:
		m.top++
		return nil
	case keys.PageUp:
		m.top = max(m.top-1, 0)
		return nil
	}
	if m.batch.IsRunning() || m.batch.IsFinished() {
		return nil
	}
	m.note = ""
	switch action {
	case keys.Confirm:
		return m.confirm()
	case keys.More:
		m.change(1)
	case keys.Less:
		m.change(-1)
	default:
		if n, err := strconv.Atoi(name); err == nil && len(name) == 1 {
			m.set(n)
		}
	}
	return nil
}

func (m *Model) change(by int32) {
	if m.relative {
		m.number = max(min(m.number+by, most), -most)
		return
	}
	m.number = bounded(m.number + by)
}

func (m *Model) set(n int) {
	if n > most {
		m.note = "0 to " + strconv.Itoa(most) + " servers"
		return
	}
	m.relative, m.number = false, int32(n) //nolint:gosec // one digit
}

func (m *Model) confirm() screen.Effect {
	if m.note = m.refusal(); m.note != "" {
		return nil
	}
	intent := screen.Scale{From: m.id}
	var places []int
	for i, it := range m.items {
		if !it.gone && m.wanted(it) != it.current {
			// A change of status is no reason to refuse; another number of servers than the one shown is.
			intent.Items = append(intent.Items, screen.ScaleItem{Ref: it.ref.Key(), Current: it.current, To: m.wanted(it)})
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		m.note = "nothing would change"
		return nil
	}
	m.batch.Start(places)
	return intent
}

// loses says that an item would lose its data: the dialog that stops asks for its name first, and this one asks nothing.
func (m *Model) loses(it item) bool {
	return !it.gone && !it.volume.Enabled && it.current > 0 && m.wanted(it) == 0
}

// refusal says why what is wanted is not done here.
func (m *Model) refusal() string {
	i, others := -1, 0
	for at, it := range m.items {
		switch {
		case !m.loses(it):
		case i < 0:
			i = at
		default:
			others++
		}
	}
	stop := m.env.Keys.First(keys.List, keys.Stop)
	switch {
	case i < 0:
		return ""
	case others > 0:
		return m.items[i].ref.Name + " and " + strconv.Itoa(others) + " more have no volume: to stop them loses their data; " + stop + " stops them and asks first"
	default:
		return m.items[i].ref.Name + " has no volume: to stop it loses its data; " + stop + " stops it and asks first"
	}
}

func (m *Model) done(msg screen.Done) screen.Effect {
	note, closes := m.batch.Settle(msg, len(m.items))
	if note != "" {
		m.note = note
	}
	if !closes {
		return nil
	}
	it := m.items[0]
	text := it.ref.String() + ": " + strconv.Itoa(int(it.current)) + " " + m.env.Theme.Signs.Arrow + " " +
		strconv.Itoa(int(m.number)) + " servers"
	return screen.Close{From: m.id, Text: text}
}
