package pick

import (
	"strconv"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const (
	boxWidth = 76
	boxRows  = 14
	// headLines are the frame's edge, the prompt and the line below it; footLines a line that says something and the edge.
	headLines, footLines = 3, 2
)

// room is the number of items that are seen at a time.
func (m *Model) room() int { return max(min(boxRows, m.height-headLines-footLines-2), 1) }

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	width := min(boxWidth, m.width)
	inner := width - 4
	lines := []string{m.prompt.View(inner), ""}
	nameWidth := 0
	for i := range m.items {
		nameWidth = max(nameWidth, widget.Width(m.items[i].Name))
	}
	nameWidth = min(nameWidth, max(inner/2, inner-30))
	for i := range m.room() {
		if row := m.top + i; row < len(m.items) {
			lines = append(lines, m.line(row, nameWidth, inner))
		} else {
			lines = append(lines, "")
		}
	}
	lines = append(lines, m.foot(inner))
	return screen.View{
		Lines:  widget.Frame(t, theme.Accent, m.source.Title, lines, width),
		Hints:  m.env.Hints(keys.Pick),
		Dialog: true,
		Scopes: []keys.Scope{keys.Pick},
	}
}

// Words is for screen.Worded: what is typed and what is chosen by it.
func (m *Model) Words() (words, figures []string) {
	words = []string{m.source.Title + " " + m.source.Label + m.prompt.Value(), m.foot(boxWidth)}
	if it := m.current(); it.Name != "" {
		text := strconv.Itoa(m.cursor+1) + " of " + strconv.Itoa(len(m.items)) + ": " + it.Name
		if it.Why != "" {
			it.Detail = it.Why
		}
		if it.Detail != "" {
			text += ", " + it.Detail
		}
		if it.Key != "" {
			text += ", key " + it.Key
		}
		words = append(words, text)
	}
	return words, nil
}

func (m *Model) line(row, nameWidth, width int) string {
	t := m.env.Theme
	it := m.items[row]
	style, sign := t.Style, " "
	if row == m.cursor {
		style, sign = t.Selected, t.Signs.Cursor
	}
	name, detail := theme.Text, it.Detail
	if it.Why != "" {
		name, detail = theme.Dim, it.Why
	}
	tail := t.Signs.Ellipsis
	keyWidth := widget.Width(it.Key)
	room := max(width-nameWidth-keyWidth-5, 0)
	return style(theme.Accent).Render(sign+" ") +
		style(name).Render(widget.Fit(it.Name, nameWidth, tail)) +
		style(theme.Dim).Render("  "+widget.Fit(detail, room, tail)+" ") +
		style(theme.Accent).Render(it.Key)
}

// foot says what is wrong, or how many there are.
func (m *Model) foot(width int) string {
	t := m.env.Theme
	switch {
	case m.told != "":
		return t.Render(theme.Error, widget.Truncate(t.Signs.Fail+" "+m.told, width, t.Signs.Ellipsis))
	case m.note != "":
		return t.Render(theme.Warn, widget.Truncate(t.Signs.Warn+" "+m.note, width, t.Signs.Ellipsis))
	case len(m.items) == 0:
		return t.Render(theme.Dim, widget.Truncate(m.none(), width, t.Signs.Ellipsis))
	case len(m.items) > m.room():
		return t.Render(theme.Dim, strconv.Itoa(m.cursor+1)+" of "+strconv.Itoa(len(m.items)))
	default:
		return ""
	}
}
