package tui

import (
	"context"
	"os"
	"slices"

	tea "github.com/charmbracelet/bubbletea"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

// shell does what a screen wants of the frame itself: where the dashboard looks, and as what.
func (m *model) shell(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case screen.OpenPalette:
		return m.openPalette(), true
	case screen.OpenNamespaces:
		return m.openNamespaces(), true
	case screen.OpenContexts:
		return m.openContexts(), true
	case screen.UseNamespace:
		return m.useNamespace(msg), true
	case screen.UseContext:
		return m.askContext(msg.Name), true
	case screen.SortBy:
		return tea.Batch(m.toList(), m.apply(m.stack[0].screen.Update(msg))), true
	case screen.UseTheme:
		m.useTheme(msg.Mode)
		return nil, true
	case screen.Press:
		return m.key(msg.Key), true
	case screen.OnRow:
		return m.onRow(msg), true
	case goToList:
		return m.toList(), true
	case endProgram:
		return m.quit(), true
	}
	return nil, false
}

// shellMessage takes in what the shell's own commands bring.
func (m *model) shellMessage(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case versioned:
		if msg.epoch == m.epoch {
			m.version = msg.version
		}
	case contextMade:
		return m.useContext(msg)
	case spacesRead:
		return m.spacesRead(msg)
	case operatorRead:
		return m.operatorRead(msg)
	case rightsRead:
		m.rightsRead(msg)
	}
	return nil
}

// toList takes every screen above the list away.
func (m *model) toList() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.stack) > 1 {
		cmds = append(cmds, m.pop(m.top().id))
	}
	return tea.Batch(cmds...)
}

// recentLimit is how many namespaces are remembered.
const recentLimit = 9

func (m *model) useNamespace(msg screen.UseNamespace) tea.Cmd {
	cmd := m.toList()
	m.all = msg.All
	if !msg.All {
		m.namespace = msg.Name
		m.recent = slices.DeleteFunc(m.recent, func(n string) bool { return n == msg.Name })
		m.recent = append([]string{msg.Name}, m.recent...)
		m.recent = m.recent[:min(len(m.recent), recentLimit)]
	}
	open := m.openList()
	return tea.Batch(cmd, m.narrow(), open)
}

// narrow keeps of what is known what belongs to the namespace that is wished now, until its own list is there: the rows of another one must
// not stand under its name.
func (m *model) narrow() tea.Cmd {
	s := m.latest
	s.Namespace, s.All, s.List, s.Synced = m.namespace, m.all, m.listGen, false
	if !m.all {
		s.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(r *kube.Row) bool { return r.Namespace != m.namespace })
	}
	m.latest = s
	if !m.known {
		return nil
	}
	return m.broadcast(s)
}

// contextMade is the way to another context; it counts where nothing else was wished since.
type contextMade struct {
	wish    uint64
	backend backend
	err     error
}

func (m *model) askContext(name string) tea.Cmd {
	m.wishes++
	wish, r := m.wishes, m.backend.router
	return m.do(func(context.Context) tea.Msg {
		b, err := r.Switch(name)
		return contextMade{wish, b, err}
	})
}

// useContext leaves everything of the old cluster behind: what it still sends is dropped, by the generation of the list, the IDs of the screens
// and the epoch.
func (m *model) useContext(msg contextMade) tea.Cmd {
	switch {
	case msg.wish != m.wishes:
		return nil
	case msg.err != nil:
		m.flash = screen.Flash{Text: problemOf(msg.err).Error(), IsError: true}
		return nil
	}
	cmd := tea.Batch(m.toList(), m.stopForwards(func(uint64) bool { return true }))
	m.epoch++
	m.log.Info("another context", "context", msg.backend.context.Name, "namespace", msg.backend.namespace)
	m.backend, m.namespace = msg.backend, msg.backend.namespace
	m.operator, m.operatorLate = kube.Operator{}, false
	m.version, m.recent, m.spaces = "", nil, nil
	m.forms.drafts = map[types.UID]map[string]string{}
	m.env.Rights.Reset()
	m.asked = nil
	open := m.openList()
	m.latest = screen.Snapshot{Namespace: m.namespace, All: m.all, List: m.listGen}
	m.known = true
	m.resize()
	return tea.Batch(cmd, m.broadcast(m.latest), open, m.askVersion(), m.askOperator(0))
}

// useTheme changes the theme under all screens, which share it.
func (m *model) useTheme(mode string) {
	o, err := m.env.Theme.Options().With(mode, os.Getenv)
	if err != nil {
		m.flash = screen.Flash{Text: err.Error(), IsError: true}
		return
	}
	*m.env.Theme = *theme.New(o)
	m.env.Theme.Apply()
	m.resize()
}

// onRow presses a key on a Valkey in the list.
func (m *model) onRow(msg screen.OnRow) tea.Cmd {
	if !slices.ContainsFunc(m.latest.Rows, func(r *kube.Row) bool { return r.UID == msg.UID }) {
		m.flash = screen.Flash{Text: msg.Name + " is gone", IsError: true}
		return nil
	}
	cmd := m.toList()
	return tea.Batch(cmd, m.apply(m.top().screen.Update(screen.ShowRow{UID: msg.UID, Key: msg.Key})))
}

// bound runs work whose end is also that of a screen.
func (m *model) bound(to screen.ID, work func(ctx context.Context) tea.Msg) tea.Cmd {
	ctx, found := m.works[to]
	if !found {
		ctx.Context, ctx.cancel = context.WithCancel(context.Background())
		m.works[to] = ctx
	}
	return m.do(func(outer context.Context) tea.Msg {
		inner, cancel := context.WithCancel(outer)
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		return work(inner)
	})
}

// boundContext ends with a screen.
type boundContext struct {
	context.Context //nolint:containedctx // it is the life of a screen, which no call spans
	cancel          context.CancelFunc
}

// endWork ends what was bound to a screen.
func (m *model) endWork(id screen.ID) {
	if ctx, found := m.works[id]; found {
		ctx.cancel()
		delete(m.works, id)
	}
}
