package widget

import "kuberly.io/valkey-operator/tui/theme"

// tabSpan is a tab that is shown, and its cells.
type tabSpan struct {
	tab, left, width int
}

// Tabs draws the titles of tabs on one line, the one in use set off. Where they do not all fit, those around it are shown.
func Tabs(t *theme.Theme, titles []string, active, width int) string {
	spans := tabSpans(titles, active, width)
	var buf []byte
	for i, s := range spans {
		if i == 0 && s.tab > 0 {
			buf = t.Style(theme.Dim).Append(buf, t.Signs.Left)
		}
		style := t.Style(theme.Dim)
		if s.tab == active {
			style = t.Selected(theme.Accent)
		}
		buf = style.Append(buf, Fit(" "+titles[s.tab]+" ", s.width, ""))
	}
	if n := len(spans); n > 0 && spans[n-1].tab < len(titles)-1 {
		buf = t.Style(theme.Dim).Append(buf, t.Signs.Right)
	}
	return string(buf)
}

// TabAt is the tab that Tabs draws at a place, -1 for none.
func TabAt(titles []string, active, width, x int) int {
	for _, s := range tabSpans(titles, active, width) {
		if x >= s.left && x < s.left+s.width {
			return s.tab
		}
	}
	return -1
}

// tabSpans are the tabs that are shown: from the first one with which the active one fits.
func tabSpans(titles []string, active, width int) []tabSpan {
	for from := 0; from < active; from++ {
		spans := tabsFrom(titles, from, width)
		if n := len(spans); n > 0 && spans[n-1].tab >= active {
			return spans
		}
	}
	return tabsFrom(titles, active, width)
}

func tabsFrom(titles []string, from, width int) []tabSpan {
	var spans []tabSpan
	left := 0
	if from > 0 {
		left = 1 // for the sign that there are more
	}
	for i := from; i < len(titles); i++ {
		room := width - left
		if i < len(titles)-1 {
			room--
		}
		w := Width(titles[i]) + 2
		if w > room {
			break
		}
		spans = append(spans, tabSpan{i, left, w})
		left += w
	}
	return spans
}
