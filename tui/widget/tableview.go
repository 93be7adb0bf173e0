package widget

import (
	"strings"

	"kuberly.io/valkey-operator/tui/theme"
)

// gap is the number of cells between two columns, and gutter that of the marks and the cursor at the left edge.
const (
	gap    = 2
	gutter = 3
)

// layout gives each column its width: what it wants where there is room; else titles of several words are broken into two
// lines; else the widest columns shrink, down to their Min. What does not even fit so is scrolled.
func (t *Table) layout() {
	t.twoLines = false
	used := t.measure()
	if used > t.width {
		t.twoLines = true
		if t.measure() >= used {
			t.twoLines = false
		}
	}
	t.choose()
	t.shrink()
	t.left = max(min(t.left, t.maxLeft()), 0)
}

// shrink makes the widest columns narrower until all fit, or none can be narrower.
func (t *Table) shrink() {
	over := gutter - gap - t.width
	for i := range t.columns {
		if t.isChosen(i) {
			over += t.widths[i] + gap
		}
	}
	for over > 0 {
		i := t.widest()
		if i < 0 {
			break
		}
		// Down to the next widest at once, so that a long cell costs no loop of its length.
		cut := max(min(over, t.widths[i]-max(t.least(i), t.secondWidth(i))), 1)
		t.widths[i] -= cut
		over -= cut
	}
}

// choose finds the columns that stay where not all fit at their least, by their rank.
func (t *Table) choose() {
	t.chosen = nil
	used, isRanked := gutter-gap, false
	for i, c := range t.columns {
		used += t.least(i) + gap
		isRanked = isRanked || c.Rank > 0
	}
	if !isRanked || used <= t.width {
		return
	}
	t.chosen = make([]bool, len(t.columns))
	for i := range t.chosen {
		t.chosen[i] = true
	}
	for used > t.width {
		worst := -1
		for i := t.frozen; i < len(t.columns); i++ {
			if t.chosen[i] && (worst < 0 || t.columns[i].Rank <= t.columns[worst].Rank) {
				worst = i
			}
		}
		if worst < 0 || t.columns[worst].Rank == t.bestRank() {
			break // what matters most is cut rather
		}
		t.chosen[worst] = false
		used -= t.least(worst) + gap
	}
}

func (t *Table) bestRank() int {
	best := 0
	for _, c := range t.columns[t.frozen:] {
		best = max(best, c.Rank)
	}
	return best
}

// isChosen says that a column has a place before anything is scrolled.
func (t *Table) isChosen(i int) bool { return len(t.chosen) == 0 || t.chosen[i] }

// measure sets every column to what it wants and returns the sum, gaps included.
func (t *Table) measure() int {
	t.widths = make([]int, len(t.columns))
	used := gutter - gap
	for i, c := range t.columns {
		t.widths[i] = max(c.Want, t.titleWidth(i))
		used += t.widths[i] + gap
	}
	return used
}

// titleWidth is the room that a title takes, with the sign of the order.
func (t *Table) titleWidth(i int) int {
	upper, lower := t.titleLines(t.columns[i].Title)
	if i == t.sorted {
		return max(Width(upper), Width(lower)+1)
	}
	return max(Width(upper), Width(lower))
}

// titleLines are the one or two lines of a title; the lower one is never empty.
func (t *Table) titleLines(title string) (upper, lower string) {
	if t.twoLines {
		if i := strings.LastIndexByte(title, ' '); i > 0 {
			return title[:i], title[i+1:]
		}
	}
	return "", title
}

// least is the width to which a column may shrink: its whole width where it has no Min. A title is never cut.
func (t *Table) least(i int) int {
	if t.columns[i].Min == 0 {
		return t.widths[i]
	}
	return max(t.columns[i].Min, t.titleWidth(i))
}

// widest is the widest column that can still shrink, -1 for none.
func (t *Table) widest() int {
	best := -1
	for i := range t.columns {
		if t.isChosen(i) && t.widths[i] > t.least(i) && (best < 0 || t.widths[i] > t.widths[best]) {
			best = i
		}
	}
	return best
}

// secondWidth is the width of the widest column that can shrink, beside one.
func (t *Table) secondWidth(but int) int {
	second := 0
	for i := range t.columns {
		if i != but && t.isChosen(i) && t.widths[i] > t.least(i) {
			second = max(second, t.widths[i])
		}
	}
	return second
}

// maxLeft is how many columns may be scrolled out until the last one is whole.
func (t *Table) maxLeft() int {
	room := t.width - gutter
	for i := range t.frozen {
		room -= t.widths[i] + gap
	}
	n := len(t.columns)
	for n > t.frozen {
		room -= t.widths[n-1]
		if room < 0 {
			break
		}
		room -= gap
		n--
	}
	// At least one column that is not frozen stays.
	left := max(min(n-t.frozen, len(t.columns)-t.frozen-1), 0)
	if t.chosen != nil {
		left++ // the first place is that of the chosen ones: only then all come, from the first on
	}
	return left
}

// Hidden says whether columns are scrolled out at the left, and whether more are at the right.
func (t *Table) Hidden() (left, right bool) { return t.left > 0, t.left < t.maxLeft() }

// Lines draws the header and the rows that are seen, as many lines as the table has height.
func (t *Table) Lines() []string {
	if t.height == 0 || t.width == 0 {
		return nil
	}
	if t.width <= gutter {
		return Height(nil, t.height)
	}
	lines := make([]string, 0, t.height)
	if t.twoLines {
		lines = append(lines, t.header(func(title string) string { upper, _ := t.titleLines(title); return upper }))
	}
	lines = append(lines, t.header(func(title string) string { _, lower := t.titleLines(title); return lower }))
	for i, end := t.Seen(); i < end; i++ {
		lines = append(lines, t.row(i))
	}
	return Height(lines, t.height)
}

// each calls draw for every column that is seen, with the cells that it has. A column is cut at the right edge only where it
// is long text, or where nothing else would be seen.
func (t *Table) each(draw func(column, width int)) {
	used, drawn := gutter, 0
	for i := range t.columns {
		if t.isOut(i) {
			continue
		}
		w := min(t.widths[i], t.width-used)
		if w <= 0 || w < t.least(i) && drawn > t.frozen {
			return
		}
		draw(i, w)
		used += w + gap
		drawn++
	}
}

// isOut says that a column is not drawn: scrolled out at the left, or left out for others before anything is scrolled.
func (t *Table) isOut(i int) bool {
	switch {
	case i < t.frozen:
		return false
	case t.chosen == nil:
		return i < t.frozen+t.left
	case t.left == 0:
		return !t.chosen[i]
	default:
		return i < t.frozen+t.left-1
	}
}

// Shows says whether a column is drawn now.
func (t *Table) Shows(column int) bool {
	seen := false
	t.each(func(i, _ int) { seen = seen || i == column })
	return seen
}

// header is one line of the titles; part picks it from a title.
func (t *Table) header(part func(title string) string) string {
	line := make([]byte, 0, 2*t.width)
	line = append(line, Spaces(gutter)...)
	first := true
	t.each(func(i, w int) {
		if !first {
			line = append(line, Spaces(gap)...)
		}
		first = false
		title, tone := part(t.columns[i].Title), theme.Dim
		if i == t.sorted && title != "" {
			tone = theme.Accent
			title = t.withOrder(title, t.columns[i].Title, w)
		}
		fit := Fit
		if t.columns[i].Right {
			fit = FitRight
		}
		line = t.theme.Style(tone).Append(line, fit(title, w, t.theme.Signs.Ellipsis))
	})
	return string(line)
}

// withOrder adds the sign of the order to the lower line of the title.
func (t *Table) withOrder(part, title string, width int) string {
	if _, lower := t.titleLines(title); part != lower {
		return part
	}
	sign := t.theme.Signs.Up
	if t.descending {
		sign = t.theme.Signs.Down
	}
	return Truncate(part, width-1, t.theme.Signs.Ellipsis) + sign
}

func (t *Table) row(i int) string {
	key := t.source.Key(i)
	selected, marked := i == t.cursor && !t.noCursor, t.IsMarked(key)
	style := t.theme.Style
	switch {
	case selected:
		style = t.theme.Selected
	case marked:
		style = t.theme.Marked
	}
	line := make([]byte, 0, 3*t.width)
	cursor, mark := " ", " "
	if selected {
		cursor = t.theme.Signs.Cursor
	}
	if marked {
		mark = t.theme.Signs.Mark
	}
	line = style(theme.Accent).Append(line, cursor)
	line = style(theme.Mark).Append(line, mark+" ")
	used := gutter
	first := true
	t.each(func(c, w int) {
		if !first {
			line = style(theme.Text).Append(line, Spaces(gap))
			used += gap
		}
		first = false
		text, tone := t.source.Cell(i, c)
		switch {
		case t.stale && !selected:
			tone = theme.Dim
		case marked && tone == theme.Text:
			tone = theme.Mark
		}
		fit := Fit
		if t.columns[c].Right {
			fit = FitRight
		}
		line = style(tone).Append(line, fit(text, w, t.theme.Signs.Ellipsis))
		used += w
	})
	if selected {
		line = style(theme.Text).Append(line, Spaces(t.width-used))
	}
	return string(line)
}
