package widget

import (
	"github.com/charmbracelet/x/ansi"

	"kuberly.io/valkey-operator/tui/theme"
)

// Frame draws a box of the width around the lines, with a title in its upper edge. Lines that are too wide are cut.
func Frame(t *theme.Theme, tone theme.Tone, title string, lines []string, width int) []string {
	if width < 4 {
		return Height(nil, len(lines)+2)
	}
	edge := t.Style(tone)
	inner := width - 4
	if title != "" {
		title = " " + Truncate(title, width-6, t.Signs.Ellipsis) + " "
	}
	framed := make([]string, 0, len(lines)+2)
	top := edge.Render(t.Box.TopLeft+t.Box.Horizontal) + t.Render(theme.Strong, title) +
		edge.Render(rule(t, width-3-Width(title))+t.Box.TopRight)
	framed = append(framed, top)
	for _, l := range lines {
		framed = append(framed, edge.Render(t.Box.Vertical)+" "+Fit(l, inner, t.Signs.Ellipsis)+" "+edge.Render(t.Box.Vertical))
	}
	return append(framed, edge.Render(t.Box.BottomLeft+rule(t, width-2)+t.Box.BottomRight))
}

// Rule is a line across the width.
func Rule(t *theme.Theme, width int) string { return t.Render(theme.Bar, rule(t, width)) }

func rule(t *theme.Theme, width int) string {
	line := make([]byte, 0, 3*max(width, 0))
	for range max(width, 0) {
		line = append(line, t.Box.Horizontal...)
	}
	return string(line)
}

// OverlayAt is the place of the box's upper left corner in an Overlay.
func OverlayAt(box []string, width, height int) (left, top int) {
	return max((width-widest(box))/2, 0), max((height-len(box))/2, 0)
}

func widest(lines []string) int {
	most := 0
	for _, l := range lines {
		most = max(most, Width(l))
	}
	return most
}

// Overlay draws the box in the middle of the screen of the given size. What lies beneath is dimmed, so that the eye goes
// to the box.
func Overlay(t *theme.Theme, under, box []string, width, height int) []string {
	under = Height(append([]string(nil), under...), height)
	boxWidth := widest(box)
	left, top := OverlayAt(box, width, height)
	for i := range under {
		plain := ansi.Strip(under[i])
		if i < top || i >= top+len(box) {
			under[i] = t.Render(theme.Bar, plain)
			continue
		}
		line := Fit(box[i-top], boxWidth, "")
		before := Fit(ansi.Truncate(plain, left, ""), left, "")
		after := ansi.TruncateLeft(plain, left+boxWidth, "")
		under[i] = t.Render(theme.Bar, before) + line + t.Render(theme.Bar, after)
	}
	return under
}
