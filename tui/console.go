package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/console"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/resp"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/commands"
)

const (
	// answerGap is the least time between two messages of answers that stream, and answersAtOnce the most that one brings: what a server sends
	// faster waits at the server.
	answerGap     = 100 * time.Millisecond
	answersAtOnce = 500
)

// seat is the connection of a console to a server.
type seat struct {
	session console.Session
	run     uint64 // of the command that was given last; what earlier ones still send is dropped
	stop    context.CancelFunc
	stopped bool
}

// Messages of seats.
type (
	seatTaken struct {
		sit      screen.Sit
		session  console.Session
		commands resp.Commands
		err      error
	}
	seatAnswered struct {
		to      screen.ID
		run     uint64
		values  []resp.Value
		end     bool
		err     error
		pending <-chan arrival
	}
)

// arrival is what comes of a command; with end the last of it.
type arrival struct {
	value resp.Value
	end   bool
	err   error
}

// seatIntent does what consoles want.
func (m *model) seatIntent(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case screen.OpenConsole:
		return m.openConsole(msg.Row), true
	case screen.Sit:
		return m.sit(msg), true
	case screen.Give:
		return m.give(msg), true
	case screen.StopCommand:
		m.stopCommand(msg.From)
		return nil, true
	case seatTaken:
		return m.seatTaken(msg), true
	case seatAnswered:
		return m.seatAnswered(msg), true
	}
	return nil, false
}

// openConsole asks at which server, and sits down there.
func (m *model) openConsole(row *kube.Row) tea.Cmd {
	ref := row.Ref().Key()
	return m.atServer(row, "Console of "+ref.String(), func(node string) tea.Cmd {
		var page *commands.Model
		_, cmd := m.push(func(id screen.ID) screen.Screen {
			page = commands.New(m.env, id, ref, node)
			return page
		})
		return tea.Batch(cmd, m.apply(page.Init()))
	})
}

// sit connects. The connection before is closed first.
func (m *model) sit(msg screen.Sit) tea.Cmd {
	s := m.backend.visitor
	return tea.Batch(m.endSeat(msg.From), m.bound(msg.From, func(ctx context.Context) tea.Msg {
		taken := seatTaken{sit: msg}
		if taken.session, taken.err = s.Sit(ctx, msg.Ref, msg.Node); taken.err != nil {
			return taken
		}
		if taken.commands, taken.err = taken.session.Commands(ctx); taken.err != nil {
			// What it would still answer belongs to nothing.
			taken.session.Close()
			taken.commands = nil
			taken.session, taken.err = s.Sit(ctx, msg.Ref, msg.Node)
		}
		return taken
	}))
}

func (m *model) seatTaken(msg seatTaken) tea.Cmd {
	to := msg.sit.From
	if msg.err != nil {
		return m.broadcast(screen.Seated{To: to, Problem: problemOf(msg.err)})
	}
	if !m.has(to) {
		return func() tea.Msg { msg.session.Close(); return nil }
	}
	m.seats[to] = &seat{session: msg.session, stop: func() {}}
	node, role := msg.session.Where()
	return m.broadcast(screen.Seated{To: to, Node: node, Role: role, Commands: msg.commands})
}

// give has the server do a command. Beside it what comes is brought to the screen, as it comes.
func (m *model) give(msg screen.Give) tea.Cmd {
	s := m.seats[msg.From]
	if s == nil {
		return nil
	}
	s.run++
	s.stopped = false
	running, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	run, session, arrivals := s.run, s.session, make(chan arrival, answersAtOnce)
	do := m.bound(msg.From, func(life context.Context) tea.Msg {
		ctx, end := context.WithCancel(life)
		defer end()
		defer context.AfterFunc(running, end)()
		v, err := session.Do(ctx, msg.Words, func(v resp.Value) {
			select {
			case arrivals <- arrival{value: v}:
			case <-ctx.Done():
			}
		})
		select {
		case arrivals <- arrival{value: v, end: true, err: err}:
		case <-life.Done():
		}
		return nil
	})
	return tea.Batch(do, m.nextAnswers(msg.From, run, arrivals))
}

// nextAnswers waits for what comes next of a command, and takes what comes with it.
func (m *model) nextAnswers(to screen.ID, run uint64, arrivals <-chan arrival) tea.Cmd {
	return m.bound(to, func(ctx context.Context) tea.Msg {
		next := seatAnswered{to: to, run: run, pending: arrivals}
		timer := time.NewTimer(answerGap)
		defer timer.Stop()
		for len(next.values) < answersAtOnce && !next.end {
			over := timer.C
			if len(next.values) == 0 {
				over = nil
			}
			select {
			case a := <-arrivals:
				next.end, next.err = a.end, a.err
				if a.err == nil {
					next.values = append(next.values, a.value)
				}
			case <-over:
				return next
			case <-ctx.Done():
				return nil
			}
		}
		return next
	})
}

func (m *model) seatAnswered(msg seatAnswered) tea.Cmd {
	s := m.seats[msg.to]
	if s == nil || s.run != msg.run {
		return nil
	}
	answer := screen.Answer{To: msg.to, Values: msg.values, End: msg.end}
	if !msg.end {
		return tea.Batch(m.broadcast(answer), m.nextAnswers(msg.to, msg.run, msg.pending))
	}
	s.stop() // it has ended: nothing is left to stop
	if answer.Stopped = s.stopped && msg.err != nil; !answer.Stopped {
		answer.Problem = problemOf(msg.err)
	}
	return m.broadcast(answer)
}

// stopCommand ends what runs. Its last answer says that it was stopped, and then the screen connects anew.
func (m *model) stopCommand(id screen.ID) {
	if s := m.seats[id]; s != nil {
		s.stopped = true
		s.stop()
	}
}

// endSeat closes the connection of a screen, if it has one.
func (m *model) endSeat(id screen.ID) tea.Cmd {
	s := m.seats[id]
	if s == nil {
		return nil
	}
	delete(m.seats, id)
	s.stop()
	return func() tea.Msg { s.session.Close(); return nil }
}
