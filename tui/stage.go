package tui

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
)

// stage is the terminal while the dashboard has it.
type stage interface {
	enter() error
	leave()
}

// lent is a command that has the terminal of a stage while it runs.
type lent struct {
	tea.ExecCommand
	stage stage
}

// Run is for tea.ExecCommand.
func (l lent) Run() error {
	l.stage.leave()
	err := l.ExecCommand.Run()
	return errors.Join(err, l.stage.enter())
}

// lend runs work on the terminal in place of the dashboard, and then what becomes of it.
func (m *model) lend(h *handover, then tea.ExecCallback) tea.Cmd {
	if m.stage == nil {
		return tea.Exec(h, then)
	}
	return tea.Exec(lent{h, m.stage}, then)
}

// runProcess lends the terminal to another program.
func (m *model) runProcess(cmd *exec.Cmd, then tea.ExecCallback) tea.Cmd {
	return m.lend(&handover{work: func(in *os.File, out io.Writer) error {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, os.Stderr
		return cmd.Run()
	}}, then)
}

// suspend stops the program until the shell continues it.
func (m *model) suspend() tea.Cmd {
	return m.lend(&handover{work: func(*os.File, io.Writer) error {
		continued := make(chan os.Signal, 1)
		signal.Notify(continued, syscall.SIGCONT)
		defer signal.Stop(continued)
		if err := syscall.Kill(0, syscall.SIGTSTP); err != nil { // the whole group, as the terminal would
			return err
		}
		<-continued
		return nil
	}}, nil)
}
