package widget

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"kuberly.io/valkey-operator/tui/theme"
)

// rows is a Source: the first word of a row is its key.
type rows [][]string

func (r rows) Len() int                                { return len(r) }
func (r rows) Key(i int) string                        { return r[i][0] }
func (r rows) Cell(i, column int) (string, theme.Tone) { return r[i][column], theme.OK }
func keyed(keys ...string) (r rows) {
	for _, k := range keys {
		r = append(r, []string{k, "value of " + k})
	}
	return r
}

func testTheme(d theme.Depth) *theme.Theme {
	return theme.New(theme.Options{Dark: true, Depth: d, Unicode: true})
}

func newTestTable(width, height int, source rows) *Table {
	t := NewTable(testTheme(theme.TrueColor))
	t.SetColumns([]Column{{Title: "NAME", Want: 6, Min: 4}, {Title: "VALUE", Want: 12, Min: 6}}, 1)
	t.SetSize(width, height)
	t.SetSource(source)
	return t
}

// case 1 (dashboard): the selection follows the object, not its row; when the object goes, the neighbour.
func TestCursorFollowsItsRow(t *testing.T) {
	tests := map[string]struct {
		before []string
		at     string
		after  []string
		want   string
	}{
		"when rows are sorted anew":                     {[]string{"a", "b", "c"}, "b", []string{"c", "b", "a"}, "b"},
		"when a row comes before it":                    {[]string{"b", "c"}, "b", []string{"a", "b", "c"}, "b"},
		"when rows before it go":                        {[]string{"a", "b", "c"}, "c", []string{"c"}, "c"},
		"to the one below when it goes":                 {[]string{"a", "b", "c"}, "b", []string{"a", "c"}, "c"},
		"to the one above when it was the last":         {[]string{"a", "b", "c"}, "c", []string{"a", "b"}, "b"},
		"to the nearest one left, wherever that is now": {[]string{"a", "b", "c", "d"}, "b", []string{"d", "a"}, "d"},
		"to any row when all are others":                {[]string{"a", "b", "c"}, "c", []string{"x", "y"}, "y"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			table := newTestTable(40, 10, keyed(test.before...))
			if !table.Select(test.at) {
				t.Fatalf("no row %s", test.at)
			}
			table.SetSource(keyed(test.after...))
			if got := table.CursorKey(); got != test.want {
				t.Errorf("the cursor is on %q, want %q", got, test.want)
			}
		})
	}
}

func TestCursorStaysOnItsLineOfTheScreen(t *testing.T) {
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprintf("k%03d", i))
	}
	table := newTestTable(40, 11, keyed(many...))
	table.MoveTo(50)
	table.Move(-4)
	line := func() int {
		for i, l := range table.Lines() {
			if strings.Contains(l, table.CursorKey()) {
				return i
			}
		}
		return -1
	}
	before := line()
	table.SetSource(keyed(append([]string{"new1", "new2", "new3"}, many...)...))
	if got := line(); got != before {
		t.Errorf("three rows came before it and the cursor's row went from line %d to %d", before, got)
	}
}

func TestMarksFollowTheirRows(t *testing.T) {
	table := newTestTable(40, 10, keyed("a", "b", "c"))
	table.Select("b")
	table.ToggleMark()
	table.SetSource(keyed("c", "b", "a", "d"))
	if !table.IsMarked("b") || table.Marks() != 1 {
		t.Errorf("marked: b %v, in all %d; want b alone", table.IsMarked("b"), table.Marks())
	}
	table.KeepMarks(func(key string) bool { return key != "b" })
	if table.Marks() != 0 {
		t.Errorf("%d marks are left of a row that is gone", table.Marks())
	}
	table.MarkAll()
	if table.Marks() != 4 {
		t.Errorf("%d are marked of all 4", table.Marks())
	}
	table.MarkAll()
	if table.Marks() != 0 {
		t.Errorf("%d are marked after the second time, want none", table.Marks())
	}
}

// case 16 (dashboard): wide characters, joiners and combining marks keep the columns straight.
func TestColumnsStayStraight(t *testing.T) {
	source := rows{
		{"plain", "|"}, {"日本語", "|"}, {"e\u0301e\u0301e\u0301", "|"}, {"👩‍👩‍👧x", "|"}, {"🇩🇪 flag", "|"}, {"日本語日本語日本語日本語", "|"}, {"ｆｕｌｌ", "|"},
	}
	for _, width := range []int{20, 21, 22, 23, 40} {
		table := newTestTable(width, 20, source)
		column := -1
		for i, line := range table.Lines()[1 : len(source)+1] {
			plain := ansi.Strip(line)
			at := strings.Index(plain, "|")
			if at < 0 {
				t.Fatalf("width %d: row %d has lost its second column: %q", width, i, plain)
			}
			got := ansi.StringWidth(plain[:at])
			if column < 0 {
				column = got
			}
			if got != column {
				t.Errorf("width %d: the second column of row %d starts in cell %d, in others in %d: %q", width, i, got, column, plain)
			}
		}
	}
}

// case 14 (dashboard): no escape sequence is cut, at any width.
func TestNoEscapeIsCut(t *testing.T) {
	source := rows{{"alpha-beta-gamma", "some longer value"}, {"日本語", "x"}}
	for width := range 60 {
		table := newTestTable(width, 5, source)
		for _, line := range append(table.Lines(), Truncate("\x1b[31mred\x1b[m \x1b[1;38;2;1;2;3mbold\x1b[m tail", width, "…")) {
			checkLine(t, line, width)
		}
	}
}

// checkLine fails where a line is too wide, or holds an escape sequence that is not whole.
func checkLine(t testing.TB, line string, width int) {
	t.Helper()
	if got := ansi.StringWidth(line); got > width {
		t.Errorf("%d cells in a line of %d: %q", got, width, line)
	}
	rest := line
	for {
		i := strings.IndexByte(rest, 0x1b)
		if i < 0 {
			break
		}
		rest = rest[i:]
		end := strings.IndexByte(rest, 'm')
		if end < 0 || strings.Trim(rest[2:end], "0123456789;:") != "" || rest[1] != '[' {
			t.Errorf("an escape sequence is cut in %q", line)
			return
		}
		rest = rest[end:]
	}
	if strings.ContainsAny(line, "\n\r\t") {
		t.Errorf("a line holds a control character: %q", line)
	}
}

func TestTitlesBreakBeforeCellsAreCut(t *testing.T) {
	table := NewTable(testTheme(theme.Mono))
	table.SetColumns([]Column{{Title: "NAME", Want: 4}, {Title: "LAST RECONCILE", Want: 3}}, 1)
	table.SetSource(rows{{"abcd", "3m"}})
	table.SetSize(40, 5)
	if got := ansi.Strip(table.Lines()[0]); !strings.Contains(got, "LAST RECONCILE") {
		t.Errorf("with room the title is %q, want it on one line", got)
	}
	table.SetSize(20, 5)
	lines := table.Lines()
	if up, low := ansi.Strip(lines[0]), ansi.Strip(lines[1]); !strings.Contains(up, "LAST") || !strings.Contains(low, "RECONCILE") {
		t.Errorf("without room the titles are %q and %q, want them on two lines", up, low)
	}
	if len(lines) != 5 {
		t.Errorf("%d lines, want 5", len(lines))
	}
}

func TestColumnsScrollSideways(t *testing.T) {
	table := NewTable(testTheme(theme.Mono))
	table.SetColumns([]Column{{Title: "NAME", Want: 10}, {Title: "ONE", Want: 10}, {Title: "TWO", Want: 10}, {Title: "THREE", Want: 10}}, 1)
	table.SetSource(rows{{"n", "1", "2", "3"}})
	table.SetSize(30, 3)
	header := func() string { return ansi.Strip(table.Lines()[0]) }
	if h := header(); !strings.Contains(h, "ONE") || strings.Contains(h, "THREE") {
		t.Fatalf("header %q, want ONE and not THREE", h)
	}
	for range 10 {
		table.Scroll(1)
	}
	if h := header(); !strings.Contains(h, "NAME") || strings.Contains(h, "ONE") || !strings.Contains(h, "THREE") {
		t.Errorf("scrolled to the end the header is %q, want NAME and THREE", h)
	}
	if left, right := table.Hidden(); !left || right {
		t.Errorf("hidden left %v, right %v; want left alone", left, right)
	}
	table.Scroll(-10)
	if h := header(); !strings.Contains(h, "ONE") {
		t.Errorf("scrolled back the header is %q, want ONE", h)
	}
}

func TestRowAndTitleUnderTheMouse(t *testing.T) {
	table := newTestTable(40, 5, keyed("a", "b", "c"))
	if got := table.RowAt(2); got != 1 {
		t.Errorf("on line 2 is row %d, want 1", got)
	}
	if got := table.RowAt(4); got != -1 {
		t.Errorf("below the rows is row %d, want none", got)
	}
	if got := table.HeaderAt(gutter+7, 0); got != 0 {
		t.Errorf("the first title is column %d", got)
	}
	if got := table.HeaderAt(gutter+8, 0); got != 1 {
		t.Errorf("the second title is column %d", got)
	}
}

// case 15 (dashboard): no size and no text makes the table panic or draw beside its room.
func FuzzTable(f *testing.F) {
	f.Add(80, 24, 3, "text", "日本語")
	f.Add(1, 1, 1, "", "\u0301")
	f.Add(0, 0, 0, "👩‍👩‍👧", "x")
	f.Fuzz(func(t *testing.T, width, height, moves int, a, b string) {
		width, height = abs(width)%300, abs(height)%100
		a, b = prefix(a, 400), prefix(b, 400)
		clean := func(s string) string { return strings.Map(printable, s) }
		table := newTestTable(width, height, rows{{clean(a), clean(b)}, {clean(b), clean(a)}, {"c", clean(a + b)}})
		table.Move(moves)
		table.Scroll(moves)
		table.ToggleMark()
		table.SetSorted(1, moves > 0)
		table.SetSize(height, width%50)
		lines := table.Lines()
		if len(lines) > width%50 {
			t.Errorf("%d lines in a table of %d", len(lines), width%50)
		}
		for _, l := range lines {
			checkLine(t, l, height)
		}
	})
}

// printable drops what package clean would have dropped.
func printable(r rune) rune {
	if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0xfffd || r == 0x2028 || r == 0x2029 {
		return -1
	}
	return r
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func BenchmarkTableLines10000(b *testing.B) {
	var many []string
	for i := range 10_000 {
		many = append(many, fmt.Sprintf("app-%05d", i))
	}
	table := newTestTable(200, 46, keyed(many...))
	table.MoveTo(5000)
	for b.Loop() {
		table.Move(1)
		if len(table.Lines()) != 46 {
			b.Fatal("lines")
		}
	}
}

func BenchmarkTableSetSource10000(b *testing.B) {
	var many []string
	for i := range 10_000 {
		many = append(many, fmt.Sprintf("app-%05d", i))
	}
	one, two := keyed(many...), keyed(many[1:]...)
	table := newTestTable(200, 46, one)
	table.MoveTo(9000)
	for b.Loop() {
		table.SetSource(two)
		table.SetSource(one)
	}
}
