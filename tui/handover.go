package tui

import (
	"context"
	"errors"
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/console"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
)

// sitter sits down at a server: with Valkey commands, or in a shell.
type sitter interface {
	Sit(ctx context.Context, ref kube.Ref, node string) (console.Session, error)
	Shell(ctx context.Context, ref kube.Ref, node string, in io.Reader, out io.Writer, sizes <-chan kube.Size) error
}

// Sit is for sitter.
func (v clientVisitor) Sit(ctx context.Context, ref kube.Ref, node string) (console.Session, error) {
	return v.OpenSession(ctx, ref, node, console.Limits)
}

// handover is work that has the whole terminal, in place of the dashboard. It implements tea.ExecCommand.
type handover struct {
	title string // said first, where there is one
	work  func(in *os.File, out io.Writer) error
	in    io.Reader
	out   io.Writer
}

// SetStdin is for tea.ExecCommand.
func (h *handover) SetStdin(in io.Reader) { h.in = in }

// SetStdout is for tea.ExecCommand.
func (h *handover) SetStdout(out io.Writer) { h.out = out }

// SetStderr is for tea.ExecCommand.
func (h *handover) SetStderr(io.Writer) {}

// Run is for tea.ExecCommand.
func (h *handover) Run() error {
	in, isFile := h.in.(*os.File)
	if !isFile {
		return errors.New("there is no terminal to hand over")
	}
	if h.title != "" {
		if _, err := io.WriteString(h.out, h.title+"\r\n"); err != nil {
			return err
		}
	}
	return h.work(in, h.out)
}

// handedBack says that the dashboard has the terminal again.
type handedBack struct{ err error }

func (m *model) handedBack(msg handedBack) {
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		m.flash = screen.Flash{Text: problemOf(msg.err).Error(), IsError: true}
	}
}

// handOver gives the terminal to work until that ends.
func (m *model) handOver(title string, work func(ctx context.Context, in *os.File, out io.Writer) error) tea.Cmd {
	return m.do(func(ctx context.Context) tea.Msg {
		h := &handover{title: title, work: func(in *os.File, out io.Writer) error { return work(ctx, in, out) }}
		return m.lend(h, func(err error) tea.Msg { return handedBack{err} })()
	})
}

// openShell asks in which server's container, and runs a shell there.
func (m *model) openShell(row *kube.Row) tea.Cmd {
	s, ref := m.backend.visitor, row.Ref().Key()
	return m.atServer(row, "Shell in a server of "+ref.String(), func(node string) tea.Cmd {
		return m.handOver("A shell in "+ref.String()+" "+node+"; exit leaves it", func(ctx context.Context, in *os.File, out io.Writer) error {
			return console.OnTerminal(ctx, in, func(keys io.Reader, sizes <-chan kube.Size) error {
				return s.Shell(ctx, ref, node, keys, out, sizes)
			})
		})
	})
}

// atServer does something at a server that is chosen; where there is one alone, nobody is asked.
func (m *model) atServer(row *kube.Row, title string, do func(node string) tea.Cmd) tea.Cmd {
	if row.Replicas == 1 {
		v := v1alpha1.Valkey{}
		v.Name = row.Name
		return do(v.NodeName(0))
	}
	return m.choose(screen.Choose{
		Title: title, Of: row.Ref().Key(), Empty: "there is no server now",
		Done: func(chosen []screen.Item) screen.Effect { return do(chosen[0].Key) },
	})
}
