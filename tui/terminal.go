package tui

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// patience is how long the program has to end in order after a signal.
const patience = 3 * time.Second

// terminal remembers how the terminal was, so that it can be put back without bubbletea: in a panic of a goroutine that belongs to
// neither the model nor its commands, which ends the process.
type terminal struct {
	in, out *os.File
	state   *term.State
}

func openTerminal(in, out *os.File) (*terminal, error) {
	if in == nil {
		in = os.Stdin
	}
	if out == nil {
		out = os.Stdout
	}
	if !term.IsTerminal(fd(in)) || !term.IsTerminal(fd(out)) {
		return nil, ErrNoTerminal
	}
	state, err := term.GetState(fd(in))
	if err != nil {
		return nil, fmt.Errorf("read the state of the terminal: %w", err)
	}
	return &terminal{in: in, out: out, state: state}, nil
}

// raw makes every key come at once and unseen, as bubbletea does where it draws.
func (t *terminal) raw() error {
	if _, err := term.MakeRaw(fd(t.in)); err != nil {
		return fmt.Errorf("take the keyboard: %w", err)
	}
	return nil
}

// cooked undoes raw.
func (t *terminal) cooked() { _ = term.Restore(fd(t.in), t.state) }

// Write is for io.Writer.
func (t *terminal) Write(text []byte) (int, error) { return t.out.Write(text) }

func fd(f *os.File) int { return int(f.Fd()) }

// usualModes are the modes of a terminal without the dashboard.
const usualModes = ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseExtSgr + ansi.ResetModeBracketedPaste +
	ansi.ResetModeAltScreenSaveCursor + ansi.ShowCursor

// restore undoes what the dashboard does to a terminal.
func (t *terminal) restore() {
	_, _ = t.out.WriteString(usualModes)
	t.cooked()
}

// watchPanics puts the terminal back when a goroutine of client-go panics: it says so in one line before the process ends.
// The returned function ends the watch.
func (t *terminal) watchPanics() (stop func()) {
	before := utilruntime.PanicHandlers
	tell := func(_ context.Context, r any) {
		t.restore()
		_, _ = fmt.Fprintf(t.out, "an internal error ended the dashboard: %v\n", r)
	}
	utilruntime.PanicHandlers = append(slices.Clone(before), tell)
	return func() { utilruntime.PanicHandlers = before }
}

// watchSignals ends the program in order on a signal, and by force where it does not end. The returned function ends the watch and
// says whether there was a signal.
func watchSignals(p *tea.Program) (stop func() bool) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	done, ended := make(chan struct{}), make(chan bool, 1)
	go func() {
		select {
		case <-done:
			ended <- false
			return
		case <-signals:
		}
		go p.Quit() // blocks while an update does
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-done:
		case <-timer.C:
			p.Kill()
			<-done
		}
		ended <- true
	}()
	return func() bool {
		signal.Stop(signals)
		close(done)
		return <-ended
	}
}
