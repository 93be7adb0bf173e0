package detail

import (
	"strconv"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// View is for screen.Screen.
func (m *Model) View() screen.View {
	lines := []string{" " + widget.Tabs(m.env.Theme, m.titles(), int(m.tab), m.width-1), ""}
	v := screen.View{
		Title: m.title(), Status: m.status(), Lines: append(lines, m.body()...),
		Hints: m.env.Hints(keys.One, keys.Everywhere), Scopes: []keys.Scope{keys.One, keys.Moving, keys.Everywhere},
	}
	if text := m.yaml.Finding(); text != "" && m.tab == tabYAML && m.prompt == nil {
		v.Status = m.env.Theme.Render(theme.Accent, "/"+text) + " " + m.found() + "  " + v.Status
	}
	if m.prompt != nil {
		v.Prompt = m.prompt.View(max(m.width-24, 8)) + "  " + m.found()
		v.Scopes = []keys.Scope{keys.Input}
	}
	return v
}

// titles are the tabs' titles, with their keys where there is room.
func (m *Model) titles() []string {
	titles := make([]string, tabCount)
	width := 1
	for t, title := range tabTitles {
		titles[t] = strconv.Itoa(t+1) + " " + title
		width += widget.Width(titles[t]) + 2
	}
	if width > m.width {
		return tabTitles[:]
	}
	return titles
}

func (m *Model) title() string {
	t := m.env.Theme
	return t.Render(theme.Dim, m.ref.Namespace+"/") + t.Render(theme.Strong, m.ref.Name)
}

func (m *Model) status() string {
	t := m.env.Theme
	switch {
	case m.detail.Gone:
		return t.Render(theme.Error, t.Signs.Fail+" gone")
	case m.row == nil:
		return ""
	}
	sign, tone := screen.Phase(t, m.row)
	word := string(m.row.Status)
	if m.row.Deleting {
		word = "is being deleted"
	}
	if m.isStale || m.detail.Problem != nil {
		return t.Render(theme.Dim, t.Signs.Unknown+" "+word+", as last known")
	}
	return t.Render(tone, sign+" "+word)
}

func (m *Model) found() string {
	t := m.env.Theme
	if m.yaml.Finding() == "" {
		return ""
	}
	if at := m.yaml.FoundAt(); at > 0 {
		return t.Render(theme.Dim, strconv.Itoa(at)+" of "+strconv.Itoa(m.yaml.Found()))
	}
	return t.Render(theme.Dim, "not found")
}

func (m *Model) body() []string {
	t := m.env.Theme
	switch {
	case !m.known:
		return []string{t.Render(theme.Dim, " asking the cluster"+t.Signs.Ellipsis)}
	case m.detail.Valkey == nil && m.detail.Problem != nil:
		return indented(t, theme.Error, t.Signs.Fail+" "+m.detail.Problem.Error(), m.width)
	case m.detail.Valkey == nil && m.detail.Gone:
		return indented(t, theme.Warn, t.Signs.Warn+" it is gone: what has its name now, if anything has, is another one", m.width)
	}
	switch m.tab {
	case tabOverview:
		lines := m.page.Lines()
		if n := m.page.More(); n > 0 && len(lines) > 0 {
			lines[len(lines)-1] = t.Render(theme.Dim, " "+plural(n+1, "line")+" more: down")
		}
		return lines
	case tabYAML:
		lines := m.yaml.Lines()
		for i := range lines {
			lines[i] = " " + lines[i]
		}
		return lines
	case tabNodes:
		return append(m.tables[m.tab].Lines(), m.nodeDetail()...)
	default:
		return append(m.tables[m.tab].Lines(), m.notes()...)
	}
}

// indented wraps a text into lines in a tone.
func indented(t *theme.Theme, tone theme.Tone, text string, width int) []string {
	var lines []string
	for _, l := range widget.Wrap(text, max(width-2, 1)) {
		lines = append(lines, " "+t.Render(tone, l))
	}
	return lines
}
