package valkeys

import (
	"slices"
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
	v := screen.View{
		Lines:  m.lines(),
		Title:  m.title(true),
		Status: m.status(),
		Hints:  m.env.Hints(keys.List, keys.Everywhere),
		Scopes: []keys.Scope{keys.List, keys.Moving, keys.Everywhere},
	}
	if widget.Width(v.Title)+widget.Width(v.Status)+3 > m.width {
		v.Title = m.title(false)
	}
	if m.prompt != nil {
		fault := ""
		if m.badFilter != "" {
			fault = "  " + m.env.Theme.Signs.Fail + " " + m.badFilter
		}
		v.Prompt = m.prompt.View(max(m.width-2-widget.Width(fault), 1)) + m.env.Theme.Render(theme.Error, fault)
	}
	return v
}

// Words is for screen.Worded.
func (m *Model) Words() (words, figures []string) {
	if r := m.current(); r != nil {
		return []string{m.words(r)}, nil
	}
	return nil, nil
}

// words say the row under the cursor: its place, its name, its status, then all that has a value. Dates are left out: they change by
// themselves.
func (m *Model) words(r *kube.Row) string {
	a := m.shown
	text := "row " + strconv.Itoa(m.table.Cursor()+1) + " of " + strconv.Itoa(m.table.Len()) + ": " + r.Name
	if a.all {
		text += " in " + r.Namespace
	}
	if m.table.IsMarked(string(r.UID)) {
		text += ", marked"
	}
	if a.snapshot.Stale {
		text += ", as last known"
	}
	if r.Deleting {
		text += ", being deleted"
	}
	say := func(i int) {
		if cell := cellOf(r, i); cell.Text != "" && a.snapshot.Columns[i].Type != "date" {
			text += ", " + strings.ToLower(a.snapshot.Columns[i].Name) + " " + cell.Text
		}
	}
	first := []int{a.special.status, a.special.failure}
	for _, i := range first {
		if i >= 0 {
			say(i)
		}
	}
	for _, i := range a.shown {
		if i >= 0 && !slices.Contains(first, i) {
			say(i)
		}
	}
	return text
}

func (m *Model) lines() []string {
	if m.shown != nil && m.shown.Len() > 0 {
		return append(m.table.Lines(), m.detail())
	}
	return m.emptyLines()
}

// detail says what is wrong with the Valkey under the cursor, for which its column may be too narrow.
func (m *Model) detail() string {
	r := m.current()
	if r == nil || r.Error == "" {
		return ""
	}
	t := m.env.Theme
	return " " + t.Render(theme.Error, widget.Truncate(t.Signs.Fail+" "+r.Name+": "+r.Error, m.width-2, t.Signs.Ellipsis))
}

// title counts the Valkeys by state, with a word for each state or with its sign alone.
func (m *Model) title(words bool) string {
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
			text := p.sign + " " + strconv.Itoa(p.n)
			if words {
				text += " " + p.word
			}
			parts = append(parts, t.Render(p.tone, text))
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
	if text := m.wideNote(); text != "" {
		parts = append(parts, t.Render(theme.Dim, text))
	}
	return strings.Join(parts, "  ")
}

// wideNote says where the wide view shows nothing that the narrow one does not.
func (m *Model) wideNote() string {
	if !m.wish.wide || m.shown == nil || m.shown.Len() == 0 {
		return ""
	}
	usual := shownColumns(m.shown.snapshot.Columns, m.shown.all, wish{names: m.wish.names})
	if len(usual) == len(m.shown.shown) {
		return "there are no more columns"
	}
	for i, c := range m.shown.shown {
		if !slices.Contains(usual, c) && m.table.Shows(i) {
			return ""
		}
	}
	if _, right := m.table.Hidden(); right {
		return "no more fit"
	}
	return ""
}

// emptyLines say why nothing is shown, and what to press.
func (m *Model) emptyLines() []string {
	t := m.env.Theme
	var head string
	var hints []widget.Hint
	hint := func(scope keys.Scope, a keys.Action, text string) {
		hints = append(hints, widget.Hint{Key: m.env.Keys.First(scope, a), Text: text})
	}
	switch {
	case m.wish.filter != "" && m.shown != nil && len(m.shown.snapshot.Rows) > 0:
		head = "Nothing matches /" + m.wish.filter
		hint(keys.Everywhere, keys.Back, "drop the filter")
	case m.shown == nil || !m.shown.snapshot.Synced && m.shown.snapshot.Err == nil:
		head = "Loading" + t.Signs.Ellipsis
	case m.shown.snapshot.Err != nil:
		head = "Nothing is known yet. It is tried again by itself."
		hint(keys.Everywhere, keys.Retry, "try now")
	default:
		head = "There is no Valkey " + m.where() + " yet."
		if !m.env.ReadOnly {
			hint(keys.List, keys.Create, "create the first one")
		}
		if !m.latest.All {
			hint(keys.List, keys.Namespaces, "look in all namespaces")
		}
	}
	hint(keys.Everywhere, keys.Help, "what else there is")
	text := []string{t.Render(theme.Strong, head), ""}
	keyWidth := 0
	for _, h := range hints {
		keyWidth = max(keyWidth, widget.Width(h.Key))
	}
	for _, h := range hints {
		text = append(text, t.Render(theme.Accent, widget.Fit(h.Key, keyWidth, ""))+"  "+h.Text)
	}
	return m.centre(text)
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
