package remove

import (
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const boxWidth = 72

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	width := min(boxWidth, m.width)
	inner := width - 4
	title := "Delete " + strconv.Itoa(len(m.items)) + " Valkeys"
	var lines []string
	if len(m.items) == 1 {
		title = "Delete " + m.items[0].ref.String()
		lines = m.single(inner)
	} else {
		lines = m.several(inner)
	}
	lines = append(lines, "")
	lines = append(lines, m.foot(inner)...)
	return screen.View{
		Lines:  widget.Frame(t, theme.Error, title, lines, width),
		Hints:  m.hints(),
		Dialog: true,
		Scopes: []keys.Scope{keys.Dialog},
	}
}

func (m *Model) hints() []widget.Hint {
	confirm, back := m.env.Keys.First(keys.Dialog, keys.Confirm), m.env.Keys.First(keys.Dialog, keys.Back)
	switch {
	case m.batch.IsFinished():
		return []widget.Hint{{Key: confirm, Text: "close"}}
	case m.batch.IsRunning():
		return []widget.Hint{{Key: back, Text: "leave it to its own"}}
	default:
		return []widget.Hint{{Key: confirm, Text: "delete"}, {Key: back, Text: "cancel"}}
	}
}

// single lists what goes with the one.
func (m *Model) single(width int) []string {
	t := m.env.Theme
	it := m.items[0]
	switch {
	case it.gone:
		return []string{"", t.Render(theme.Warn, t.Signs.Warn+" It is gone. What has its name now is another one.")}
	case !it.loaded:
		return []string{"", t.Render(theme.Dim, "looking up what goes with it"+t.Signs.Ellipsis)}
	case it.problem != nil:
		return []string{"", t.Render(theme.Warn, widget.Truncate(t.Signs.Warn+" what goes with it is not known: "+it.problem.Message, width, t.Signs.Ellipsis))}
	}
	lines := []string{"", t.Render(theme.Strong, "This goes with it")}
	rows := m.childLines(it)
	from, to := screen.Window(len(rows), m.top, max(m.height-13, 2))
	m.top = from
	lines = append(lines, rows[from:to]...)
	if rest := len(rows) - to + from; rest > 0 {
		lines = append(lines, t.Render(theme.Dim, "  "+strconv.Itoa(rest)+" more: up, down"))
	}
	if len(it.missing) > 0 {
		lines = append(lines, t.Render(theme.Dim, "  not allowed to list: "+strings.Join(it.missing, ", ")))
	}
	return lines
}

func (m *Model) childLines(it item) []string {
	t := m.env.Theme
	kindWidth := 0
	for _, c := range it.children {
		kindWidth = max(kindWidth, widget.Width(c.Kind))
	}
	var lines []string
	for _, c := range it.children {
		line := "  " + widget.Fit(c.Kind, kindWidth, "") + "  " + c.Name
		if c.Detail != "" {
			line += "  " + t.Render(theme.Dim, c.Detail)
		}
		if c.Kept {
			line += "  " + t.Render(theme.OK, "is kept")
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return []string{t.Render(theme.Dim, "  nothing")}
	}
	return lines
}

// several is one line for each Valkey, with what goes with it, and how it went.
func (m *Model) several(width int) []string {
	t := m.env.Theme
	lines := []string{""}
	nameWidth := 0
	for _, it := range m.items {
		nameWidth = max(nameWidth, widget.Width(it.ref.String()))
	}
	nameWidth = min(nameWidth, width/2)
	from, to := screen.Window(len(m.items), m.top, max(m.height-11, 1))
	m.top = from
	for i, it := range m.items[from:to] {
		line := widget.Fit(it.ref.String(), nameWidth, t.Signs.Ellipsis) + "  "
		switch {
		case m.batch.ActsOn(from + i):
			line += m.batch.Line(t, from+i, "its deletion has begun")
		case it.gone:
			line += t.Render(theme.Dim, "is gone")
		case !it.loaded:
			line += t.Render(theme.Dim, t.Signs.Ellipsis)
		default:
			line += t.Render(theme.Dim, counted(it))
		}
		lines = append(lines, line)
	}
	if rest := len(m.items) - to + from; rest > 0 {
		lines = append(lines, t.Render(theme.Dim, strconv.Itoa(rest)+" more: up, down"))
	}
	return lines
}

// counted says how many claims and other objects go, and how many claims stay.
func counted(it item) string {
	claims, kept, others := 0, 0, 0
	for _, c := range it.children {
		switch {
		case c.Kept:
			kept++
		case c.Kind == "PersistentVolumeClaim":
			claims++
		default:
			others++
		}
	}
	text := "with " + plural(claims, "claim") + ", " + plural(others, "other")
	if kept > 0 {
		text += "; " + strconv.Itoa(kept) + " kept"
	}
	return text
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// foot asks for the word, says what was wrong, or how far it is.
func (m *Model) foot(width int) []string {
	t := m.env.Theme
	if progress := m.batch.Progress(t); progress != nil {
		return progress
	}
	var lines []string
	if m.note != "" {
		for _, l := range widget.Wrap(m.note, width) {
			lines = append(lines, t.Render(theme.Error, l))
		}
		lines = append(lines, "")
	}
	return append(lines, "Type "+t.Render(theme.Strong, m.word())+" to delete:", m.prompt.View(width))
}
