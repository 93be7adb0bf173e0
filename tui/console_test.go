package tui

import (
	"maps"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

// seated opens the console at a server of cache: node 1 is the primary.
func seated(s *session, node string) {
	s.press("v")
	s.sees("Console of default/cache")
	s.sees("cache-node-2")
	s.press(node)
	s.sees("connected")
}

// give types a command and gives it.
func (s *session) give(line string) {
	s.write(line)
	s.press("enter")
}

func init() {
	maps.Copy(scenes, map[string]scene{
		"console": {cast(), func(s *session) {
			seated(s, "2")
			s.give("PING")
			s.sees("PONG")
			s.give("wrong")
			s.sees("(error)")
			s.write("SET k")
		}},
		"console-back": {cast(), func(s *session) {
			seated(s, "2")
			s.give("LRANGE k 0 -1")
			s.sees("element 100")
			s.press("pgup")
			s.sees("to the end")
		}},
		"console-asks": {cast(), func(s *session) { seated(s, "2"); s.give("FLUSHALL"); s.sees("yes or no?"); s.write("y") }},
	})
}

func TestConsoleGivesCommands(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 40, theme.TrueColor)
	s.sees("sessions")
	seated(s, "2")
	s.sees("cache-node-1 primary>")
	s.give("GET k")
	s.sees(`"reply to GET\x1b[2J"`)
	s.give(`GET "k`)
	s.sees("(error)")
	s.sees(`primary> GET "k`)
	s.press("esc")
	s.give("ACL SETUSER x >hunter2")
	s.sees("ACL SETUSER ***")
	s.sees("yes or no?")
	s.press("enter")
	s.sees("not done")
	if strings.Contains(s.text(), "hunter2") {
		t.Errorf("a password is shown:\n%s", s.text())
	}
	s.press("up")
	s.sees("primary> GET k")
	s.press("down")
	s.give("clear")
	s.misses("reply to GET")
	if got, want := s.fake.did(), []string{"cache-node-1: GET k"}; !slices.Equal(got, want) {
		t.Errorf("it did %q", got)
	}
	s.give("quit")
	s.misses("Console")
	s.until("the connection is closed", func() bool { return s.fake.openSessions() == 0 })
}

// The answers are looked through, and the next command leads to their end.
func TestConsoleScrolls(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	seated(s, "2")
	s.give("LRANGE k 0 -1")
	s.sees("element 100")
	s.press("pgup")
	s.misses("element 100")
	s.sees("ctrl-end to the end")
	s.press("ctrl+home")
	s.sees("LRANGE k 0 -1")
	s.press("ctrl+end")
	s.sees("element 100")
	s.send(tea.MouseMsg{X: 10, Y: 10, Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
	s.misses("element 100")
	s.give("PING")
	s.sees("PONG")
	s.sees("element 100")
}

func TestConsoleHintsAndCompletes(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	seated(s, "2")
	s.write("se")
	s.press("tab")
	s.sees("SET key value [NX] [GET]")
	s.write("k v")
	s.sees("primary> SET k v")
	s.sees("SET key value [NX] [GET]  Sets the string value of a key")
	s.press("esc")
	s.misses("SET key value")
	s.write("ge")
	s.press("tab")
	s.sees("GET  GETDEL")
	s.write(" ")
	s.sees("GET key  Returns")
}

func TestConsoleStopsWhatNeverEnds(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	seated(s, "2")
	s.give("SUBSCRIBE news")
	s.sees("news 3")
	s.sees("it runs")
	s.write("PING")
	s.press("enter") // it waits
	s.press("ctrl+c")
	s.sees("stopped; the connection is made anew")
	s.sees("connected")
	s.press("enter")
	s.sees("PONG")
	if got, want := s.fake.did(), []string{"cache-node-1: SUBSCRIBE news", "cache-node-1: PING"}; !slices.Equal(got, want) {
		t.Errorf("it did %q", got)
	}
	s.press("ctrl+c")
	s.misses("Console")
	if s.m.quitting {
		t.Error("the key that stops a command ends the dashboard")
	}
	s.press("ctrl+c")
	if !s.m.quitting {
		t.Error("ctrl-c does not end the dashboard any more")
	}
}

// A connection that breaks is made again; where it cannot, the line is kept and enter tries again.
func TestConsoleConnectsAgain(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	seated(s, "2")
	s.give("DIE")
	s.sees("closed the connection")
	s.sees("connected")
	s.fake.noSession = &kube.Problem{Class: kube.ClassUnreachable, Message: "nobody answers"}
	s.give("DIE")
	s.sees("nobody answers")
	s.sees("not connected, enter tries again")
	s.write("PING")
	s.fake.set(func() { s.fake.noSession = nil })
	s.press("enter")
	s.sees(" connected")
	s.sees("primary> PING")
	s.press("enter")
	s.sees("PONG")
}

func TestConsoleAsks(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 40, theme.TrueColor)
	s.sees("sessions")
	seated(s, "1")
	s.give("SET k v")
	s.sees("cache-node-0 is a replica")
	s.press("esc")
	s.sees("not done")
	s.give("FLUSHALL")
	s.sees("FLUSHALL is dangerous. Do it on cache-node-0?")
	s.give("y")
	s.sees("reply to FLUSHALL")
	if got, want := s.fake.did(), []string{"cache-node-0: FLUSHALL"}; !slices.Equal(got, want) {
		t.Errorf("it did %q", got)
	}
	s.press("f1")
	s.sees("stop the command that runs")
}

// A server that does not tell its commands is asked over a new connection, and with more care.
func TestConsoleWithoutCommandsAsksMore(t *testing.T) {
	f := newFake(cast()...)
	f.noCommands = true
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	seated(s, "2")
	s.sees("the server does not tell its commands")
	s.give("SET k v")
	s.sees("what SET does is not known")
	s.press("esc", "esc")
	s.misses("Console")
	s.until("both connections are closed", func() bool { return f.openSessions() == 0 })
}

// Read-only opens the console, and refuses there what changes anything, saying why.
func TestReadOnlyConsole(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 40, theme.TrueColor)
	s.readOnly()
	seated(s, "2")
	s.sees("only what changes nothing")
	s.give("GET k")
	s.sees("reply to GET")
	for line, why := range map[string]string{
		"SET k v": "SET writes", "FLUSHALL": "FLUSHALL is dangerous", "UNHEARD of": "what UNHEARD does is not known", "ACL LIST": "ACL LIST is dangerous",
	} {
		s.give(line)
		s.sees("(error) read-only: " + why + ", and nothing can be changed")
	}
	if got, want := s.fake.did(), []string{"cache-node-1: GET k"}; !slices.Equal(got, want) {
		t.Errorf("it did %q", got)
	}
}
