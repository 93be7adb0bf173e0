package tui

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

// guard keeps a panic in the model or in one of its commands from reaching bubbletea, which would print a stack trace over the
// screen. It notes the panic, ends the program in order, and leaves the trace to the log.
type guard struct {
	inner  tea.Model
	log    *slog.Logger
	failed error
}

// panicked is a panic in a command, as a message.
type panicked struct{ err error }

// Init is for tea.Model.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.catch(&cmd)
	return g.wrap(g.inner.Init())
}

// Update is for tea.Model.
func (g *guard) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer g.catch(&cmd)
	if p, isPanic := msg.(panicked); isPanic {
		g.failed = p.err
		return g, tea.Quit
	}
	if g.failed != nil {
		return g, tea.Quit
	}
	g.inner, cmd = g.inner.Update(msg)
	return g, g.wrap(cmd)
}

// View is for tea.Model. It cannot end the program: the next Update does.
func (g *guard) View() (view string) {
	defer func() {
		if r := recover(); r != nil {
			g.failed = g.note(r)
			view = "an internal error: press a key"
		}
	}()
	if g.failed != nil {
		return ""
	}
	return g.inner.View()
}

func (g *guard) catch(cmd *tea.Cmd) {
	if r := recover(); r != nil {
		g.failed = g.note(r)
		*cmd = tea.Quit
	}
}

func (g *guard) note(r any) error {
	g.log.Error("panic", "value", fmt.Sprint(r), "stack", string(debug.Stack()))
	return fmt.Errorf("an internal error ended the dashboard: %v", r)
}

// wrap catches panics of a command and of those that it batches.
func (g *guard) wrap(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = panicked{g.note(r)}
			}
		}()
		msg = cmd()
		if batch, isBatch := msg.(tea.BatchMsg); isBatch {
			for i := range batch {
				batch[i] = g.wrap(batch[i])
			}
		}
		return msg
	}
}
