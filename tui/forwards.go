package tui

import (
	"context"
	"fmt"
	"io"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/forwards"
)

// forwarder leads ports of this machine to servers.
type forwarder interface {
	Forward(ctx context.Context, ref kube.Ref, opts kube.ForwardOptions) (forward, error)
}

// forward is a kube.Forward, or a test's.
type forward interface {
	Status() kube.ForwardStatus
	Next(ctx context.Context) (kube.ForwardStatus, error)
	Close()
}

// Forward is for forwarder.
func (v clientVisitor) Forward(ctx context.Context, ref kube.Ref, opts kube.ForwardOptions) (forward, error) {
	f, err := v.Client.Forward(ctx, ref, opts)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// forwardings are the forwards that there are. They go on whatever screen is shown, until they are stopped, another context is taken or the
// dashboard ends.
type forwardings struct {
	lastID uint64
	list   []forwarding
}

// forwarding is one of them.
type forwarding struct {
	screen.Forward
	forward forward
}

// Messages of forwards.
type (
	forwardBegun struct {
		epoch   uint64
		wish    screen.StartForward
		forward forward
		err     error
	}
	forwardTold struct {
		id     uint64
		status kube.ForwardStatus
		err    error
	}
)

// forwardIntent does what screens want of forwards.
func (m *model) forwardIntent(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case screen.OpenForward:
		return m.openForward(msg.Row), true
	case screen.OpenForwards:
		return m.openForwards(nil), true
	case screen.StartForward:
		return m.startForward(msg), true
	case screen.StopForward:
		return m.stopForwards(func(id uint64) bool { return id == msg.ID }), true
	case forwardBegun:
		return m.forwardBegun(msg), true
	case forwardTold:
		return m.forwardTold(msg), true
	}
	return nil, false
}

// openForward asks where to lead, and then for the local port; where there is one server alone, only for the port.
func (m *model) openForward(row *kube.Row) tea.Cmd {
	ref := row.Ref().Key()
	if row.Replicas == 1 {
		return m.openForwards(&screen.StartForward{Ref: ref})
	}
	return m.choose(screen.Choose{
		Title: "Port-forward to " + ref.String(), Of: ref, Empty: "there is no server now",
		First: []screen.Item{{Text: "the primary", Detail: "follows it after a failover"}},
		Done: func(chosen []screen.Item) screen.Effect {
			return m.openForwards(&screen.StartForward{Ref: ref, Node: chosen[0].Key})
		},
	})
}

// openForwards shows them, and asks for the local port of a new one that is wished.
func (m *model) openForwards(wish *screen.StartForward) tea.Cmd {
	var closing tea.Cmd
	if _, shown := m.top().screen.(*forwards.Model); shown {
		closing = m.pop(0)
	}
	_, cmd := m.push(func(id screen.ID) screen.Screen { return forwards.New(m.env, id, m.forwards.told(), wish) })
	return tea.Batch(closing, cmd)
}

func (m *model) startForward(wish screen.StartForward) tea.Cmd {
	f, epoch := m.backend.visitor, m.epoch
	return m.do(func(ctx context.Context) tea.Msg {
		begun, err := f.Forward(ctx, wish.Ref, kube.ForwardOptions{Node: wish.Node, Local: wish.Local})
		return forwardBegun{epoch, wish, begun, err}
	})
}

func (m *model) forwardBegun(msg forwardBegun) tea.Cmd {
	switch {
	case msg.err != nil:
		refused := screen.ForwardRefused{To: msg.wish.From, Wish: msg.wish, Problem: problemOf(msg.err)}
		m.flash = screen.Flash{Text: refused.Problem.Error(), IsError: true}
		return m.broadcast(refused)
	case msg.epoch != m.epoch:
		return closeForward(msg.forward)
	}
	m.forwards.lastID++
	r := forwarding{screen.Forward{ID: m.forwards.lastID, Status: msg.forward.Status()}, msg.forward}
	m.forwards.list = append(m.forwards.list, r)
	m.flash = screen.Flash{Text: r.Status.Local + " leads to " + msg.wish.Ref.String()}
	return tea.Batch(m.tellForwards(), m.nextOfForward(r))
}

func (m *model) nextOfForward(r forwarding) tea.Cmd {
	return m.do(func(ctx context.Context) tea.Msg {
		status, err := r.forward.Next(ctx)
		return forwardTold{r.ID, status, err}
	})
}

// forwardTold keeps how one fares. One that was stopped is not there any more, and its last word nobody's.
func (m *model) forwardTold(msg forwardTold) tea.Cmd {
	i := slices.IndexFunc(m.forwards.list, func(r forwarding) bool { return r.ID == msg.id })
	if i < 0 {
		return nil
	}
	r := &m.forwards.list[i]
	r.Status = msg.status
	if msg.err != nil {
		r.End = problemOf(msg.err)
		return m.tellForwards()
	}
	return tea.Batch(m.tellForwards(), m.nextOfForward(*r))
}

// stopForwards ends those that are meant, and takes them off the list.
func (m *model) stopForwards(which func(id uint64) bool) tea.Cmd {
	var cmds []tea.Cmd
	m.forwards.list = slices.DeleteFunc(m.forwards.list, func(r forwarding) bool {
		if !which(r.ID) {
			return false
		}
		cmds = append(cmds, closeForward(r.forward))
		return true
	})
	return tea.Batch(append(cmds, m.tellForwards())...)
}

func closeForward(f forward) tea.Cmd {
	return func() tea.Msg { f.Close(); return nil }
}

// tellEnded says which forwards have ended with the dashboard: who used one wonders otherwise.
func tellEnded(w io.Writer, list []screen.Forward) {
	for _, f := range list {
		if f.End == nil {
			_, _ = fmt.Fprintln(w, "valkeyctl: the port-forward "+f.Status.Local+" to "+f.Status.Ref.String()+" has ended") // there is nobody to tell where that fails
		}
	}
}

func (m *model) tellForwards() tea.Cmd { return m.broadcast(screen.Forwards{List: m.forwards.told()}) }

func (r *forwardings) told() []screen.Forward {
	list := make([]screen.Forward, len(r.list))
	for i := range r.list {
		list[i] = r.list[i].Forward
	}
	return list
}
