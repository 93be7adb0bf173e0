package form

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/schema"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const (
	formWidth  = 100
	labelWidth = 12
	// advancedWidth is the room for the names of the other fields.
	advancedWidth = 26
	// hintLines is how much is said of the field that takes keys.
	hintLines = 2
)

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = width, height
	for _, f := range m.fields {
		room := m.room(f)
		f.line.Width = room - 1
		if f.isArea() {
			f.area.SetWidth(room)
			f.area.SetHeight(max(min(areaHeight, height-4), 1))
		}
	}
	if m.fields != nil {
		m.scroll()
	}
}

func (m *Model) formWidth() int { return max(min(m.width-2, formWidth), 20) }

func labelOf(f *field) int {
	if f.advanced {
		return advancedWidth
	}
	return labelWidth
}

// room is what is left for the value of a field.
func (m *Model) room(f *field) int { return max(m.formWidth()-labelOf(f)-2, 8) }

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	head := m.head()
	lines, _, _ := m.body()
	shown := lines[min(m.top, len(lines)):]
	v := screen.View{
		Lines:  widget.Height(append(head, shown...), m.height),
		Title:  t.Render(theme.Strong, m.title()),
		Hints:  m.hints(),
		Scopes: []keys.Scope{keys.Form},
	}
	switch {
	case m.sending:
		v.Status = t.Render(theme.Busy, t.Signs.Busy+" asking the server"+t.Signs.Ellipsis)
	case m.fields == nil && m.above == nil:
		v.Status = t.Render(theme.Busy, t.Signs.Busy+" reading it"+t.Signs.Ellipsis)
	case len(m.refused) > 0 || m.above != nil:
		v.Status = t.Render(theme.Error, t.Signs.Fail+" "+m.notDone())
	case m.wasTyped:
		v.Status = t.Render(theme.Dim, "with what was typed before; "+m.env.Keys.First(keys.Form, keys.Renew)+" starts anew")
	case !m.isNew() && m.fields != nil && m.isChanged():
		v.Status = t.Render(theme.Accent, "changed")
	}
	return v
}

// Words is for screen.Worded: the field that takes keys, and what is wrong with it or with all of it.
func (m *Model) Words() (words, figures []string) {
	if m.fields == nil {
		return nil, nil
	}
	f := m.focused()
	value := f.value()
	switch {
	case value == "" && f.line.Placeholder != "":
		value = "empty: " + f.line.Placeholder
	case value == "":
		value = "not set"
	case f.Path == pathPassword && !m.shown:
		value = "typed, not shown"
	}
	words = append([]string{f.label + ": " + clean.Block(value)}, clean.Text(m.refused[f.Path]), f.hint)
	if m.above != nil {
		words = append(words, m.above.Error())
	}
	return slices.DeleteFunc(words, func(s string) bool { return s == "" }), nil
}

func (m *Model) notDone() string {
	if m.isNew() {
		return "not created"
	}
	return "not changed"
}

func (m *Model) hints() []widget.Hint {
	hints := m.env.Hints(keys.Form)
	for i := range hints {
		action := m.env.Keys.Action(hints[i].Press, keys.Form)
		hints[i].Keep = action == keys.Submit || action == keys.Back
	}
	if m.fields == nil || len(m.focused().offered) == 0 {
		return hints
	}
	b, _ := m.env.Keys.Find(keys.Form, keys.Choose)
	if len(b.Keys) == 0 {
		return hints
	}
	return append([]widget.Hint{{Key: m.env.Label(b.Keys[0]), Text: "choose"}}, hints...)
}

// head is what stands above the fields: what is wrong with none of them in particular.
func (m *Model) head() []string {
	if m.above == nil {
		return []string{""}
	}
	return append(append([]string{""}, widget.Banner(m.env.Theme, theme.Alarm, m.above.Error(), m.width, 3)...), "")
}

// body is all the fields, with the lines from and to of the one that takes keys.
func (m *Model) body() (lines []string, from, to int) {
	t := m.env.Theme
	wasAdvanced := false
	for i, f := range m.fields {
		if f.advanced && !wasAdvanced {
			lines = append(lines, "", "  "+t.Render(theme.Strong, "Advanced"))
			wasAdvanced = true
		}
		if i == m.at {
			from = len(lines)
		}
		lines = append(lines, m.fieldLines(f, i == m.at)...)
		if i == m.at {
			to = len(lines)
		}
	}
	return lines, from, to
}

// scroll keeps the field that takes keys in sight.
func (m *Model) scroll() {
	if m.fields == nil || m.height <= 0 {
		return
	}
	lines, from, to := m.body()
	room := max(m.height-len(m.head()), 1)
	if to > m.top+room {
		m.top = to - room
	}
	if from < m.top {
		m.top = from
	}
	if m.at == 0 || len(lines) <= room {
		m.top = 0
	}
}

// fieldLines are a field's label and value, and beneath it what is wrong with it and what it is for.
func (m *Model) fieldLines(f *field, isFocused bool) []string {
	t := m.env.Theme
	lead, tone := "  ", theme.Dim
	if isFocused {
		lead, tone = t.Render(theme.Accent, t.Signs.Cursor)+" ", theme.Strong
	}
	label := t.Render(tone, widget.Fit(f.label, labelOf(f)-1, t.Signs.Ellipsis)) + " "
	values := m.valueLines(f, isFocused)
	indent := widget.Spaces(labelOf(f) + 2)
	lines := []string{lead + label + values[0]}
	for _, v := range values[1:] {
		lines = append(lines, indent+v)
	}
	for i, l := range widget.Wrap(clean.Text(m.refused[f.Path]), m.room(f)-2) {
		sign := t.Signs.Fail + " "
		if i > 0 {
			sign = "  "
		}
		if l != "" {
			lines = append(lines, indent+t.Render(theme.Error, sign+l))
		}
	}
	if isFocused {
		for i, l := range widget.Wrap(f.hint, m.room(f)) {
			if i < hintLines && l != "" {
				lines = append(lines, indent+t.Render(theme.Dim, l))
			}
		}
	}
	return lines
}

// valueLines are what is typed: of several lines only the first, unless the field takes keys.
func (m *Model) valueLines(f *field, isFocused bool) []string {
	t := m.env.Theme
	switch {
	case f.Kind == schema.Choice:
		return []string{m.choice(f, isFocused) + m.was(f)}
	case f.isArea() && isFocused:
		return strings.Split(f.area.View(), "\n")
	case f.value() == "" && f.isArea():
		return []string{t.Render(theme.Dim, "not set")}
	case f.isArea():
		first, rest, more := strings.Cut(f.area.Value(), "\n")
		first = clean.Text(first)
		if more {
			first += fmt.Sprintf(" (%d more)", strings.Count(rest, "\n")+1)
		}
		return []string{widget.Truncate(first, m.room(f), t.Signs.Ellipsis)}
	case isFocused:
		return []string{f.line.View()}
	case f.line.Value() == "":
		placeholder := f.line.Placeholder
		if placeholder == "" {
			placeholder = "not set"
		}
		return []string{t.Render(theme.Dim, widget.Truncate(placeholder, m.room(f), t.Signs.Ellipsis))}
	case f.Path == pathPassword:
		return []string{f.line.View()}
	default:
		value := widget.Truncate(clean.Text(f.line.Value()), m.room(f), t.Signs.Ellipsis)
		return []string{value + m.was(f)}
	}
}

// choice is what is chosen, between the signs of the keys that choose otherwise.
func (m *Model) choice(f *field, isFocused bool) string {
	t := m.env.Theme
	word := choiceWord(f.pick)
	switch {
	case word == "" && f.Default != "":
		word = t.Render(theme.Dim, f.Default)
	case word == "":
		word = t.Render(theme.Dim, "not set")
	}
	if !isFocused {
		return word
	}
	return t.Render(theme.Accent, t.Signs.Left) + " " + word + " " + t.Render(theme.Accent, t.Signs.Right)
}

// choiceWord is a choice as it reads.
func choiceWord(pick string) string {
	switch pick {
	case "true":
		return "yes"
	case "false":
		return "no"
	default:
		return pick
	}
}

// was is what stood there before, where that is something else.
func (m *Model) was(f *field) string {
	if m.isNew() || f.value() == f.initial {
		return ""
	}
	before := f.initial
	if f.Kind == schema.Choice {
		if cmp.Or(f.value(), f.Default) == cmp.Or(f.initial, f.Default) {
			return "" // it reads as before
		}
		before = choiceWord(before)
	}
	if before == "" {
		before = "not set"
	}
	return "  " + m.env.Theme.Render(theme.Accent, "was "+widget.Truncate(clean.Text(before), 30, m.env.Theme.Signs.Ellipsis))
}
