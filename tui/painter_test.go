package tui

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"kuberly.io/valkey-operator/tui/theme"
)

// easel is a terminal that a painter draws on.
type easel struct {
	t       *testing.T
	s       *session
	painter *painter
	screen  *vt.Emulator
	drawn   bytes.Buffer // since it was last looked at
}

func (e *easel) Write(text []byte) (int, error) {
	e.drawn.Write(text)
	return e.screen.Write(text)
}

func (e *easel) raw() error { return nil }
func (e *easel) cooked()    {}

func newEasel(t *testing.T) *easel {
	t.Helper()
	const width, height = 120, 40
	e := &easel{t: t, s: newSession(t, newFake(cast()...), width, height, theme.TrueColor), screen: vt.NewEmulator(width, height)}
	t.Cleanup(func() { _ = e.screen.Close() })
	e.s.sees("sessions")
	e.painter = newPainter(e.s.m, e, false)
	if err := e.painter.enter(); err != nil {
		t.Fatal(err)
	}
	e.paint("at first")
	return e
}

// paint lets the painter draw, and fails where the terminal then shows anything but the view. It returns what was drawn for it.
func (e *easel) paint(when string) string {
	e.t.Helper()
	e.drawn.Reset()
	e.painter.paint()
	for y, line := range strings.Split(ansi.Strip(e.s.m.View()), "\n") {
		var shown strings.Builder
		for x := range e.screen.Width() {
			if cell := e.screen.CellAt(x, y); cell != nil {
				shown.WriteString(cell.Content)
			}
		}
		if got, want := strings.TrimRight(shown.String(), " "), strings.TrimRight(line, " "); got != want {
			e.t.Fatalf("%s line %d of the terminal is %q, want %q", when, y, got, want)
		}
	}
	return e.drawn.String()
}

var place = regexp.MustCompile("\x1b\\[[0-9;]*H")

// places counts where on the terminal something is drawn.
func places(drawn string) int { return len(place.FindAllString(drawn, -1)) }

// A second in which nothing that is seen has changed costs no picture; one in which a date reads otherwise does.
func TestPainterAtRest(t *testing.T) {
	e := newEasel(t)
	at := fakeNow
	e.s.m.now = func() time.Time { return at }
	tick := func(by time.Duration) string {
		at = at.Add(by)
		e.drawn.Reset()
		e.painter.Update(ticked{})
		return e.drawn.String()
	}
	tick(time.Second)
	e.s.m.flash.Text = "seen by the next picture"
	if drawn := tick(0); drawn != "" {
		t.Errorf("no date has changed, and this is drawn: %q", drawn)
	}
	if drawn := tick(48 * time.Hour); !strings.Contains(drawn, e.s.m.flash.Text) {
		t.Errorf("two days have passed, and this is drawn: %q", drawn)
	}
	if drawn := e.paint("two days later"); drawn != "" {
		t.Errorf("not all of it was drawn: %q", drawn)
	}
}

func TestPainterDrawsWhatChanged(t *testing.T) {
	e := newEasel(t)
	if drawn := e.paint("once more"); drawn != "" {
		t.Errorf("a picture like the one before is drawn again: %q", drawn)
	}
	e.s.press("down")
	if lines := places(e.paint("with the cursor moved")); lines == 0 || lines > 8 {
		t.Errorf("to move the cursor by a row %d places are drawn", lines)
	}
	e.s.press("?")
	e.paint("with the help over it")
	e.s.press("esc")
	e.paint("without the help")

	e.s.send(tea.WindowSizeMsg{Width: 90, Height: 20})
	e.screen.Resize(90, 20)
	e.painter.lines = nil
	e.paint("on a smaller terminal")
	e.s.send(tea.WindowSizeMsg{Width: 30, Height: 5})
	e.screen.Resize(30, 5)
	e.painter.lines = nil
	e.paint("on one that is too small")
}

// A burst of news costs one picture, when it is time for one, not one for each.
func TestPainterWaitsInABurst(t *testing.T) {
	e := newEasel(t)
	e.drawn.Reset()
	later := 0
	for range 50 {
		e.s.m.flash.Text += "x"
		if _, cmd := e.painter.Update(redraw{}); cmd != nil {
			later++
		}
	}
	if e.drawn.Len() > 0 || later != 1 {
		t.Errorf("50 changes within a moment draw %d bytes at once and ask %d times for a picture later, want 0 and 1", e.drawn.Len(), later)
	}
	e.s.m.now = func() time.Time { return fakeNow.Add(keyFrame) }
	if e.painter.Update(tea.KeyMsg{Type: tea.KeyDown}); e.drawn.Len() == 0 {
		t.Error("a key waits as long as all else")
	}
	e.drawn.Reset()
	e.s.m.flash.Text = "another"
	e.painter.Update(paintNow{})
	if e.drawn.Len() == 0 {
		t.Error("the picture that had to wait does not come")
	}
	e.drawn.Reset()
	e.s.m.now = func() time.Time { return fakeNow.Add(keyFrame + frame) }
	if _, cmd := e.painter.Update(redraw{}); e.drawn.Len() == 0 || cmd != nil {
		t.Error("a change after a moment has to wait")
	}
}

// While somebody else has the terminal nothing is drawn, and afterwards all of it.
func TestPainterIsAway(t *testing.T) {
	e := newEasel(t)
	e.painter.leave()
	e.drawn.Reset()
	e.s.m.now = func() time.Time { return fakeNow.Add(frame) }
	e.s.m.flash.Text = "news"
	e.painter.Update(paintNow{})
	if e.drawn.Len() > 0 {
		t.Errorf("it draws on another's terminal: %q", e.drawn.String())
	}
	if err := e.painter.enter(); err != nil {
		t.Fatal(err)
	}
	if lines := places(e.paint("back again")); lines < 40 {
		t.Errorf("%d lines are drawn, want all", lines)
	}
}
