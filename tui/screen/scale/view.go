package scale

import (
	"strconv"

	"kuberly.io/valkey-operator/tui/impact"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const boxWidth = 64

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	width := min(boxWidth, m.width)
	inner := width - 4
	title := "Scale " + strconv.Itoa(len(m.items)) + " Valkeys"
	lines := []string{""}
	if len(m.items) == 1 {
		title = "Scale " + m.items[0].ref.String()
		lines = append(lines, m.single(inner)...)
	} else {
		lines = append(lines, m.several(inner)...)
	}
	lines = append(lines, "")
	lines = append(lines, m.foot(inner)...)
	return screen.View{
		Lines:  widget.Frame(t, theme.Accent, title, lines, width),
		Hints:  m.hints(),
		Dialog: true,
		Scopes: []keys.Scope{keys.Dialog, keys.Count},
	}
}

func (m *Model) hints() []widget.Hint {
	switch {
	case m.batch.IsFinished():
		return []widget.Hint{{Key: m.env.Keys.First(keys.Dialog, keys.Confirm), Text: "close"}}
	case m.batch.IsRunning():
		return []widget.Hint{{Key: m.env.Keys.First(keys.Dialog, keys.Back), Text: "leave it to its own"}}
	default:
		return append([]widget.Hint{{Key: "0-" + strconv.Itoa(most), Text: "set"}}, m.env.Hints(keys.Count, keys.Dialog)...)
	}
}

func (m *Model) single(width int) []string {
	t := m.env.Theme
	it := m.items[0]
	if it.gone {
		return []string{t.Render(theme.Error, t.Signs.Fail+" it is gone, or going")}
	}
	lines := []string{"servers   " + m.fromTo(it), ""}
	if text := meaning(it.current, m.wanted(it)); text != "" {
		lines = append(lines, t.Render(theme.Dim, text))
	}
	for _, e := range m.effects(it) {
		tone, text := theme.Dim, e.Text
		if e.Weight == impact.Danger {
			tone, text = theme.Error, t.Signs.Fail+" "+text
		}
		for _, l := range widget.Wrap(text, width) {
			lines = append(lines, t.Render(tone, l))
		}
	}
	return lines
}

// effects are what becomes of its servers and their claims.
func (m *Model) effects(it item) []impact.Effect {
	return impact.OfScale(it.ref.Name, int(it.current), int(m.wanted(it)), it.volume)
}

func (m *Model) fromTo(it item) string {
	t := m.env.Theme
	tone := theme.Accent
	if m.wanted(it) == it.current {
		tone = theme.Text
	}
	return strconv.Itoa(int(it.current)) + " " + t.Signs.Arrow + " " + t.Render(tone, strconv.Itoa(int(m.wanted(it))))
}

// meaning says what a number of servers is; what becomes of those that end is told beside it.
func meaning(from, to int32) string {
	if to == from {
		return "as it is"
	}
	switch to {
	case 0:
		return ""
	case 1:
		return "one server alone, with no replica"
	case 2:
		return "one primary and 1 replica"
	default:
		return "one primary and " + strconv.Itoa(int(to-1)) + " replicas"
	}
}

// several is one line for each Valkey: what changes, and how it went.
func (m *Model) several(width int) []string {
	t := m.env.Theme
	what := "all get " + strconv.Itoa(int(m.number))
	if m.relative {
		what = "each keeps what it has"
		if m.number > 0 {
			what = "each gets " + strconv.Itoa(int(m.number)) + " more"
		} else if m.number < 0 {
			what = "each gets " + strconv.Itoa(int(-m.number)) + " less"
		}
	}
	lines := []string{t.Render(theme.Strong, what), ""}
	nameWidth := 0
	for _, it := range m.items {
		nameWidth = max(nameWidth, widget.Width(it.ref.String()))
	}
	nameWidth = min(nameWidth, width/2)
	from, to := screen.Window(len(m.items), m.top, max(m.height-10, 1))
	m.top = from
	for i, it := range m.items[from:to] {
		change := m.fromTo(it)
		if it.gone {
			change = t.Render(theme.Dim, "gone, or going")
		}
		if !it.gone && !m.batch.ActsOn(from+i) {
			change += m.fate(it)
		}
		line := widget.Fit(it.ref.String(), nameWidth, t.Signs.Ellipsis) + "  " + change
		if result := m.batch.Line(t, from+i, "done"); result != "" {
			line += "  " + result
		}
		lines = append(lines, line)
	}
	if rest := len(m.items) - to + from; rest > 0 {
		lines = append(lines, t.Render(theme.Dim, strconv.Itoa(rest)+" more: pgup, pgdn"))
	}
	return lines
}

// fate is which servers go and whether that loses data, in a few words.
func (m *Model) fate(it item) string {
	t := m.env.Theme
	switch to := m.wanted(it); {
	case m.loses(it):
		return "  " + t.Render(theme.Error, t.Signs.Fail+" no volume: its data is lost")
	case to > 0 && to < it.current:
		return "  " + t.Render(theme.Dim, m.effects(it)[0].Text)
	default:
		return ""
	}
}

// foot says what was wrong, or how far it is.
func (m *Model) foot(width int) []string {
	t := m.env.Theme
	if m.note == "" {
		return m.batch.Progress(t)
	}
	var lines []string
	for _, l := range widget.Wrap(m.note, width) {
		lines = append(lines, t.Render(theme.Error, l))
	}
	return lines
}
