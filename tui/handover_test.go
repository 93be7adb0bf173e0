package tui

import (
	"strings"
	"testing"
)

// The terminal is handed over to a shell, with every key, and is the dashboard's again after it.
func TestShellHasTheTerminal(t *testing.T) {
	p := startScene(t, "lines", 100, 30)
	p.sees("sessions")
	p.types("x")
	p.sees("Shell in a server of default/cache")
	p.sees("cache-node-2")
	p.types("3")
	p.sees("SHELL 100x30")
	p.types("j\x03\x1a")
	p.sees(`<"j"><"\x03"><"\x1a">`)
	p.types("q")
	p.until("the dashboard has the terminal again", func() bool { return p.isAlt() && strings.Contains(p.plain(), "sessions") })
	p.types("j")
	p.until("keys are the dashboard's", func() bool { return strings.Contains(p.plain(), "▌  jobs") })
	p.types("gv")
	p.sees("cache-node-2")
	p.types("2")
	p.sees("connected")
	p.types("BLPOP k 0\r")
	p.sees("it runs")
	p.types("\x03")
	p.sees("the connection is made anew")
	p.types("PING\r")
	p.sees("PONG")
	p.types("\x1b")
	p.until("the list is there again", func() bool { return !strings.Contains(p.plain(), "PONG") })
	p.types("q")
	if code := p.exits(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.checkRestored()
}
