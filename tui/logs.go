package tui

import (
	"context"
	"errors"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/logs"
)

// logFeed is the log that is read for a screen. A screen may have it read anew, with other wishes: what the stream before still
// sends is dropped by its generation.
type logFeed struct {
	generation uint64
	stream     liner // nil until it is open
}

func (f *logFeed) close() {
	if f.stream != nil {
		f.stream.Close()
	}
}

// logOpened is a log that was opened for a screen, logRead what was read from it.
type (
	logOpened struct {
		to         screen.ID
		generation uint64
		stream     liner
		err        error
	}
	logRead struct {
		to         screen.ID
		generation uint64
		lines      []kube.Line
		err        error
	}
)

// openLogs shows a log.
func (m *model) openLogs(msg screen.OpenLogs) tea.Cmd {
	subject := logs.Subject{Nodes: msg.Nodes, Operator: msg.Operator}
	if msg.Row != nil {
		subject.Ref = msg.Row.Ref().Key()
	}
	var page *logs.Model
	_, cmd := m.push(func(id screen.ID) screen.Screen {
		page = logs.New(m.env, id, subject)
		return page
	})
	return tea.Batch(cmd, m.apply(page.Init()))
}

// readLog begins to read for a screen. The stream before is closed first.
func (m *model) readLog(msg screen.ReadLog) tea.Cmd {
	feed := m.logs[msg.From]
	if feed == nil {
		feed = &logFeed{}
		m.logs[msg.From] = feed
	}
	old := feed.stream
	feed.stream = nil
	feed.generation++
	to, generation, w, l := msg.From, feed.generation, m.backend.watcher, m.backend.visitor
	return m.do(func(ctx context.Context) tea.Msg {
		if old != nil {
			old.Close()
		}
		if !msg.Operator {
			return logOpened{to: to, generation: generation, stream: w.Logs(ctx, msg.Ref, msg.Options)}
		}
		stream, err := l.OperatorLogs(ctx, msg.Options)
		return logOpened{to: to, generation: generation, stream: stream, err: err}
	})
}

func (m *model) logMessage(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case logOpened:
		switch feed := m.logs[msg.to]; {
		case msg.err != nil:
			return m.logMessage(logRead{to: msg.to, generation: msg.generation, err: msg.err})
		case !m.has(msg.to) || feed == nil || feed.generation != msg.generation:
			return func() tea.Msg { msg.stream.Close(); return nil }
		default:
			feed.stream = msg.stream
			return m.nextLines(msg.to)
		}
	case logRead:
		if feed := m.logs[msg.to]; feed == nil || feed.generation != msg.generation {
			return nil
		}
		lines := screen.LogLines{To: msg.to, Lines: msg.lines}
		if msg.err != nil {
			lines.End = true
			if !errors.Is(msg.err, io.EOF) && !errors.Is(msg.err, kube.ErrClosed) {
				lines.Problem = problemOf(msg.err)
			}
			return m.broadcast(lines)
		}
		return tea.Batch(m.broadcast(lines), m.nextLines(msg.to))
	}
	return nil
}

func (m *model) nextLines(to screen.ID) tea.Cmd {
	feed := *m.logs[to]
	return m.do(func(ctx context.Context) tea.Msg {
		lines, err := feed.stream.Next(ctx)
		return logRead{to: to, generation: feed.generation, lines: lines, err: err}
	})
}

// closeLog ends the log of a screen that is gone, if it had one.
func (m *model) closeLog(id screen.ID) tea.Cmd {
	feed, found := m.logs[id]
	if !found {
		return nil
	}
	delete(m.logs, id)
	return func() tea.Msg { feed.close(); return nil }
}
