package tui

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/valkeys"
)

// model is the root: the stack of screens and what they share.
type model struct {
	env     screen.Env
	backend backend
	log     *slog.Logger
	refresh time.Duration
	// do makes a command of work that needs the program's context.
	do func(work func(ctx context.Context) tea.Msg) tea.Cmd
	// now is the clock.
	now func() time.Time

	stack  []entry
	lastID screen.ID

	list    lister
	listGen uint64 // of the list in use; late snapshots of earlier ones are dropped
	latest  screen.Snapshot
	known   bool
	lastOK  time.Time // when the cluster was last known
	logs    map[screen.ID]*logFeed

	inspections map[kube.Ref]*inspection

	forms forms
	// forwards go on whatever is shown.
	forwards forwardings
	seats    map[screen.ID]*seat

	namespace string
	all       bool
	version   string
	operator  kube.Operator
	// operatorLate says that it could not be asked the last time.
	operatorLate bool
	recent       []string // namespaces that were used, the last one first
	spaces       []string // namespaces as they were last listed

	epoch  uint64               // of the context in use; late answers about an earlier one are dropped
	wishes uint64               // of other contexts: only the last one counts
	asked  map[string]time.Time // when it was last asked what may be done in a namespace
	works  map[screen.ID]boundContext

	clipboard clipboard
	stage     stage // the terminal; nil where there is none, in tests

	flash    screen.Flash
	banner   []string
	width    int
	height   int
	hasSize  bool
	quitting bool
	// still says that the last second has changed nothing that is seen.
	still bool
}

// entry is one screen of the stack.
type entry struct {
	id       screen.ID
	screen   screen.Screen
	isDialog bool
}

func newModel(env screen.Env, b backend, log *slog.Logger, do func(func(context.Context) tea.Msg) tea.Cmd) *model {
	env.Rights = &screen.Rights{}
	m := &model{
		env: env, backend: b, log: log, do: do, now: time.Now, logs: map[screen.ID]*logFeed{}, works: map[screen.ID]boundContext{},
		seats: map[screen.ID]*seat{}, forms: newForms(), namespace: b.namespace,
	}
	m.forms.exec = m.runProcess
	m.push(func(screen.ID) screen.Screen { return valkeys.New(env) })
	return m
}

// Init is for tea.Model.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.openList(), m.askVersion(), m.askOperator(0), tick())
}

// Update is for tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height, m.hasSize = msg.Width, msg.Height, true
		m.resize()
		return m, nil
	case tea.KeyMsg:
		return m, m.keys(msg)
	case tea.MouseMsg:
		return m, m.mouseEvent(msg)
	case redraw:
		return m, nil
	case listed:
		return m, m.listed(msg)
	case ticked:
		return m, m.clock()
	case logOpened, logRead:
		return m, m.logMessage(msg)
	case versioned, contextMade, spacesRead, rightsRead, operatorRead:
		return m, m.shellMessage(msg)
	case inspectionOpened, detailRead, readingsRead:
		return m, m.inspected(msg)
	case stepped:
		return m, tea.Batch(m.reply(msg.done), msg.next)
	case handedBack:
		m.handedBack(msg)
		return m, nil
	case copied:
		m.copied(msg)
		return m, nil
	}
	if cmd, isForms := m.formMessage(msg); isForms {
		return m, cmd
	}
	if cmd, isIntent := m.intent(msg); isIntent {
		return m, cmd
	}
	return m, m.broadcast(msg)
}

// keys takes apart what a slow line delivered in one piece: several keys that were pressed one after the other.
func (m *model) keys(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || msg.Paste || msg.Alt || len(msg.Runes) < 2 {
		return m.key(msg)
	}
	cmds := make([]tea.Cmd, 0, len(msg.Runes))
	for _, r := range msg.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
		if r == ' ' {
			one.Type = tea.KeySpace
		}
		cmds = append(cmds, m.key(one))
	}
	return tea.Batch(cmds...)
}

// key handles the few keys that no screen may take, and gives the others to the upper screen.
func (m *model) key(msg tea.KeyMsg) tea.Cmd {
	m.flash = screen.Flash{}
	if !msg.Paste {
		switch m.env.Keys.Action(msg.String(), keys.Everywhere) {
		case keys.Abort:
			if !m.interrupts(msg.String()) {
				return m.quit()
			}
		case keys.Suspend:
			return m.suspend()
		case keys.Redraw:
			return func() tea.Msg { return redraw{} }
		}
	}
	if m.isTooSmall() {
		// Nobody presses keys on purpose that act on what is not seen.
		return nil
	}
	if cmd, refused := m.refuseKey(msg); refused {
		return cmd
	}
	return m.apply(m.top().screen.Update(msg))
}

// interrupts says that a key stops what runs on the upper screen, before it ends the dashboard elsewhere.
func (m *model) interrupts(key string) bool {
	return m.env.Keys.Action(key, m.top().screen.View().Scopes...) == keys.Interrupt
}

// apply does what came of a message: intents at once, work as a command.
func (m *model) apply(effect screen.Effect) tea.Cmd {
	switch e := effect.(type) {
	case nil:
		return nil
	case tea.Cmd:
		return e
	case func() tea.Msg:
		return e
	case screen.Effects:
		cmds := make([]tea.Cmd, len(e))
		for i := range e {
			cmds[i] = m.apply(e[i])
		}
		return tea.Batch(cmds...)
	}
	cmd, isIntent := m.intent(effect)
	if !isIntent {
		m.log.Error("an intent that nobody knows", "type", fmt.Sprintf("%T", effect))
	}
	return cmd
}

func (m *model) quit() tea.Cmd {
	m.quitting = true
	return tea.Quit
}

// push puts a screen on the stack and tells it what is known.
func (m *model) push(build func(id screen.ID) screen.Screen) (screen.ID, tea.Cmd) {
	m.lastID++
	e := entry{id: m.lastID, screen: build(m.lastID)}
	e.isDialog = e.screen.View().Dialog
	m.stack = append(m.stack, e)
	m.resize()
	rest := m.rest()
	if !m.known {
		return e.id, rest
	}
	return e.id, tea.Batch(rest, m.apply(e.screen.Update(m.latest)))
}

// pop takes a screen away: the one with the ID, or the upper one. The last one stays: taking it away ends the program.
func (m *model) pop(id screen.ID) tea.Cmd {
	at := len(m.stack) - 1
	if id != 0 {
		for at >= 0 && m.stack[at].id != id {
			at--
		}
	}
	switch {
	case at < 0:
		return nil
	case at == 0:
		return m.quit()
	}
	gone := m.stack[at].id
	m.stack = append(m.stack[:at:at], m.stack[at+1:]...)
	m.resize()
	m.endWork(gone)
	m.endForm(gone)
	return tea.Batch(m.leave(gone), m.closeLog(gone), m.endSeat(gone))
}

func (m *model) top() entry { return m.stack[len(m.stack)-1] }

func (m *model) has(id screen.ID) bool {
	for _, e := range m.stack {
		if e.id == id {
			return true
		}
	}
	return false
}

// broadcast gives a message to every screen: each knows its own replies.
func (m *model) broadcast(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(m.stack))
	for _, e := range slices.Clone(m.stack) {
		if cmd := m.apply(e.screen.Update(msg)); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(cmds...)
}

// reply gives the end of an action to the dialog that wanted it, or, where that is closed, says it in passing.
func (m *model) reply(done screen.Done) tea.Cmd {
	if !m.has(done.To) {
		if done.Problem != nil {
			m.flash = screen.Flash{Text: done.Problem.Error(), IsError: true}
		}
		return nil
	}
	return m.broadcast(done)
}

// problemOf explains an error for a message; nil for nil, so that no nil pointer hides in an interface.
func problemOf(err error) *kube.Problem {
	if err == nil {
		return nil
	}
	return kube.Explain(err)
}
