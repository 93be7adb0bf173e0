package widget

import "kuberly.io/valkey-operator/tui/theme"

// Column of a table.
type Column struct {
	Title string
	// Want is the width at which nothing is cut, Min the least that is worth showing. Cells are Right-aligned or not.
	Want, Min int
	Right     bool
	// Rank says which columns stay where not all fit: those of the lowest rank are left out first, the last ones of it before others. Where
	// all have 0 what does not fit is at the right, to be scrolled to.
	Rank int
}

// Source is what a table shows. It is not changed after it was handed to the table: a table gets a new one.
type Source interface {
	Len() int
	// Key identifies a row wherever it stands.
	Key(row int) string
	// Cell is the text of a cell, on one line, and its meaning.
	Cell(row, column int) (string, theme.Tone)
}

// Table shows the rows of a Source that fit, and keeps a cursor that follows its row by key.
type Table struct {
	theme         *theme.Theme
	columns       []Column
	frozen        int // columns at the left that do not scroll
	widths        []int
	chosen        []bool // the columns that are drawn before anything is scrolled; nil where all fit, or none has a rank
	twoLines      bool   // of titles
	source        Source
	width, height int

	cursor int
	top    int
	left   int // scrolled-out columns after the frozen ones
	marks  map[string]struct{}

	sorted     int // column, -1 for none
	descending bool
	stale      bool
	noCursor   bool
}

// NewTable makes an empty table.
func NewTable(t *theme.Theme) *Table {
	return &Table{theme: t, source: empty{}, sorted: -1, marks: map[string]struct{}{}}
}

type empty struct{}

func (empty) Len() int                           { return 0 }
func (empty) Key(int) string                     { return "" }
func (empty) Cell(int, int) (string, theme.Tone) { return "", theme.Text }

// SetSize gives the table its room, the header included.
func (t *Table) SetSize(width, height int) {
	t.width, t.height = max(width, 0), max(height, 0)
	t.layout()
	t.scroll()
}

// SetColumns sets the columns; the first frozen ones stay where they are when the others scroll.
func (t *Table) SetColumns(columns []Column, frozen int) {
	t.columns, t.frozen = columns, min(frozen, len(columns))
	t.layout()
}

// SetSorted shows by which column the rows are sorted; -1 for none.
func (t *Table) SetSorted(column int, descending bool) {
	t.sorted, t.descending = column, descending
	t.layout()
}

// SetStale shows the rows as last known ones.
func (t *Table) SetStale(stale bool) { t.stale = stale }

// HideCursor makes it a table to look at only.
func (t *Table) HideCursor() { t.noCursor = true }

// SetSource replaces the rows. The cursor stays on its row; where that is gone it goes to the nearest neighbour that is left,
// below first.
func (t *Table) SetSource(s Source) {
	old, at := t.source, t.cursor
	t.source = s
	if s.Len() == 0 {
		t.cursor, t.top = 0, 0
		return
	}
	if old.Len() > 0 {
		offset := at - t.top
		t.cursor = follow(old, at, s)
		// The row stays where it is on the screen, so that the eye keeps it.
		t.top = t.cursor - offset
	}
	t.scroll()
}

// follow finds the place in now of the row that stood at a place in old.
func follow(old Source, at int, now Source) int {
	if i := find(now, old.Key(at), at); i >= 0 {
		return i
	}
	places := make(map[string]int, now.Len())
	for i := range now.Len() {
		places[now.Key(i)] = i
	}
	for i := at + 1; i < old.Len(); i++ {
		if p, found := places[old.Key(i)]; found {
			return p
		}
	}
	for i := at - 1; i >= 0; i-- {
		if p, found := places[old.Key(i)]; found {
			return p
		}
	}
	return min(at, now.Len()-1)
}

// find looks for the key, first where it was.
func find(s Source, key string, guess int) int {
	if guess < s.Len() && s.Key(guess) == key {
		return guess
	}
	for i := range s.Len() {
		if s.Key(i) == key {
			return i
		}
	}
	return -1
}

// Len is the number of rows.
func (t *Table) Len() int { return t.source.Len() }

// Cursor is the place of the cursor's row, -1 where there is none.
func (t *Table) Cursor() int {
	if t.source.Len() == 0 {
		return -1
	}
	return t.cursor
}

// CursorKey is the key of the cursor's row; empty where there is none.
func (t *Table) CursorKey() string {
	if t.source.Len() == 0 {
		return ""
	}
	return t.source.Key(t.cursor)
}

// Move moves the cursor by a number of rows.
func (t *Table) Move(by int) { t.MoveTo(t.cursor + by) }

// MoveTo puts the cursor on a row, or on the nearest there is.
func (t *Table) MoveTo(row int) {
	t.cursor = max(min(row, t.source.Len()-1), 0)
	t.scroll()
}

// Page moves the cursor by a number of screens.
func (t *Table) Page(by int) { t.Move(by * max(t.rows()-1, 1)) }

// Select puts the cursor on the row with the key and says whether there is one.
func (t *Table) Select(key string) bool {
	i := find(t.source, key, t.cursor)
	if i >= 0 {
		t.MoveTo(i)
	}
	return i >= 0
}

// Scroll moves the columns that are not frozen.
func (t *Table) Scroll(by int) {
	t.left = max(min(t.left+by, t.maxLeft()), 0)
}

// Seen are the rows that are drawn: from first up to end.
func (t *Table) Seen() (first, end int) {
	return t.top, min(t.top+t.rows(), t.source.Len())
}

// RowAt is the row that is drawn on a line of the table, -1 for none; line 0 is the header.
func (t *Table) RowAt(line int) int {
	row := t.top + line - t.head()
	if line < t.head() || line >= t.height || row >= t.source.Len() {
		return -1
	}
	return row
}

// rows is the number of rows that fit below the header.
func (t *Table) rows() int { return max(t.height-t.head(), 0) }

// head is the number of lines of the header.
func (t *Table) head() int {
	if t.twoLines {
		return 2
	}
	return 1
}

// scroll keeps the cursor on the screen, and the screen full.
func (t *Table) scroll() {
	rows := max(t.rows(), 1)
	if t.cursor < t.top {
		t.top = t.cursor
	}
	if t.cursor >= t.top+rows {
		t.top = t.cursor - rows + 1
	}
	t.top = max(min(t.top, t.source.Len()-rows), 0)
}

// HeaderAt is the column whose title is drawn at a place, -1 for none.
func (t *Table) HeaderAt(x, line int) int {
	if line < 0 || line >= t.head() {
		return -1
	}
	hit, left := -1, gutter
	t.each(func(column, width int) {
		if x >= left && x < left+width+gap {
			hit = column
		}
		left += width + gap
	})
	return hit
}
