package tui

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// program is the dashboard as a process on a terminal of its own, with an emulator that shows what is on the screen.
type program struct {
	t      testing.TB
	cmd    *exec.Cmd
	ptmx   *os.File
	screen *vt.SafeEmulator

	mu    sync.Mutex
	raw   bytes.Buffer
	alt   bool
	shown bool // the cursor
	title string

	changed chan struct{}
	ended   chan error
}

// startScene runs the dashboard on a fake cluster (child_test.go).
func startScene(t testing.TB, scene string, width, height int, env ...string) *program {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	return start(t, cmd, width, height, append([]string{childEnv + "=" + scene}, env...)...)
}

// start runs a command on a new terminal.
func start(t testing.TB, cmd *exec.Cmd, width, height int, env ...string) *program {
	t.Helper()
	p := &program{t: t, cmd: cmd, screen: vt.NewSafeEmulator(width, height), changed: make(chan struct{}, 1), ended: make(chan error, 1), shown: true}
	p.screen.SetCallbacks(vt.Callbacks{
		AltScreen:        func(on bool) { p.mu.Lock(); p.alt = on; p.mu.Unlock() },
		CursorVisibility: func(on bool) { p.mu.Lock(); p.shown = on; p.mu.Unlock() },
		Title:            func(s string) { p.mu.Lock(); p.title = s; p.mu.Unlock() },
	})
	cmd.Env = append([]string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, env...)
	ptmx, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)})
	if err != nil {
		t.Fatalf("start on a terminal: %v", err)
	}
	p.ptmx = ptmx
	var running sync.WaitGroup
	running.Go(p.read)
	running.Go(func() { _, _ = io.Copy(ptmx, p.screen) }) // answers to what the program asks the terminal
	go func() { p.ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = ptmx.Close()
		_ = p.screen.Close()
		running.Wait()
	})
	return p
}

func (p *program) read() {
	buf := make([]byte, 32<<10)
	for {
		n, err := p.ptmx.Read(buf)
		if n > 0 {
			_, _ = p.screen.Write(buf[:n])
			p.mu.Lock()
			p.raw.Write(buf[:n])
			p.mu.Unlock()
			select {
			case p.changed <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// bytes are all that the program has written.
func (p *program) bytes() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.raw.String()
}

func (p *program) isAlt() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.alt
}

func (p *program) hasCursor() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown
}

// plain is the screen without colours.
func (p *program) plain() string { return p.screen.String() }

func (p *program) until(what string, wanted func() bool) {
	p.t.Helper()
	if !p.waits(patienceInTests, wanted) {
		p.t.Fatalf("waited in vain: %s; the screen is\n%s", what, p.plain())
	}
}

// waits says whether something comes true within a time.
func (p *program) waits(patience time.Duration, holds func() bool) bool {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	// Not everything that is waited for changes the screen.
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for !holds() {
		select {
		case <-p.changed:
		case <-look.C:
		case <-deadline.C:
			return false
		}
	}
	return true
}

func (p *program) sees(text string) {
	p.t.Helper()
	p.until("the screen holds "+text, func() bool { return strings.Contains(p.plain(), text) })
}

func (p *program) misses(text string) {
	p.t.Helper()
	p.until("the screen no longer holds "+text, func() bool { return !strings.Contains(p.plain(), text) })
}

// types writes bytes as a keyboard does.
func (p *program) types(keys string) {
	p.t.Helper()
	if _, err := p.ptmx.WriteString(keys); err != nil {
		p.t.Fatalf("type %q: %v", keys, err)
	}
}

func (p *program) resize(width, height int) {
	p.t.Helper()
	p.screen.Resize(width, height)
	if err := pty.Setsize(p.ptmx, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		p.t.Fatal(err)
	}
}

// isWhole says that the list fills the screen, from the header to the hints.
func (p *program) isWhole() bool {
	lines := strings.Split(p.plain(), "\n")
	return strings.Contains(lines[0], "valkey") && strings.Contains(lines[len(lines)-1], "quit")
}

// exits waits for the end of the process and returns its exit code.
func (p *program) exits() int {
	p.t.Helper()
	select {
	case err := <-p.ended:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode()
		}
		if err != nil {
			p.t.Fatalf("wait: %v", err)
		}
		return 0
	case <-time.After(patienceInTests):
		p.t.Fatalf("the program does not end; the screen is\n%s", p.plain())
		return -1
	}
}

// checkRestored fails where the terminal is not as it was before the program.
func (p *program) checkRestored() {
	p.t.Helper()
	p.until("the other screen is left", func() bool { return !p.isAlt() })
	p.until("the cursor is shown", p.hasCursor)
	p.until("bracketed paste is off", func() bool {
		return strings.LastIndex(p.bytes(), "\x1b[?2004h") <= strings.LastIndex(p.bytes(), "\x1b[?2004l")
	})
	if raw := p.modes(); raw {
		p.t.Error("the terminal is left raw: what one types is not seen")
	}
}
