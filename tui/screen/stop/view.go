package stop

import (
	"strconv"

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
	verb := "Stop "
	if m.start {
		verb = "Start "
	}
	title := verb + strconv.Itoa(len(m.items)) + " Valkeys"
	lines := []string{""}
	if len(m.items) == 1 {
		title = verb + m.items[0].ref.String()
		lines = append(lines, m.single(inner)...)
	} else {
		lines = append(lines, m.several(inner)...)
	}
	lines = append(lines, "")
	lines = append(lines, m.foot(inner)...)
	tone := theme.Accent
	if m.losing() > 0 {
		tone = theme.Error
	}
	return screen.View{
		Lines:  widget.Frame(t, tone, title, lines, width),
		Hints:  m.hints(),
		Dialog: true,
		Scopes: []keys.Scope{keys.Dialog},
	}
}

func (m *Model) hints() []widget.Hint {
	confirm, back := m.env.Keys.First(keys.Dialog, keys.Confirm), m.env.Keys.First(keys.Dialog, keys.Back)
	word := "stop"
	if m.start {
		word = "start"
	}
	switch {
	case m.batch.IsFinished():
		return []widget.Hint{{Key: confirm, Text: "close"}}
	case m.batch.IsRunning():
		return []widget.Hint{{Key: back, Text: "leave it to its own"}}
	default:
		return []widget.Hint{{Key: confirm, Text: word}, {Key: back, Text: "cancel"}}
	}
}

// single says of the one what it has, what it gets, and what that means.
func (m *Model) single(width int) []string {
	t := m.env.Theme
	it := m.items[0]
	if it.gone {
		return []string{t.Render(theme.Error, t.Signs.Fail+" it is gone, or going")}
	}
	lines := []string{"servers   " + m.fromTo(it), ""}
	tone, text := m.meaning(it)
	for _, l := range widget.Wrap(text, width) {
		lines = append(lines, t.Render(tone, l))
	}
	return lines
}

func (m *Model) fromTo(it item) string {
	t := m.env.Theme
	return strconv.Itoa(int(it.replicas)) + " " + t.Signs.Arrow + " " + t.Render(theme.Accent, strconv.Itoa(int(m.to(it))))
}

// meaning says what becomes of the data.
func (m *Model) meaning(it item) (theme.Tone, string) {
	switch {
	case !m.changes(it) && m.start:
		return theme.Dim, "it runs already" + m.other("stops it")
	case !m.changes(it):
		return theme.Dim, "it is stopped already" + m.other("starts it")
	case !m.start && it.keeps:
		return theme.Dim, "All servers end, the primary last. The data is kept on the claims, and " + m.env.Keys.First(keys.List, keys.Stop) +
			" starts it again with as many servers."
	case !m.start:
		return theme.Error, m.env.Theme.Signs.Fail + " All servers end. It has no volume: ALL DATA IS LOST."
	case it.remembered > 0 && it.keeps:
		return theme.Dim, "It had " + strconv.Itoa(int(it.remembered)) + " when it was stopped. The data of the claims is there again."
	case it.keeps:
		return theme.Dim, "How many it had is not known: it starts with one, and the data of its claim."
	default:
		return theme.Dim, "It has no volume, and starts empty."
	}
}

// other offers the opposite where that alone is left to do.
func (m *Model) other(does string) string {
	if !m.isDone() || len(m.items) > 1 {
		return ""
	}
	return ": " + m.env.Keys.First(keys.List, keys.Stop) + " " + does
}

// several is one line for each Valkey: what changes, what is lost, and how it went.
func (m *Model) several(width int) []string {
	t := m.env.Theme
	var lines []string
	nameWidth := 0
	for _, it := range m.items {
		nameWidth = max(nameWidth, widget.Width(it.ref.String()))
	}
	nameWidth = min(nameWidth, width/2)
	from, to := screen.Window(len(m.items), m.top, max(m.height-12, 1))
	m.top = from
	for i, it := range m.items[from:to] {
		line := widget.Fit(it.ref.String(), nameWidth, t.Signs.Ellipsis) + "  "
		switch {
		case m.batch.ActsOn(from + i):
			line += m.fromTo(it) + "  " + m.batch.Line(t, from+i, m.doing())
		case it.gone:
			line += t.Render(theme.Dim, "gone, or going")
		case !m.changes(it):
			_, text := m.meaning(it)
			line += t.Render(theme.Dim, text)
		default:
			line += m.fromTo(it) + "  " + m.fate(it)
		}
		lines = append(lines, line)
	}
	if rest := len(m.items) - to + from; rest > 0 {
		lines = append(lines, t.Render(theme.Dim, strconv.Itoa(rest)+" more: up, down"))
	}
	return lines
}

// fate is what becomes of the data, in a word or two.
func (m *Model) fate(it item) string {
	t := m.env.Theme
	switch {
	case it.keeps:
		return t.Render(theme.OK, "data kept")
	case m.start:
		return t.Render(theme.Dim, "starts empty")
	default:
		return t.Render(theme.Error, t.Signs.Fail+" ALL DATA IS LOST")
	}
}

// foot asks for the word where data is lost, says what was wrong, or how far it is.
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
	}
	if word := m.word(); word != "" {
		lines = append(lines, "Type "+t.Render(theme.Strong, word)+" to stop and lose the data:", m.prompt.View(width))
	}
	return lines
}
