package create

import (
	"strings"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const formWidth = 92

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	lines := m.head()
	for _, l := range strings.Split(m.form.View(), "\n") {
		lines = append(lines, strings.TrimRight(l, " "))
	}
	v := screen.View{
		Lines:  widget.Height(lines, m.height),
		Title:  t.Render(theme.Strong, "Create a Valkey"),
		Hints:  m.env.Hints(keys.Form),
		Scopes: []keys.Scope{keys.Form},
	}
	if m.sending {
		v.Status = t.Render(theme.Busy, t.Signs.Busy+" asking the server"+t.Signs.Ellipsis)
	} else if n := len(m.refused); n > 0 || m.above != nil {
		v.Status = t.Render(theme.Error, t.Signs.Fail+" not created")
	}
	return v
}

// head is what stands above the fields: what is wrong with none of them in particular.
func (m *Model) head() []string {
	lines := []string{""}
	if m.above != nil {
		lines = append(widget.Banner(m.env.Theme, theme.Alarm, m.above.Error(), m.width, 3), "")
	}
	return lines
}

// redraw makes huh draw its fields again.
type redraw struct{}

// resize gives the fields the room that is left. huh scrolls to the field that takes keys.
func (m *Model) resize() {
	m.form.WithHeight(max(m.height-len(m.head()), 1))
	m.feed(redraw{})
}
