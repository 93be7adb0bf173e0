package screen

import (
	"strconv"

	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// TargetLines are one line for each of several Valkeys: how it is, and how the action on it went. top is scrolled
// to, and kept in bounds.
func TargetLines(t *theme.Theme, items []Target, batch *Batch, top *int, width, room int, done string) []string {
	nameWidth := 0
	for _, it := range items {
		nameWidth = max(nameWidth, widget.Width(it.Ref.String()))
	}
	nameWidth = min(nameWidth, width/2)
	from, to := Window(len(items), *top, max(room, 1))
	*top = from
	var lines []string
	for i, it := range items[from:to] {
		line := widget.Fit(it.Ref.String(), nameWidth, t.Signs.Ellipsis) + "  "
		switch {
		case it.Gone:
			line += t.Render(theme.Dim, "gone, or going")
		case it.Row != nil:
			sign, tone := Phase(t, it.Row)
			line += t.Render(tone, sign+" "+strconv.Itoa(int(it.Row.Ready))+" of "+strconv.Itoa(int(it.Row.Replicas)))
			if it.Why != "" && !batch.ActsOn(from+i) {
				line += "  " + t.Render(theme.Dim, it.Why)
			}
		}
		if result := batch.Line(t, from+i, done); result != "" {
			line += "  " + result
		}
		lines = append(lines, line)
	}
	if rest := len(items) - to + from; rest > 0 {
		lines = append(lines, t.Render(theme.Dim, strconv.Itoa(rest)+" more: up, down"))
	}
	return lines
}
