package tui

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// frame is the least time between two pictures.
const frame = time.Second / 60

// painter is the dashboard for those who see it. It draws when something has changed, and then only the lines that are other
// than before. bubbletea's own renderer looks for a new picture many times a second: on a machine at rest that is nearly all that
// the dashboard costs, and a key waits for the next look.
type painter struct {
	m     *model
	out   voice
	mouse bool

	away    bool     // somebody else has the terminal
	lines   []string // what the terminal shows; nil where that is not known
	painted time.Time
	waiting bool
}

func newPainter(m *model, out voice, mouse bool) *painter {
	return &painter{m: m, out: out, mouse: mouse, away: true}
}

// paintNow is the time of a picture that had to wait.
type paintNow struct{}

// redraw asks for the whole picture anew.
type redraw struct{}

// Init is for tea.Model.
func (p *painter) Init() tea.Cmd {
	cmd := p.m.Init()
	p.paint()
	return cmd
}

// Update is for tea.Model.
func (p *painter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg.(type) {
	case paintNow:
		p.waiting, p.painted = false, time.Time{}
	case redraw, tea.WindowSizeMsg:
		p.lines = nil
		_, cmd = p.m.Update(msg)
	default:
		_, cmd = p.m.Update(msg)
	}
	wait := frame - p.m.now().Sub(p.painted)
	switch {
	case p.away || p.waiting:
	case wait > 0:
		p.waiting = true
		cmd = tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return paintNow{} }))
	default:
		p.paint()
	}
	return p, cmd
}

// View is for tea.Model. The picture does not go through bubbletea.
func (p *painter) View() string { return "" }

// paint draws what is other than before.
func (p *painter) paint() {
	view := p.m.View()
	if view == "" {
		return // at the end, or before its size is known
	}
	p.painted = p.m.now()
	var b strings.Builder
	lines := strings.Split(view, "\n")
	for y, line := range lines {
		if y < len(p.lines) && p.lines[y] == line {
			continue
		}
		b.WriteString(ansi.CursorPosition(1, y+1))
		switch width := ansi.StringWidth(line); {
		case width > p.m.width: // it would run into the next line
			b.WriteString(ansi.Truncate(line, p.m.width, ""))
		case width < p.m.width:
			b.WriteString(line + ansi.EraseLineRight)
		default:
			b.WriteString(line)
		}
	}
	shown := len(p.lines)
	if p.lines == nil {
		shown = p.m.height
	}
	for y := len(lines); y < shown; y++ {
		b.WriteString(ansi.CursorPosition(1, y+1) + ansi.EraseEntireLine)
	}
	p.lines = lines
	if b.Len() > 0 {
		_, _ = p.out.Write([]byte(b.String())) // a terminal that is gone says so by SIGHUP
	}
}

// enter takes the terminal.
func (p *painter) enter() error {
	if err := p.out.raw(); err != nil {
		return err
	}
	modes := ansi.SetModeAltScreenSaveCursor + ansi.SetModeBracketedPaste + ansi.HideCursor
	if p.mouse {
		modes += ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr
	}
	_, _ = p.out.Write([]byte(modes))
	p.lines, p.away = nil, false
	return nil
}

// leave gives the terminal back as it was.
func (p *painter) leave() {
	if !p.away {
		p.away = true
		_, _ = p.out.Write([]byte(usualModes))
		p.out.cooked()
	}
}

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

// process is another program, as tea.ExecProcess runs it.
type process struct{ *exec.Cmd }

// SetStdin is for tea.ExecCommand.
func (p process) SetStdin(in io.Reader) { p.Stdin = in }

// SetStdout is for tea.ExecCommand.
func (p process) SetStdout(out io.Writer) { p.Stdout = out }

// SetStderr is for tea.ExecCommand.
func (p process) SetStderr(out io.Writer) { p.Stderr = out }

// runProcess lends the terminal to another program.
func (m *model) runProcess(cmd *exec.Cmd, then tea.ExecCallback) tea.Cmd {
	return m.lend(process{cmd}, then)
}

// suspension stops the program until the shell continues it.
type suspension struct{}

// SetStdin is for tea.ExecCommand.
func (suspension) SetStdin(io.Reader) {}

// SetStdout is for tea.ExecCommand.
func (suspension) SetStdout(io.Writer) {}

// SetStderr is for tea.ExecCommand.
func (suspension) SetStderr(io.Writer) {}

// Run is for tea.ExecCommand.
func (suspension) Run() error {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil { // the whole group, as the terminal would
		return err
	}
	<-continued
	return nil
}

// lend runs a command on the terminal in place of the dashboard, and then what becomes of it.
func (m *model) lend(cmd tea.ExecCommand, then tea.ExecCallback) tea.Cmd {
	if m.stage != nil {
		cmd = lent{cmd, m.stage}
	}
	return tea.Exec(cmd, then)
}

// size is the size of the terminal.
func (t *terminal) size() (tea.WindowSizeMsg, error) {
	width, height, err := term.GetSize(fd(t.out))
	return tea.WindowSizeMsg{Width: width, Height: height}, err
}

// watchSize tells of each change of the terminal's size. The returned function ends the watch.
func (t *terminal) watchSize(tell func(tea.Msg)) (stop func()) {
	changes, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(changes, syscall.SIGWINCH)
	go func() {
		for {
			select {
			case <-done:
				return
			case <-changes:
				if size, err := t.size(); err == nil {
					tell(size)
				}
			}
		}
	}()
	return func() {
		signal.Stop(changes)
		close(done)
	}
}
