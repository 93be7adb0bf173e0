package tui

import (
	"context"
	"maps"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/detail"
	"kuberly.io/valkey-operator/tui/screen/failover"
	"kuberly.io/valkey-operator/tui/screen/restart"
	"kuberly.io/valkey-operator/tui/screen/roster"
)

// inspection is one Valkey that screens follow. They share it: a dialog over the screen of the same Valkey opens no second
// connection to its servers.
type inspection struct {
	ref      kube.Ref
	users    map[screen.ID]bool
	stream   detailer
	observer observer
	detail   *screen.Detail
	readings *screen.Readings
	// resting says that nobody sees it: the servers are not asked, and no connection to them is open.
	resting bool
}

// inspected are the messages of an inspection. One that is no longer the one in use for its Valkey is closed.
type (
	inspectionOpened struct{ inspection *inspection }
	detailRead       struct {
		inspection *inspection
		detail     kube.Detail
		err        error
	}
	readingsRead struct {
		inspection *inspection
		readings   screen.Readings
		err        error
	}
)

// inspect does what has to do with one Valkey.
func (m *model) inspect(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case screen.OpenDetail:
		id, cmd := m.push(func(id screen.ID) screen.Screen { return detail.New(m.env, id, msg.Row, msg.YAML) })
		return tea.Batch(cmd, m.follow(id, msg.Row.Ref().Key())), true
	case screen.OpenFailover:
		id, cmd := m.push(func(id screen.ID) screen.Screen { return failover.New(m.env, id, msg.Rows) })
		return tea.Batch(cmd, m.followOnly(id, msg.Rows)), true
	case screen.OpenRestart:
		id, cmd := m.push(func(id screen.ID) screen.Screen { return restart.New(m.env, id, msg.Rows) })
		return tea.Batch(cmd, m.followOnly(id, msg.Rows)), true
	case screen.Failover:
		mover := m.backend.mover
		return m.each(msg.From, len(msg.Items), func(ctx context.Context, i int) error {
			_, err := mover.Failover(ctx, msg.Items[i].Ref, msg.Items[i].Node)
			return err
		}), true
	case screen.CancelFailover:
		return m.cancelFailover(msg), true
	case screen.Restart:
		mover := m.backend.mover
		return m.each(msg.From, len(msg.Refs), func(ctx context.Context, i int) error {
			return mover.Restart(ctx, msg.Refs[i], time.Now())
		}), true
	case screen.Look:
		if in := m.inspections[msg.Ref]; in != nil {
			in.observer.Look(msg.Look)
		}
		return nil, true
	case screen.Reveal:
		return m.askReveal(msg), true
	case screen.LoadConfig:
		return m.askConfig(msg), true
	}
	return nil, false
}

// followOnly follows the one Valkey of a dialog; of several the list tells enough.
func (m *model) followOnly(id screen.ID, rows []*kube.Row) tea.Cmd {
	if len(rows) != 1 {
		return m.rest()
	}
	return m.follow(id, rows[0].Ref().Key())
}

// follow lets a screen hear of a Valkey until it is closed.
func (m *model) follow(id screen.ID, ref kube.Ref) tea.Cmd {
	if in := m.inspections[ref]; in != nil {
		in.users[id] = true
		var cmds []tea.Cmd
		if in.detail != nil {
			cmds = append(cmds, m.broadcast(*in.detail))
		}
		if in.readings != nil {
			cmds = append(cmds, m.broadcast(*in.readings))
		}
		return tea.Batch(append(cmds, m.rest())...)
	}
	in := &inspection{ref: ref, users: map[screen.ID]bool{id: true}}
	if m.inspections == nil {
		m.inspections = map[kube.Ref]*inspection{}
	}
	from := m.backend.inspector
	return tea.Batch(m.rest(), m.do(func(ctx context.Context) tea.Msg {
		in.stream, in.observer = from.Detail(ctx, ref), from.Observe(ctx, ref)
		return inspectionOpened{in}
	}))
}

// inspected takes in what an inspection brings.
func (m *model) inspected(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case inspectionOpened:
		in := msg.inspection
		other := m.inspections[in.ref]
		maps.DeleteFunc(in.users, func(id screen.ID, _ bool) bool { return !m.has(id) })
		if len(in.users) == 0 || other != nil {
			if other == nil {
				return in.close()
			}
			var cmds []tea.Cmd
			for id := range in.users {
				cmds = append(cmds, m.follow(id, in.ref))
			}
			return tea.Batch(append(cmds, in.close())...)
		}
		m.inspections[in.ref] = in
		return tea.Batch(m.nextDetail(in), m.nextReadings(in))
	case detailRead:
		if msg.err != nil || m.inspections[msg.inspection.ref] != msg.inspection {
			return nil
		}
		return m.detailRead(msg)
	case readingsRead:
		in := msg.inspection
		if msg.err != nil || m.inspections[in.ref] != in {
			return nil
		}
		in.readings = &msg.readings
		return tea.Batch(m.broadcast(msg.readings), m.nextReadings(in))
	}
	return nil
}

func (m *model) detailRead(msg detailRead) tea.Cmd {
	in := msg.inspection
	in.detail = &screen.Detail{Detail: msg.detail, Ref: in.ref, At: m.now()}
	if !in.resting {
		in.observer.SetPods(roster.Pods(msg.detail))
	}
	return tea.Batch(m.broadcast(*in.detail), m.nextDetail(in))
}

func (m *model) nextDetail(in *inspection) tea.Cmd {
	return m.do(func(ctx context.Context) tea.Msg {
		d, err := in.stream.Next(ctx)
		return detailRead{in, d, err}
	})
}

func (m *model) nextReadings(in *inspection) tea.Cmd {
	now := m.now
	return m.do(func(ctx context.Context) tea.Msg {
		list, err := in.observer.Next(ctx)
		return readingsRead{in, screen.Readings{Ref: in.ref, List: list, At: now()}, err}
	})
}

// rest closes the connections to the servers that nobody sees now, and opens those that somebody sees again. It is called
// when a screen comes or goes.
func (m *model) rest() tea.Cmd {
	if len(m.inspections) == 0 {
		return nil
	}
	seen := map[screen.ID]bool{}
	for _, e := range slices.Backward(m.stack) {
		seen[e.id] = true
		if !e.isDialog {
			break
		}
	}
	for _, in := range m.inspections {
		in.resting = true
		for id := range in.users {
			in.resting = in.resting && !seen[id]
		}
		switch {
		case in.resting:
			in.observer.Rest()
		case in.detail != nil:
			in.observer.SetPods(roster.Pods(in.detail.Detail))
		}
	}
	return nil
}

// leave ends the inspection that only a screen that is gone has followed.
func (m *model) leave(id screen.ID) tea.Cmd {
	var cmds []tea.Cmd
	for ref, in := range m.inspections {
		delete(in.users, id)
		if len(in.users) == 0 {
			delete(m.inspections, ref)
			cmds = append(cmds, in.close())
		}
	}
	return tea.Batch(append(cmds, m.rest())...)
}

// close is a command: it waits for what goes on to end.
func (in *inspection) close() tea.Cmd {
	return func() tea.Msg {
		in.observer.Close()
		in.stream.Close()
		return nil
	}
}

// cancelFailover takes a request back that waits. It is no use to who may only look: who could ask may also take back.
func (m *model) cancelFailover(msg screen.CancelFailover) tea.Cmd {
	mover := m.backend.mover
	return m.ask(func(ctx context.Context) tea.Msg {
		waited, err := mover.CancelFailover(ctx, msg.Ref)
		return screen.FailoverCancelled{To: msg.From, Waited: waited, Problem: problemOf(err)}
	})
}

func (m *model) askReveal(msg screen.Reveal) tea.Cmd {
	from := m.backend.visitor
	return m.ask(func(ctx context.Context) tea.Msg {
		uri, err := from.URI(ctx, msg.Ref, true)
		return screen.Revealed{To: msg.From, URI: uri, Problem: problemOf(err)}
	})
}

func (m *model) askConfig(msg screen.LoadConfig) tea.Cmd {
	from := m.backend.discloser
	return m.ask(func(ctx context.Context) tea.Msg {
		lines, err := from.Config(ctx, msg.Ref)
		return screen.ConfigLoaded{To: msg.From, Lines: lines, Problem: problemOf(err)}
	})
}
