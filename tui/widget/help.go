package widget

import "kuberly.io/valkey-operator/tui/theme"

// Hint is one key and what it does. Off says that it does nothing at the moment, Keep that it is shown before others where the room is
// scarce.
type Hint struct {
	Key, Text string
	Off, Keep bool
	// Press is the name of the key, for who clicks the hint; empty for a hint that is no one key.
	Press string
}

func (h Hint) width() int { return Width(h.Key) + 1 + Width(h.Text) }

// tones are those of the key and of the text.
func (h Hint) tones() (key, text theme.Tone) {
	if h.Off {
		return theme.Bar, theme.Bar
	}
	return theme.Accent, theme.Dim
}

// Section is a titled list of hints.
type Section struct {
	Title string
	Hints []Hint
}

// hintGap is the number of cells between two hints.
const hintGap = 2

// Hints draws as many hints on one line as fit. Those to keep find room before the others.
func Hints(t *theme.Theme, hints []Hint, width int) string {
	var buf []byte
	for i, h := range fitting(hints, width) {
		if i > 0 {
			buf = append(buf, Spaces(hintGap)...)
		}
		key, text := h.tones()
		buf = t.Style(key).Append(buf, h.Key)
		buf = append(buf, ' ')
		buf = t.Style(text).Append(buf, h.Text)
	}
	return string(buf)
}

// HintAt is the hint that is drawn at a cell of that line.
func HintAt(hints []Hint, width, x int) (hit Hint, found bool) {
	left := 0
	for _, h := range fitting(hints, width) {
		if x >= left && x < left+h.width() {
			return h, true
		}
		left += h.width() + hintGap
	}
	return Hint{}, false
}

// fitting are the hints that are drawn.
func fitting(hints []Hint, width int) []Hint {
	room := width
	for _, h := range hints {
		if h.Keep {
			room -= h.width() + hintGap
		}
	}
	var shown []Hint
	used, full := 0, false
	for _, h := range hints {
		w := h.width()
		if len(shown) > 0 {
			w += hintGap
		}
		if !h.Keep {
			if full = full || w > room; full {
				continue
			}
			room -= w
		}
		if used+w > width {
			break
		}
		shown = append(shown, h)
		used += w
	}
	return shown
}

// HelpLines lays the sections out below each other, or in two columns where the width allows it.
func HelpLines(t *theme.Theme, sections []Section, width int) []string {
	const gap = 3
	if width >= 96 {
		left, right := split(sections)
		half := (width - gap) / 2
		a, b := helpColumn(t, left, half), helpColumn(t, right, half)
		n := max(len(a), len(b))
		a, b = Height(a, n), Height(b, n)
		lines := make([]string, n)
		for i := range lines {
			lines[i] = Fit(a[i], half, "") + Spaces(gap) + b[i]
		}
		return lines
	}
	return helpColumn(t, sections, width)
}

// split divides the sections into two halves of about the same length.
func split(sections []Section) (left, right []Section) {
	total := 0
	for _, s := range sections {
		total += len(s.Hints) + 2
	}
	used := 0
	for i, s := range sections {
		if 2*used >= total {
			return sections[:i], sections[i:]
		}
		used += len(s.Hints) + 2
	}
	return sections, nil
}

func helpColumn(t *theme.Theme, sections []Section, width int) []string {
	keyWidth := 0
	for _, s := range sections {
		for _, h := range s.Hints {
			keyWidth = max(keyWidth, Width(h.Key))
		}
	}
	keyWidth = min(keyWidth, width/3)
	var lines []string
	for i, s := range sections {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, t.Render(theme.Strong, Truncate(s.Title, width, t.Signs.Ellipsis)))
		for _, h := range s.Hints {
			key, text := h.tones()
			if !h.Off {
				text = theme.Text
			}
			lead := t.Render(key, Fit(h.Key, keyWidth, t.Signs.Ellipsis)) + "  "
			for _, part := range Wrap(h.Text, width-keyWidth-2) {
				lines = append(lines, lead+t.Render(text, part))
				lead = Spaces(keyWidth + 2)
			}
		}
	}
	return lines
}
