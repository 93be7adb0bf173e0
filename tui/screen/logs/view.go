package logs

import (
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	title := "Logs"
	if m.previous {
		title = "Previous logs"
	}
	v := screen.View{Title: t.Render(theme.Strong, title) + "  " + m.whose(), Status: m.status()}
	back := widget.Hint{Key: m.env.Keys.First(keys.Everywhere, keys.Back), Text: "back", Keep: true}
	help := widget.Hint{Key: m.env.Keys.First(keys.Everywhere, keys.Help), Text: "help", Keep: true}
	if m.line != nil {
		v.Title += t.Render(theme.Dim, "  line "+strconv.FormatUint(m.line.Number+1, 10))
		v.Lines = m.lineLines()
		v.Hints = append(m.env.Hints(keys.LineView), back, help)
		v.Scopes = []keys.Scope{keys.LineView, keys.Moving, keys.Everywhere}
		return v
	}
	v.Lines = m.log.View()
	v.Hints = append(m.env.Hints(keys.LogView), widget.Hint{Key: m.env.Keys.First(keys.Moving, keys.Bottom), Text: "end"}, back, help)
	v.Scopes = []keys.Scope{keys.LogView, keys.Moving, keys.Everywhere}
	switch {
	case len(v.Lines) == 0:
	case m.log.Len() == 0:
		v.Lines[0] = t.Render(theme.Dim, m.waiting())
	case m.log.Passed() == 0 && m.looks == 0:
		v.Lines[0] = t.Render(theme.Dim, m.nonePasses())
	}
	if m.prompt != nil {
		v.Prompt = m.prompt.View(m.width)
	}
	return v
}

// whose says whose log it is.
func (m *Model) whose() string {
	if m.subject.Operator {
		return "the operator"
	}
	text := m.subject.Ref.String()
	if n := m.subject.Nodes; len(n) > 0 {
		short := make([]string, len(n))
		for i := range n {
			short[i] = m.short(n[i])
		}
		text += " " + m.env.Theme.Render(theme.Accent, strings.Join(short, " "))
	}
	return text
}

// waiting says why there is nothing to read.
func (m *Model) waiting() string {
	switch {
	case m.problem != nil:
		return m.problem.Error()
	case m.ended:
		return "the log is empty"
	default:
		return "waiting for lines" + m.env.Theme.Signs.Ellipsis
	}
}

// isAboutOne says that of the operator's log only what it says of one Valkey is shown, as it was opened.
func (m *Model) isAboutOne() bool {
	return m.about != "" && m.log.Filter() == m.about
}

// nonePasses says that there are lines, and none to show.
func (m *Model) nonePasses() string {
	esc := m.env.Keys.First(keys.Everywhere, keys.Back)
	if m.isAboutOne() {
		return "the operator has logged nothing of " + m.subject.Ref.String() + ": " + esc + " shows the rest"
	}
	return "no line passes the filter &" + m.log.Filter() + ": " + esc + " drops it"
}

// filtered is the filter in a few cells, so that it leaves room for what stands beside it.
func (m *Model) filtered() string {
	text := m.log.Filter()
	if m.isAboutOne() {
		text = m.subject.Ref.String()
	}
	return widget.Truncate("&"+text, max(m.width/3, 10), m.env.Theme.Signs.Ellipsis)
}

// hasNoEarlier says that nothing was restarted, so that there is nothing of before.
func (m *Model) hasNoEarlier() bool {
	return m.previous && m.problem != nil && m.problem.Class == kube.ClassNotFound
}

// found is how many lines are found, and at which of them the search stands.
func (m *Model) found() string {
	all := strconv.Itoa(m.log.Found())
	if at := m.log.FoundAt(); at > 0 {
		return strconv.Itoa(at) + " of " + all
	}
	return all + " found"
}

func (m *Model) status() string {
	t := m.env.Theme
	var parts []string
	lines := strconv.Itoa(m.log.Len()) + " lines"
	if m.log.Filter() != "" {
		parts = append(parts, t.Render(theme.Accent, m.filtered()))
		lines = strconv.Itoa(m.log.Passed()) + " of " + lines
	}
	if p := m.log.Pattern(); p != "" {
		parts = append(parts, t.Render(theme.Accent, "/"+p)+t.Render(theme.Dim, " "+m.found()))
	}
	switch {
	case m.since > 0:
		parts = append(parts, t.Render(theme.Accent, "last "+sinceWord(m.since)))
	case m.all && !m.isAboutOne():
		parts = append(parts, t.Render(theme.Accent, "from the beginning"))
	}
	parts = append(parts, t.Render(theme.Dim, lines))
	if !m.log.IsWrapping() {
		parts = append(parts, t.Render(theme.Dim, "cut"))
	}
	switch {
	case m.hasNoEarlier():
		parts = append(parts, t.Render(theme.Dim, t.Signs.Off+" no earlier log"))
	case m.problem != nil:
		parts = append(parts, t.Render(theme.Error, t.Signs.Fail+" interrupted"))
	case m.ended:
		parts = append(parts, t.Render(theme.Dim, t.Signs.Off+" ended"))
	case m.log.IsFollowing():
		parts = append(parts, t.Render(theme.OK, t.Signs.OK+" following"))
	default:
		parts = append(parts, t.Render(theme.Warn, t.Signs.Off+" staying"))
	}
	return strings.Join(parts, "  ")
}
