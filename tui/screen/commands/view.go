package commands

import (
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// pages are the answers as something that a cursor moves over.
type pages struct{ *widget.Log }

// MoveTo is for screen.Scroller: the first line, or the last.
func (p pages) MoveTo(line int) {
	if line == 0 {
		p.Top()
		return
	}
	p.Bottom()
}

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	v := screen.View{
		Title:  t.Render(theme.Strong, "Console") + "  " + m.ref.String() + " " + t.Render(theme.Accent, m.where()),
		Status: m.status(),
		Hints:  m.env.Hints(keys.Console),
		Scopes: []keys.Scope{keys.Console},
	}
	v.Lines = append(m.output.View(), m.prompt.View(m.width), m.hintLine())
	return v
}

// where is the server without what stands before it already.
func (m *Model) where() string {
	where := strings.TrimPrefix(m.node, m.ref.Name+"-")
	if m.role != "" {
		where += " " + string(m.role)
	}
	return where
}

// hintLine is the syntax of the command that is typed, then what it does where there is room.
func (m *Model) hintLine() string {
	t := m.env.Theme
	if m.state == asking {
		return t.Render(theme.Warn, widget.Truncate("y and "+m.env.Keys.First(keys.Console, keys.Confirm)+" does it, anything else does not", m.width, ""))
	}
	syntax, summary := m.hint()
	if summary != "" && widget.Width(syntax)+len("  ")+widget.Width(summary) <= m.width {
		syntax += "  " + summary
	}
	return t.Render(theme.Dim, widget.Truncate(syntax, m.width, t.Signs.Ellipsis))
}

func (m *Model) status() string {
	t := m.env.Theme
	var parts []string
	if !m.output.IsFollowing() {
		parts = append(parts, t.Render(theme.Warn, t.Signs.Off+" back, "+m.env.Keys.First(keys.Console, keys.Bottom)+" to the end"))
	}
	if n := m.output.Dropped(); n > 0 {
		parts = append(parts, t.Render(theme.Warn, strconv.Itoa(n)+" older lines dropped"))
	}
	if m.env.ReadOnly {
		parts = append(parts, t.Render(theme.Dim, "only what changes nothing"))
	}
	switch m.state {
	case connecting:
		parts = append(parts, t.Render(theme.Busy, t.Signs.Busy+" connecting"+t.Signs.Ellipsis))
	case running:
		parts = append(parts, t.Render(theme.Busy, t.Signs.Busy+" it runs, "+m.env.Keys.First(keys.Console, keys.Interrupt)+" stops it"))
	case unseated:
		parts = append(parts, t.Render(theme.Error, t.Signs.Fail+" not connected, "+m.env.Keys.First(keys.Console, keys.Confirm)+" tries again"))
	case asking:
		parts = append(parts, t.Render(theme.Warn, t.Signs.Warn+" yes or no?"))
	case ready:
		if !m.output.IsFollowing() {
			break // it goes without saying
		}
		parts = append(parts, t.Render(theme.OK, t.Signs.OK+" connected"))
	}
	return strings.Join(parts, "  ")
}
