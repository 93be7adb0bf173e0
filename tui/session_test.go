package tui

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

// patienceInTests is how long a test waits for something that has to happen.
const patienceInTests = time.Minute

// session drives a model without a terminal: it runs the commands and feeds their messages back, as bubbletea does.
type session struct {
	t    testing.TB
	m    *model
	fake *fake
	msgs chan tea.Msg
	ctx  context.Context //nolint:containedctx // a test's
}

func newSession(t testing.TB, f *fake, width, height int, depth theme.Depth) *session {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	look := theme.New(theme.Options{Dark: true, Depth: depth, Unicode: depth != theme.Mono})
	look.Apply()
	s := &session{t: t, fake: f, msgs: make(chan tea.Msg), ctx: ctx}
	do := func(work func(context.Context) tea.Msg) tea.Cmd {
		return func() tea.Msg { return work(ctx) }
	}
	s.m = newModel(screen.Env{Theme: look, Keys: keys.Default()}, f.backend(), slog.New(slog.NewTextHandler(io.Discard, nil)), do)
	s.m.now = func() time.Time { return fakeNow }
	s.m.forms.exec = runHere
	s.send(tea.WindowSizeMsg{Width: width, Height: height})
	s.run(s.m.Init())
	return s
}

// run runs a command beside the test.
func (s *session) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		if batch, isBatch := msg.(tea.BatchMsg); isBatch {
			for _, c := range batch {
				s.run(c)
			}
			return
		}
		select {
		case s.msgs <- msg:
		case <-s.ctx.Done():
		}
	}()
}

func (s *session) send(msg tea.Msg) {
	_, cmd := s.m.Update(msg)
	s.run(cmd)
}

// press presses keys by the names that bubbletea gives them.
func (s *session) press(names ...string) {
	for _, name := range names {
		s.send(keyOf(name))
	}
}

// write types a text.
func (s *session) write(text string) {
	for _, r := range text {
		s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

func keyOf(name string) tea.KeyMsg {
	if key, known := keys.Press(name); known {
		return key
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// text is what is on the screen, without colours.
func (s *session) text() string { return ansi.Strip(s.m.View()) }

// until feeds messages until the screen is as wanted.
func (s *session) until(what string, wanted func() bool) {
	s.t.Helper()
	timer := time.NewTimer(patienceInTests)
	defer timer.Stop()
	// Not everything that is waited for comes with a message.
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !wanted() {
		select {
		case <-look.C:
		case msg := <-s.msgs:
			s.send(msg)
		case <-timer.C:
			s.t.Fatalf("waited in vain: %s; the screen is\n%s", what, s.text())
		}
	}
}

// sees waits until the screen holds the text.
func (s *session) sees(text string) {
	s.t.Helper()
	s.until("the screen holds "+text, func() bool { return strings.Contains(s.text(), text) })
}

// misses waits until the screen does not hold the text.
func (s *session) misses(text string) {
	s.t.Helper()
	s.until("the screen no longer holds "+text, func() bool { return !strings.Contains(s.text(), text) })
}

// line is the line of the screen that holds the text.
func (s *session) line(text string) string {
	for _, l := range strings.Split(s.text(), "\n") {
		if strings.Contains(l, text) {
			return l
		}
	}
	return ""
}
