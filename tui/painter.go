package tui

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// The least time between two pictures, and before one that a key leads to: whoever pressed it waits for it.
const (
	frame    = time.Second / 60
	keyFrame = time.Second / 250
)

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
	case ticked:
		if _, cmd = p.m.Update(msg); p.m.still {
			return p, cmd
		}
	case redraw, tea.WindowSizeMsg:
		p.lines = nil
		_, cmd = p.m.Update(msg)
	default:
		_, cmd = p.m.Update(msg)
	}
	wait := leastTime(msg) - p.m.now().Sub(p.painted)
	switch {
	case p.away:
	case wait <= 0:
		p.paint()
	case !p.waiting:
		p.waiting = true
		cmd = tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return paintNow{} }))
	}
	return p, cmd
}

func leastTime(msg tea.Msg) time.Duration {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg:
		return keyFrame
	}
	return frame
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
