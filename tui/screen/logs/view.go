package logs

import (
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	v := screen.View{
		Lines:  m.log.View(),
		Title:  t.Render(theme.Strong, "Logs") + "  " + m.ref.String(),
		Status: m.status(),
		Hints: append(m.env.Hints(keys.LogView), widget.Hint{Key: m.env.Keys.First(keys.Moving, keys.Bottom), Text: "end"},
			widget.Hint{Key: m.env.Keys.First(keys.Everywhere, keys.Back), Text: "back"},
			widget.Hint{Key: m.env.Keys.First(keys.Everywhere, keys.Help), Text: "help"}),
		Scopes: []keys.Scope{keys.LogView, keys.Moving, keys.Everywhere},
	}
	if m.log.Len() == 0 && len(v.Lines) > 0 {
		v.Lines[0] = t.Render(theme.Dim, m.waiting())
	}
	if m.prompt != nil {
		v.Prompt = m.prompt.View(m.width)
	}
	return v
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

func (m *Model) status() string {
	t := m.env.Theme
	var parts []string
	if p := m.log.Pattern(); p != "" {
		text := t.Render(theme.Accent, "/"+p) + t.Render(theme.Dim, " "+strconv.Itoa(m.log.Found())+" found")
		if m.log.ShowsAll() {
			text += t.Render(theme.Dim, ", all lines")
		}
		parts = append(parts, text)
	}
	parts = append(parts, t.Render(theme.Dim, strconv.Itoa(m.log.Len())+" lines"))
	if !m.log.IsWrapping() {
		parts = append(parts, t.Render(theme.Dim, "cut"))
	}
	switch {
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
