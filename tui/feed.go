package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
)

// listed is a snapshot of the list of a generation, or the end of it.
type listed struct {
	generation uint64
	list       lister // set where it was just opened
	snapshot   kube.Snapshot
	err        error
}

// openList begins to follow the Valkeys of the scope that is wished now. The list before is closed; what it still sends is
// dropped by its generation.
func (m *model) openList() tea.Cmd {
	old := m.list
	m.list = nil
	m.listGen++
	generation := m.listGen
	scope := kube.Scope{Namespace: m.namespace, Refresh: m.refresh}
	if m.all {
		scope.Namespace = ""
	}
	w := m.backend.watcher
	open := m.do(func(ctx context.Context) tea.Msg {
		if old != nil {
			old.Close()
		}
		return listed{generation: generation, list: w.Watch(ctx, scope)}
	})
	return open
}

func (m *model) listed(msg listed) tea.Cmd {
	if msg.generation != m.listGen {
		if msg.list != nil {
			return func() tea.Msg { msg.list.Close(); return nil }
		}
		return nil
	}
	switch {
	case msg.list != nil:
		m.list = msg.list
		return m.nextList()
	case msg.err != nil:
		// Closed, or the program ends.
		return nil
	}
	m.latest = screen.Snapshot{Snapshot: msg.snapshot, Namespace: m.namespace, All: m.all, List: m.listGen}
	m.known = true
	if msg.snapshot.Err == nil {
		m.lastOK = msg.snapshot.At
	} else {
		m.log.Warn("the list of Valkeys is not current", "class", msg.snapshot.Err.Class, "problem", msg.snapshot.Err.Message)
	}
	m.resize()
	cmds := []tea.Cmd{m.broadcast(m.latest), m.nextList()}
	if msg.snapshot.Err == nil {
		cmds = append(cmds, m.askRights())
	}
	if m.version == "" && msg.snapshot.Err == nil {
		cmds = append(cmds, m.askVersion())
	}
	return tea.Batch(cmds...)
}

// ticked says that a second has passed.
type ticked struct{}

func tick() tea.Cmd { return tea.Tick(time.Second, func(time.Time) tea.Msg { return ticked{} }) }

// clock has the screens show their dates as they read now.
func (m *model) clock() tea.Cmd {
	m.still = true // unless one says that its picture is another
	return tea.Batch(m.broadcast(screen.Clock{Now: m.now()}), tick())
}

func (m *model) nextList() tea.Cmd {
	list, generation := m.list, m.listGen
	return m.do(func(ctx context.Context) tea.Msg {
		snapshot, err := list.Next(ctx)
		return listed{generation: generation, snapshot: snapshot, err: err}
	})
}

func (m *model) retry() tea.Cmd {
	list := m.list
	if list == nil {
		return nil
	}
	m.flash = screen.Flash{Text: "asking the cluster again"}
	return func() tea.Msg { list.Retry(); return nil }
}

// versioned is the version of the API server.
type versioned struct {
	epoch   uint64
	version string
}

func (m *model) askVersion() tea.Cmd {
	asker, epoch := m.backend.asker, m.epoch
	return m.ask(func(ctx context.Context) tea.Msg {
		version, err := asker.ServerVersion(ctx)
		if err != nil {
			// The list says what is wrong, and asks for the version again once nothing is.
			return nil
		}
		return versioned{epoch, version}
	})
}

// close ends everything that goes on. It is called after the program has ended.
func (m *model) close() {
	if m.list != nil {
		m.list.Close()
	}
	for id := range m.works {
		m.endWork(id)
	}
	for id := range m.forms.edits {
		m.endEdit(id)
	}
	for _, r := range m.forwards.list {
		r.forward.Close()
	}
	for _, s := range m.seats {
		s.session.Close()
	}
	for _, log := range m.logs {
		log.close()
	}
	for _, in := range m.inspections {
		in.close()()
	}
}

// staleSince is how the time of the last good answer is told.
func staleSince(t time.Time) string { return t.Local().Format("15:04:05") }
