package tui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

const (
	escKey = "\x1b"
	ctrlD  = "\x04"
	ctrlR  = "\x12"
	ctrlS  = "\x13"
	ctrlZ  = "\x1a"
)

func TestProgramFromStartToEnd(t *testing.T) {
	p := startScene(t, "lines", 120, 40)
	p.sees("sessions")
	p.types("/")
	p.types("ses")
	p.sees("/ses 1 of 4")
	p.types("\r")
	p.types(escKey)
	p.sees("cache")
	p.types("gs")
	p.sees("Scale default/cache")
	p.types("1\r")
	p.sees("default/cache: 3 → 1 servers")
	p.types(ctrlD)
	p.sees("cache-node-0")
	p.types("cache\r")
	p.sees("its deletion has begun")
	p.misses(" cache ")
	p.types("l")
	p.sees("Logs  default/jobs")
	p.sees("日本語 ok [red]not markup[-]")
	p.types(escKey)
	p.sees("Valkeys")
	p.types("c")
	p.sees("Create a Valkey")
	p.types("new-one")
	p.types(ctrlS)
	p.sees("starts 1 server, alone")
	p.types("\r")
	p.sees("default/new-one is created")
	p.types("q")
	if code := p.exits(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.sees("quit in order")
	p.checkRestored()
}

// case 15 (dashboard): small sizes and a storm of resizes end in a right screen, never in a panic.
func TestStormOfResizes(t *testing.T) {
	p := startScene(t, "lines", 80, 24)
	p.sees("sessions")
	p.resize(40, 10)
	p.sees("too small")
	p.resize(1, 1)
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		p.resize(1+random.IntN(250), 1+random.IntN(80))
		p.types([]string{"j", "l", escKey, "?", escKey, "s", escKey, "c", escKey}[random.IntN(9)])
	}
	p.resize(100, 30)
	p.until("a whole screen of 100 columns", func() bool { return strings.Contains(p.plain(), strings.Repeat("─", 100)) })
	p.types("\x03")
	if code := p.exits(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.checkRestored()
}

// case 17 (dashboard): the start asks the terminal nothing, so that no answer can be late.
func TestStartAsksTheTerminalNothing(t *testing.T) {
	for _, env := range []string{"TERM=xterm-256color", "TERM=tmux-256color"} {
		p := startScene(t, "lines", 80, 24, env, "SSH_TTY=/dev/pts/0")
		p.sees("sessions")
		if q := regexp.MustCompile(`\x1b\]1[01];\?|\x1b\[[0-9;?>]*[nc]|\x1bP`).FindString(p.bytes()); q != "" {
			t.Errorf("%s: the start asks the terminal %q", env, q)
		}
		p.types("q")
		p.exits()
	}
}

// case 18 (dashboard): whatever ends the program leaves a terminal that one can work on.
func TestTerminalIsRestored(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP, "SIGINT": syscall.SIGINT} {
		t.Run("after "+name, func(t *testing.T) {
			p := startScene(t, "lines", 80, 24, "MOUSE=1")
			p.sees("sessions")
			if !p.modes() || !p.isAlt() {
				t.Fatal("the terminal is not in the program's hands")
			}
			if err := p.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if code := p.exits(); code != 143 {
				t.Errorf("exit code %d, want 143", code)
			}
			p.sees("terminated in order")
			p.checkRestored()
		})
	}
	t.Run("after a panic in a command", func(t *testing.T) {
		p := startScene(t, "panic", 100, 24)
		if code := p.exits(); code != 1 {
			t.Errorf("exit code %d, want 1", code)
		}
		p.sees("an internal error ended the dashboard: the version is a bomb")
		p.checkRestored()
		if strings.Contains(p.bytes(), "goroutine ") {
			t.Error("a stack trace is on the screen")
		}
	})
	t.Run("after a panic in a goroutine of the client", func(t *testing.T) {
		p := startScene(t, "crash", 100, 24)
		p.sees("sessions")
		p.types(ctrlR)
		if code := p.exits(); code == 0 {
			t.Error("exit code 0")
		}
		p.checkRestored()
		p.until("the panic is told in a line", func() bool {
			return strings.Contains(p.bytes(), "an internal error ended the dashboard: a goroutine is a bomb\r\n")
		})
	})
}

// case 19 (dashboard): without a terminal there is one clear line that names the verbs that work.
func TestNoTerminal(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=lines")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("it ends with 0")
	}
	if text := string(out); strings.Count(text, "\n") != 1 || !strings.Contains(text, "needs a terminal") || !strings.Contains(text, "get") {
		t.Errorf("it says %q", text)
	}
}

// case 20 (dashboard): ctrl-z goes to the shell and back, and the screen is whole again.
func TestSuspendAndResume(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c",
		`set -m; "$0"; while :; do echo IN-THE-SHELL; read x; fg; done`, os.Args[0])
	p := start(t, cmd, 80, 24, childEnv+"=lines", "MOUSE=1")
	p.sees("sessions")
	p.types("j")
	p.types(ctrlZ)
	p.sees("IN-THE-SHELL")
	p.checkRestored()
	p.types("\n")
	p.until("the screen is the dashboard's again", func() bool {
		return p.isAlt() && p.isWhole() && strings.Contains(p.plain(), "sessions") && !strings.Contains(p.plain(), "IN-THE-SHELL") && p.modes()
	})
	if strings.Count(p.bytes(), "\x1b[?1002h") < 2 {
		t.Error("the mouse is not taken again")
	}
	p.types("k")
	p.until("keys are taken", func() bool { return strings.Contains(p.plain(), "▌  cache") })
}

// case 21 (dashboard): a plain locale gets ASCII, NO_COLOR and a dumb terminal no colours, and all can be told apart.
func TestPlainTerminals(t *testing.T) {
	colour := regexp.MustCompile(`\x1b\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m`)
	for _, test := range []struct {
		env             []string
		ascii, noColour bool
	}{
		{[]string{"LANG=C", "LC_ALL="}, true, false},
		{[]string{"NO_COLOR=1"}, false, true},
		{[]string{"TERM=dumb", "COLORTERM="}, true, true},
		{[]string{"TERM=xterm", "COLORTERM="}, false, false},
	} {
		t.Run(strings.Join(test.env, " "), func(t *testing.T) {
			p := startScene(t, "lines", 120, 30, test.env...)
			p.sees("sessions")
			p.types("s")
			p.sees("Scale default/cache")
			if test.ascii {
				if r := regexp.MustCompile(`[^\x00-\x7f]`).FindString(p.plain()); r != "" {
					t.Errorf("%q is on the screen", r)
				}
			}
			if got := colour.FindString(p.bytes()); (got == "") != test.noColour {
				t.Errorf("colours: %q, want none: %v", got, test.noColour)
			}
			p.types(escKey)
			p.misses("Scale default/cache")
			signs := []string{"● running", "◐ in_progress", "✗ failed", "○ stopped"}
			if test.ascii {
				signs = []string{"+ running", "~ in_progress", "x failed", "- stopped"}
			}
			for _, sign := range signs {
				p.sees(sign)
			}
			p.types("c")
			p.sees("Create a Valkey")
			p.types("x")
			p.sees("Name        x")
			p.types("\x03")
			p.exits()
		})
	}
}

// case 9 (dashboard), the program: keys are answered while 50,000 lines come in a second.
func TestKeysDuringAFloodOfLogs(t *testing.T) {
	p := startScene(t, "flood", 120, 40)
	p.sees("sessions")
	p.types("l")
	p.sees("flood line")
	p.until("100,000 lines came", func() bool { return regexp.MustCompile(`\d{6} lines`).MatchString(p.plain()) })
	for i := range 5 {
		p.types("w")
		p.until("the key is answered", func() bool { return strings.Contains(p.plain(), "  cut  ") == (i%2 == 0) })
	}
	p.types(escKey)
	p.sees("sessions")
}

func TestTroubleOnTheWholeProgram(t *testing.T) {
	p := startScene(t, "stale", 80, 24)
	p.sees("sessions")
	p.types(ctrlR)
	p.sees("the credentials of the context dev have run out; log in again")
	p.sees("? running")
	p.types("j")
	p.until("the dashboard goes on", func() bool { return strings.Contains(p.plain(), "▌  jobs") })
}

// Ten thousand rows are there soon and are moved through.
func TestManyRows(t *testing.T) {
	p := startScene(t, "many", 200, 50)
	p.sees("10000 Valkeys")
	p.types("G")
	p.sees("▌  team-36")
	p.types("/app-0777")
	p.sees("10 of 10000")
	p.sees(fmt.Sprintf("app-%05d", 7777))
}
