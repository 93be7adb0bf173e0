package valkeys

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
	v := screen.View{
		Lines:  m.lines(),
		Title:  m.title(),
		Status: m.status(),
		Hints:  m.env.Hints(keys.List, keys.Everywhere),
		Scopes: []keys.Scope{keys.List, keys.Moving, keys.Everywhere},
	}
	if m.prompt != nil {
		v.Prompt = m.prompt.View(m.width)
	}
	return v
}

func (m *Model) lines() []string {
	if m.shown != nil && m.shown.Len() > 0 {
		return m.table.Lines()
	}
	return m.emptyLines()
}

// title counts the Valkeys by state.
func (m *Model) title() string {
	t := m.env.Theme
	if m.shown == nil {
		return t.Render(theme.Strong, "Valkeys")
	}
	n := len(m.shown.snapshot.Rows)
	word := " Valkeys"
	if n == 1 {
		word = " Valkey"
	}
	parts := []string{t.Render(theme.Strong, strconv.Itoa(n)+word)}
	c := m.shown.counts
	for _, p := range []struct {
		n    int
		sign string
		tone theme.Tone
		word string
	}{
		{c.failed, t.Signs.Fail, theme.Error, "failed"},
		{c.busy, t.Signs.Busy, theme.Busy, "in progress"},
		{c.running, t.Signs.OK, theme.OK, "running"},
		{c.stopped, t.Signs.Off, theme.Dim, "stopped"},
		{c.other, t.Signs.Unknown, theme.Dim, "other"},
	} {
		if p.n > 0 {
			parts = append(parts, t.Render(p.tone, p.sign+" "+strconv.Itoa(p.n)+" "+p.word))
		}
	}
	return strings.Join(parts, "  ")
}

// status says what is chosen and what is hidden.
func (m *Model) status() string {
	t := m.env.Theme
	var parts []string
	if m.shown != nil && !m.shown.snapshot.Synced && m.shown.snapshot.Err == nil {
		parts = append(parts, t.Render(theme.Busy, "loading"+t.Signs.Ellipsis))
	}
	if n := m.table.Marks(); n > 0 {
		parts = append(parts, t.Render(theme.Mark, t.Signs.Mark+" "+strconv.Itoa(n)+" marked"))
	}
	if m.wish.filter != "" && m.shown != nil {
		parts = append(parts, t.Render(theme.Accent, "/"+m.wish.filter)+t.Render(theme.Dim, " "+strconv.Itoa(m.shown.Len())+" of "+
			strconv.Itoa(len(m.shown.snapshot.Rows))))
	}
	left, right := m.table.Hidden()
	if (left || right) && m.shown != nil && m.shown.Len() > 0 {
		more := " columns "
		if left {
			more = t.Signs.KeyLeft + more
		}
		if right {
			more += t.Signs.KeyRight
		}
		parts = append(parts, t.Render(theme.Dim, strings.TrimSpace(more)))
	}
	return strings.Join(parts, "  ")
}

// emptyLines say why nothing is shown, and what to press.
func (m *Model) emptyLines() []string {
	t := m.env.Theme
	key := func(scope keys.Scope, a keys.Action) string {
		return t.Render(theme.Accent, m.env.Keys.First(scope, a))
	}
	var head string
	var hints []string
	switch {
	case m.wish.filter != "" && m.shown != nil && len(m.shown.snapshot.Rows) > 0:
		head = "Nothing matches /" + m.wish.filter
		hints = []string{key(keys.Everywhere, keys.Back) + "  drop the filter"}
	case m.shown == nil || !m.shown.snapshot.Synced && m.shown.snapshot.Err == nil:
		head = "Loading" + t.Signs.Ellipsis
	case m.shown.snapshot.Err != nil:
		head = "Nothing is known yet. It is tried again by itself."
		hints = []string{key(keys.Everywhere, keys.Retry) + "  try now"}
	default:
		head = "There is no Valkey " + m.where() + " yet."
		if !m.env.ReadOnly {
			hints = append(hints, key(keys.List, keys.Create)+"  create the first one")
		}
		if !m.latest.All {
			hints = append(hints, key(keys.List, keys.Namespaces)+"  look in all namespaces")
		}
	}
	hints = append(hints, key(keys.Everywhere, keys.Help)+"  what else there is")
	return m.centre(append([]string{t.Render(theme.Strong, head), ""}, hints...))
}

func (m *Model) where() string {
	if m.latest.All {
		return "in this cluster"
	}
	return "in the namespace " + m.latest.Namespace
}

// centre puts lines in the middle, all with the same left edge.
func (m *Model) centre(text []string) []string {
	width := 0
	for _, l := range text {
		width = max(width, widget.Width(l))
	}
	lines := make([]string, max((m.height-len(text))/3, 0))
	for _, l := range text {
		lines = append(lines, widget.Truncate(widget.Spaces((m.width-width)/2)+l, m.width, m.env.Theme.Signs.Ellipsis))
	}
	return widget.Height(lines, m.height)
}
