package logs

import (
	"strconv"
	"strings"
	"time"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// lineView is one line in full, in place of the log.
type lineView struct {
	widget.Numbered
	top int
}

func (m *Model) open() {
	if line, found := m.log.Focus(); found {
		m.line = &lineView{Numbered: line}
	}
}

func (m *Model) lineKey(name string) screen.Effect {
	l := m.line
	switch m.env.Keys.Action(name, keys.LineView, keys.Moving, keys.Everywhere) {
	case keys.Previous:
		m.beside(-1)
	case keys.Next:
		m.beside(1)
	case keys.CopyMenu:
		return screen.Copy{What: "the line", Text: l.PlainText()}
	case keys.Up:
		l.top--
	case keys.Down:
		l.top++
	case keys.PageUp:
		l.top -= m.height
	case keys.PageDown:
		l.top += m.height
	case keys.Top:
		l.top = 0
	case keys.Bottom:
		l.top = len(l.Text)
	case keys.Back, keys.Quit:
		m.line = nil
	default:
		return m.env.Common(name)
	}
	return nil
}

func (m *Model) beside(direction int) {
	if line, found := m.log.Beside(m.line.Number, direction); found {
		m.line = &lineView{Numbered: line}
	}
}

// lineLines draws the line: where it comes from, then all of it.
func (m *Model) lineLines() []string {
	t := m.env.Theme
	l := m.line
	head := []string{t.Node(l.Source).Render(l.Label) + "  " + t.Render(theme.Dim, l.Time.Local().Format("2006-01-02 ")) +
		l.Time.Local().Format("15:04:05.000000") + t.Render(theme.Dim, l.Time.Local().Format(" -07:00")), ""}
	if l.Time.IsZero() {
		head[0] = t.Node(l.Source).Render(l.Label)
	}
	rows := widget.Unfolded(t, l.Text, m.width)
	if l.Dropped > 0 {
		rows = []string{t.Render(theme.Warn, strconv.Itoa(l.Dropped)+" lines were dropped here")}
	}
	from, to := screen.Window(len(rows), max(l.top, 0), max(m.height-len(head), 1))
	l.top = from
	return widget.Height(append(head, rows[from:to]...), m.height)
}

// copyMenu asks which lines go to the clipboard.
func (m *Model) copyMenu() screen.Effect {
	texts := func(lines []widget.LogLine) string {
		all := make([]string, len(lines))
		for i := range lines {
			all[i] = lineText(&lines[i])
		}
		return strings.Join(all, "\n") + "\n"
	}
	shown := "all lines"
	if m.log.Filter() != "" {
		shown = "the lines that pass the filter"
	}
	line, found := m.log.Focus()
	if !found {
		return screen.Flash{Text: "there is no line to copy", IsError: true}
	}
	return screen.Choose{
		Title: "Copy", Note: "to the terminal's clipboard",
		Items: []screen.Item{
			{Key: "screen", Text: "the lines on the screen"},
			{Key: "line", Text: "one line", Detail: line.PlainText()},
			{Key: "shown", Text: shown, Detail: "the newest, as far as a clipboard takes them"},
		},
		Done: func(chosen []screen.Item) screen.Effect {
			switch chosen[0].Key {
			case "line":
				return screen.Copy{What: "the line", Text: line.PlainText()}
			case "shown":
				return screen.Copy{What: shown, Text: texts(m.log.Shown()), Newest: true}
			default:
				return screen.Copy{What: "the lines on the screen", Text: texts(m.log.OnScreen()), Newest: true}
			}
		},
	}
}

// sinceWord says how far back is read.
func sinceWord(d time.Duration) string {
	switch {
	case d >= 24*time.Hour:
		return strconv.Itoa(int(d.Hours())/24) + "d"
	case d >= time.Hour:
		return strconv.Itoa(int(d.Hours())) + "h"
	default:
		return strconv.Itoa(int(d.Minutes())) + "m"
	}
}
