package restart

import (
	"strconv"
	"time"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const boxWidth = 72

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	width := min(boxWidth, m.width)
	inner := width - 4
	title := "Restart " + strconv.Itoa(len(m.items)) + " Valkeys"
	lines := []string{""}
	if m.isSingle() {
		title = "Restart " + m.items[0].Ref.String()
		lines = append(lines, m.single(inner)...)
	} else {
		lines = append(lines, t.Render(theme.Strong, "The servers of each restart one after the other, the primary last."), "")
		lines = append(lines, screen.TargetLines(t, m.items, &m.batch, &m.top, inner, m.height-10, "asked; it goes on by itself")...)
	}
	lines = append(lines, "")
	if m.note != "" {
		for _, l := range widget.Wrap(m.note, inner) {
			lines = append(lines, t.Render(theme.Error, l))
		}
	} else if !m.isSingle() {
		lines = append(lines, m.batch.Progress(t)...)
	}
	return screen.View{
		Lines: widget.Frame(t, theme.Warn, title, lines, width), Hints: m.hints(), Dialog: true, Scopes: []keys.Scope{keys.Dialog},
	}
}

func (m *Model) hints() []widget.Hint {
	confirm, back := m.env.Keys.First(keys.Dialog, keys.Confirm), m.env.Keys.First(keys.Dialog, keys.Back)
	switch {
	case m.batch.IsFinished() && (!m.isSingle() || m.over):
		return []widget.Hint{{Key: confirm, Text: "close"}}
	case m.batch.IsRunning(), m.batch.IsFinished():
		return []widget.Hint{{Key: back, Text: "leave it to its own"}}
	default:
		return []widget.Hint{{Key: confirm, Text: "restart"}, {Key: back, Text: "cancel"}}
	}
}

// single says what a restart does, and then how it goes.
func (m *Model) single(width int) []string {
	t := m.env.Theme
	it := m.items[0]
	if it.Gone {
		return []string{t.Render(theme.Error, t.Signs.Fail+" it is gone, or going")}
	}
	var lines []string
	for _, l := range widget.Wrap(effect(int(it.Row.Replicas)), width) {
		lines = append(lines, t.Render(theme.Strong, l))
	}
	lines = append(lines, "")
	for i := range m.nodes {
		n := &m.nodes[i]
		name := roster.Short(n.Name, it.Ref.Name)
		lines = append(lines, "  "+widget.Fit(name, max(widget.Width(name), 10), "")+"  "+m.state(n))
	}
	switch {
	case m.over:
		lines = append(lines, "", t.Render(theme.OK, t.Signs.OK+" all run anew, after "+m.took.Round(time.Second).String()))
	case m.old != nil:
		lines = append(lines, "", t.Render(theme.Busy, t.Signs.Busy+" under way, for "+m.now.Sub(m.began).Round(time.Second).String()))
		if m.detail != nil && m.detail.Valkey != nil && m.detail.Valkey.Status.Error != "" {
			for _, l := range widget.Wrap(t.Signs.Fail+" "+m.detail.Valkey.Status.Error, width) {
				lines = append(lines, t.Render(theme.Error, l))
			}
		}
	}
	return lines
}

// effect is what a restart of a number of servers does.
func effect(n int) string {
	switch n {
	case 0:
		return "It is stopped: there is nothing to restart."
	case 1:
		return "Restarts its 1 server: it is away until it is back, and what is on no volume is lost."
	default:
		return "Rolls " + strconv.Itoa(n) + " servers: replicas first, each in sync before the next, the primary last, after it has handed over."
	}
}

func (m *Model) state(n *roster.Node) string {
	t := m.env.Theme
	role := t.Render(theme.Dim, string(n.Role))
	if m.old == nil {
		if n.Ready {
			return t.Render(theme.OK, t.Signs.OK+" ready  ") + role
		}
		return t.Render(theme.Warn, t.Signs.Warn+" not ready  ") + role
	}
	switch m.step(n) {
	case roster.Done:
		return t.Render(theme.OK, t.Signs.OK+" runs anew  ") + role
	case roster.Now:
		return t.Render(theme.Busy, t.Signs.Busy+" restarts  ") + role
	case roster.Waits:
	}
	if n.IsPrimary() {
		return t.Render(theme.Dim, t.Signs.Off+" waits; hands over first  ") + role
	}
	return t.Render(theme.Dim, t.Signs.Off+" waits  ") + role
}
