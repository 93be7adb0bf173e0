package stop

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// promptLimit is the longest text that can be typed.
const promptLimit = 300

// Model is the dialog. It implements screen.Screen.
type Model struct {
	env    screen.Env
	id     screen.ID
	start  bool // they are to be started
	items  []item
	prompt widget.Prompt

	batch screen.Batch
	note  string
	top   int
	acted bool // a key was pressed: what it is about stays

	width, height int
}

// item is one Valkey as it is known now.
type item struct {
	ref        kube.Ref
	replicas   int32
	remembered int32
	keeps      bool // its data is on a volume
	gone       bool
}

// New asks about the rows: they are stopped, or where none of them runs started. Init must be sent next.
func New(env screen.Env, id screen.ID, rows []*kube.Row) *Model {
	m := &Model{env: env, id: id, prompt: widget.NewPrompt(env.Theme, "> ", promptLimit)}
	for _, r := range rows {
		m.items = append(m.items, itemOf(r))
	}
	m.start = m.allStopped()
	return m
}

// Init asks how they are now: the list may not know yet what was done last.
func (m *Model) Init() screen.Effect {
	refs := make([]kube.Ref, len(m.items))
	for i, it := range m.items {
		refs[i] = it.ref.Key()
	}
	return screen.LoadRows{From: m.id, Refs: refs}
}

func (m *Model) allStopped() bool {
	return !slices.ContainsFunc(m.items, func(it item) bool { return it.replicas > 0 })
}

func itemOf(r *kube.Row) item {
	return item{ref: r.Ref(), replicas: r.Replicas, remembered: r.Remembered, keeps: r.HasVolume, gone: r.Deleting}
}

// to is how many servers an item shall have.
func (m *Model) to(it item) int32 {
	switch {
	case !m.start:
		return 0
	case it.replicas > 0:
		return it.replicas
	default:
		return max(it.remembered, 1)
	}
}

// changes says that something happens to an item.
func (m *Model) changes(it item) bool { return !it.gone && m.to(it) != it.replicas }

// losing is how many of them lose their data.
func (m *Model) losing() int {
	n := 0
	for _, it := range m.items {
		if !m.start && m.changes(it) && !it.keeps {
			n++
		}
	}
	return n
}

// word is what has to be typed where data is lost; empty where none is.
func (m *Model) word() string {
	switch n := m.losing(); {
	case n == 0:
		return ""
	case len(m.items) == 1:
		return m.items[0].ref.Name
	default:
		return "lose " + strconv.Itoa(n)
	}
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) { m.width, m.height = width, height }

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Snapshot:
		m.follow(msg)
	case screen.RowLoaded:
		if msg.To == m.id {
			m.loaded(msg.Row)
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

// follow takes over what is known of the objects now.
func (m *Model) follow(s screen.Snapshot) {
	if m.batch.IsRunning() || m.batch.IsFinished() || !s.Synced || s.Stale {
		return
	}
	now := screen.RowsOf(s, m.items, func(it item) kube.Ref { return it.ref })
	for i := range m.items {
		if r := now[m.items[i].ref.UID]; r == nil {
			m.items[i].gone = true
		} else if r.Generation >= m.items[i].ref.Generation { // the list may lag behind
			m.items[i] = itemOf(r)
		}
	}
}

// loaded takes over how one is now. Until a key was pressed that decides what is asked.
func (m *Model) loaded(r *kube.Row) {
	i := slices.IndexFunc(m.items, func(it item) bool { return it.ref.UID == r.UID })
	if i < 0 || r.Generation < m.items[i].ref.Generation || m.batch.IsRunning() || m.batch.IsFinished() {
		return
	}
	m.items[i] = itemOf(r)
	if !m.acted {
		m.start = m.allStopped()
	}
}

// isDone says that they are so already.
func (m *Model) isDone() bool { return !slices.ContainsFunc(m.items, m.changes) }

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Dialog)
	}
	m.acted = true
	switch {
	case action == keys.Back, m.batch.IsFinished() && action == keys.Confirm:
		return screen.Close{From: m.id}
	case msg.Type == tea.KeyPgDown, msg.Type == tea.KeyDown:
		m.top++
	case msg.Type == tea.KeyPgUp, msg.Type == tea.KeyUp:
		m.top = max(m.top-1, 0)
	case m.batch.IsRunning(), m.batch.IsFinished():
	case m.isDone() && m.env.Keys.Action(msg.String(), keys.List) == keys.Stop:
		m.start, m.note = !m.start, ""
	case action == keys.Confirm:
		return m.confirm()
	case m.word() != "":
		m.note = ""
		m.prompt.Update(msg)
	}
	return nil
}

func (m *Model) confirm() screen.Effect {
	if word := m.word(); word != "" && m.prompt.Value() != word {
		m.note = "type " + word + " to lose the data"
		return nil
	}
	intent := screen.Rescale{From: m.id, Start: m.start}
	var places []int
	for i, it := range m.items {
		if m.changes(it) {
			// A change of status is no reason to refuse; another number of servers than the one shown is.
			intent.Items = append(intent.Items, screen.ScaleItem{Ref: it.ref.Key(), Current: it.replicas, To: m.to(it)})
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

func (m *Model) done(msg screen.Done) screen.Effect {
	note, closes := m.batch.Settle(msg, len(m.items))
	if note != "" {
		m.note = note
	}
	if !closes {
		return nil
	}
	return screen.Close{From: m.id, Text: m.items[0].ref.String() + " " + m.doing()}
}

// doing is what happens to what was confirmed.
func (m *Model) doing() string {
	if m.start {
		return "is being started"
	}
	return "is being stopped"
}
