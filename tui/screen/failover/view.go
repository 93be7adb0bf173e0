package failover

import (
	"slices"
	"strconv"
	"time"

	"kuberly.io/valkey-operator/api/v1alpha1"
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
	title := "Fail over " + strconv.Itoa(len(m.items)) + " Valkeys"
	lines := []string{""}
	if m.isSingle() {
		title = "Fail over " + m.items[0].Ref.String()
		lines = append(lines, m.single(inner)...)
	} else {
		lines = append(lines, t.Render(theme.Strong, "The primary of each goes to its best replica."), "")
		lines = append(lines, screen.TargetLines(t, m.items, &m.batch, &m.top, inner, m.height-10, "asked; it goes on by itself")...)
	}
	lines = append(lines, "")
	lines = append(lines, m.foot(inner)...)
	return screen.View{
		Lines: widget.Frame(t, theme.Accent, title, lines, width), Hints: m.hints(), Dialog: true, Scopes: []keys.Scope{keys.Dialog},
	}
}

func (m *Model) hints() []widget.Hint {
	confirm, back := m.env.Keys.First(keys.Dialog, keys.Confirm), m.env.Keys.First(keys.Dialog, keys.Back)
	switch {
	case m.isOver():
		return []widget.Hint{{Key: confirm, Text: "close"}}
	case m.canRecall():
		return []widget.Hint{{Key: confirm, Text: "take the request back"}, {Key: back, Text: "leave it to go on"}}
	case m.batch.IsRunning(), m.phase != choosing:
		return []widget.Hint{{Key: back, Text: "leave it to go on"}}
	}
	hints := []widget.Hint{{Key: confirm, Text: "fail over"}, {Key: back, Text: "cancel"}}
	if len(m.nodes) > 0 {
		hints = slices.Insert(hints, 0, widget.Hint{Key: m.env.UpDown(), Text: "choose"})
	}
	return hints
}

// single is the list of nodes to choose from, or how it goes.
func (m *Model) single(width int) []string {
	t := m.env.Theme
	switch {
	case m.items[0].Gone:
		return []string{t.Render(theme.Error, t.Signs.Fail+" it is gone, or going")}
	case m.detail == nil:
		return []string{t.Render(theme.Dim, "looking for its nodes"+t.Signs.Ellipsis)}
	}
	best := roster.Best(m.nodes)
	lines := []string{t.Render(theme.Dim, "Writes pause for a moment; none that was acknowledged is lost."), ""}
	first := "the best one"
	if best >= 0 && m.phase == choosing {
		first += t.Render(theme.Dim, "  now "+roster.Short(m.nodes[best].Name, m.items[0].Ref.Name))
	}
	lines = append(lines, m.choice(0, first))
	nameWidth := 0
	for i := range m.nodes {
		nameWidth = max(nameWidth, widget.Width(roster.Short(m.nodes[i].Name, m.items[0].Ref.Name)))
	}
	for i := range m.nodes {
		n := &m.nodes[i]
		text := widget.Fit(roster.Short(n.Name, m.items[0].Ref.Name), min(nameWidth, 24), t.Signs.Ellipsis) + "  " + m.state(n)
		if i == best && m.phase == choosing {
			text += t.Render(theme.OK, "  best")
		}
		lines = append(lines, m.choice(i+1, widget.Truncate(text, width-3, t.Signs.Ellipsis)))
	}
	return append(lines, m.going(width)...)
}

// choice is one line to choose.
func (m *Model) choice(at int, text string) string {
	t := m.env.Theme
	if at == m.cursor {
		return t.Render(theme.Accent, t.Signs.Cursor) + " " + text
	}
	return "  " + text
}

func (m *Model) state(n *roster.Node) string {
	t := m.env.Theme
	switch {
	case n.IsPrimary():
		return t.Render(theme.Accent, "is the primary")
	case !roster.CanLead(n):
		why := "not ready"
		if n.State != "" {
			why = n.State
		}
		return t.Render(theme.Warn, t.Signs.Warn+" "+why)
	case n.KnowsLag:
		return t.Render(theme.OK, t.Signs.OK+" ready") + "  " + roster.Lag(n) + " behind"
	default:
		return t.Render(theme.OK, t.Signs.OK+" ready") + t.Render(theme.Dim, "  lag not known")
	}
}

// going says how far the failover is.
func (m *Model) going(width int) []string {
	t := m.env.Theme
	switch m.phase {
	case moved:
		text := t.Signs.OK + " " + m.to + " is the primary now, after " + m.ended.Sub(m.began).Round(100*time.Millisecond).String()
		return []string{"", t.Render(theme.OK, widget.Truncate(text, width, t.Signs.Ellipsis))}
	case asked, recalling:
		lines := []string{"", t.Render(theme.Busy, t.Signs.Busy+" the operator is asked; the primary is "+m.from+" yet")}
		if v := m.detail.Valkey; v != nil {
			for i := range v.Status.Conditions {
				if c := &v.Status.Conditions[i]; c.Reason == v1alpha1.ReasonHandoverBlocked {
					for _, l := range widget.Wrap(t.Signs.Fail+" "+c.Message, width) {
						lines = append(lines, t.Render(theme.Error, l))
					}
					break
				}
			}
		}
		return lines
	default:
		return nil
	}
}

// foot says what was wrong, or how far it is.
func (m *Model) foot(width int) []string {
	t := m.env.Theme
	var lines []string
	if m.note != "" {
		for _, l := range widget.Wrap(m.note, width) {
			lines = append(lines, t.Render(theme.Error, l))
		}
	}
	switch {
	case m.canRecall():
		confirm, back := m.env.Keys.First(keys.Dialog, keys.Confirm), m.env.Keys.First(keys.Dialog, keys.Back)
		for _, l := range widget.Wrap("The request waits until a replica is in sync: "+confirm+" takes it back, "+back+" leaves it to go on.", width) {
			lines = append(lines, t.Render(theme.Dim, l))
		}
	case m.phase == recalling:
		lines = append(lines, t.Render(theme.Busy, t.Signs.Busy+" it is taken back"+t.Signs.Ellipsis))
	case m.note == "" && !m.isSingle():
		return m.batch.Progress(t)
	}
	return lines
}
