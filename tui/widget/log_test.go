package widget

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"kuberly.io/valkey-operator/tui/theme"
)

func newTestLog(width, height, bytes int) *Log {
	l := NewLog(testTheme(theme.TrueColor), bytes)
	l.SetSize(width, height)
	return l
}

func numbered(from, n int) []LogLine {
	lines := make([]LogLine, n)
	for i := range lines {
		lines[i] = LogLine{Source: i % 3, Label: fmt.Sprint("node-", i%3), Text: fmt.Sprintf("line %d", from+i)}
	}
	return lines
}

func plainView(l *Log) []string {
	view := l.View()
	for i := range view {
		view[i] = strings.TrimRight(ansi.Strip(view[i]), " ")
	}
	return view
}

func last(view []string) string {
	for i := len(view) - 1; i >= 0; i-- {
		if view[i] != "" {
			return view[i]
		}
	}
	return ""
}

// case 9 (dashboard): a flood is bounded by bytes, what had to go is counted in its place, and the end is one key away.
func TestLogIsBoundedAndSaysWhatItDropped(t *testing.T) {
	const bound = 1 << 20
	l := newTestLog(80, 10, bound)
	const n = 100_000
	for i := 0; i < n; i += 1000 {
		l.Append(numbered(i, 1000))
	}
	if l.ring.bytes > bound {
		t.Errorf("%d bytes are kept, want at most %d", l.ring.bytes, bound)
	}
	if l.Len()+l.Dropped() != n {
		t.Errorf("%d kept and %d dropped of %d", l.Len(), l.Dropped(), n)
	}
	if got := last(plainView(l)); !strings.HasSuffix(got, fmt.Sprint("line ", n-1)) {
		t.Errorf("following, the last row is %q", got)
	}
	l.Top()
	if got := plainView(l)[0]; !strings.Contains(got, fmt.Sprint(l.Dropped(), " older lines dropped")) {
		t.Errorf("at the top stands %q, want the number of lines dropped", got)
	}
	l.Append(numbered(n, 10))
	if got := last(plainView(l)); strings.HasSuffix(got, fmt.Sprint("line ", n+9)) {
		t.Error("new lines moved the view of one who reads the top")
	}
	l.Bottom()
	if got := last(plainView(l)); !strings.HasSuffix(got, fmt.Sprint("line ", n+9)) {
		t.Errorf("after the key for the end the last row is %q", got)
	}
}

func TestLogShowsLinesThatAreMissingInTheirPlace(t *testing.T) {
	l := newTestLog(80, 5, 1<<20)
	l.Append([]LogLine{{Text: "before"}, {Dropped: 42}, {Text: "after"}})
	view := plainView(l)
	if view[0] != "before" || !strings.Contains(view[1], "42 lines dropped here") || view[2] != "after" {
		t.Errorf("view %q", view)
	}
}

func TestLogStaysWhereOneReads(t *testing.T) {
	l := newTestLog(80, 5, 1<<20)
	l.Append(numbered(0, 100))
	l.Move(-10)
	before := plainView(l)
	l.Append(numbered(100, 50))
	if after := plainView(l); strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Errorf("was\n%s\nis\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	if l.IsFollowing() {
		t.Error("it follows although somebody scrolled up")
	}
	l.Move(1000)
	if !l.IsFollowing() {
		t.Error("it does not follow although somebody scrolled to the end")
	}
}

// case 11 (dashboard): lines of 90,000 characters cost no more than what is seen of them.
func TestLogLongLines(t *testing.T) {
	texts := map[string]string{
		"plain":    strings.Repeat("x", 90_000),
		"coloured": strings.Repeat("\x1b[31mred\x1b[0m ok ", 7_500),
		"wide":     strings.Repeat("日", 90_000),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			const bound = 4 << 20
			l := newTestLog(200, 50, bound)
			for range 100 {
				l.Append([]LogLine{{Label: "node-0", Text: text}})
			}
			if l.ring.bytes > bound+2*len(text)+chunkBytes {
				t.Errorf("%d bytes kept, want about %d", l.ring.bytes, bound)
			}
			l.View()
			if allocs := testing.AllocsPerRun(20, func() { l.View() }); allocs > 2_000 {
				t.Errorf("%.0f allocations for one view of lines that were there before", allocs)
			}
			l.Move(-1000)
			for _, row := range l.View() {
				checkLine(t, row, 200)
			}
			l.Wrap(false)
			for _, row := range l.View() {
				checkLine(t, row, 200)
			}
		})
	}
}

// case 13 (dashboard): markup in a line stays as it is, and a colour ends with its line.
func TestLogKeepsMarkupAndColoursInTheirLine(t *testing.T) {
	l := newTestLog(60, 4, 1<<20)
	l.Append([]LogLine{
		{Text: "[red]not markup[-] [::b]nor this"},
		{Text: "\x1b[41mred background, never reset, and long enough to be wrapped onto a second row"},
		{Text: "next"},
	})
	view := l.View()
	if view[0] != "[red]not markup[-] [::b]nor this" {
		t.Errorf("markup became %q", view[0])
	}
	for _, row := range view[1:3] {
		if !strings.HasPrefix(row, "\x1b[41m") || !strings.HasSuffix(row, sgrReset) {
			t.Errorf("row %q does not begin with its colour and end with a reset", row)
		}
	}
	if view[3] != "next" {
		t.Errorf("the next line is %q", view[3])
	}
}

func TestLogFindsText(t *testing.T) {
	l := newTestLog(80, 10, 1<<20)
	l.Append(numbered(0, 1000))
	search := l.SetPattern("LINE 77")
	if search != nil {
		l.Apply(search.Run())
	}
	if l.Found() != 0 {
		t.Errorf("%d found of a text in capitals, want the case to count", l.Found())
	}
	l.Apply(l.SetPattern("line 77").Run())
	if l.Found() != 11 { // 77, 770-779
		t.Errorf("%d found, want 11", l.Found())
	}
	if got := last(plainView(l)); !strings.HasSuffix(got, "line 999") {
		t.Errorf("the last line is %q: a search hides none", got)
	}
	l.Append([]LogLine{{Text: "a later Line 77x"}})
	if l.Found() != 12 {
		t.Errorf("%d found after one more came, want 12", l.Found())
	}
	l.Top()
	for range 2 {
		if !l.NextFound(1) {
			t.Fatal("no next line found")
		}
	}
	if view := plainView(l); !strings.Contains(strings.Join(view, "\n"), "line 770") {
		t.Errorf("after two steps line 770 is not seen:\n%s", strings.Join(view, "\n"))
	}
	if !l.NextFound(-1) {
		t.Fatal("no line found before")
	}
	if l.current != 77 {
		t.Errorf("one step back leads to line %d, want 77", l.current)
	}
}

// The filter hides lines, also those that come later; the search goes from one to the next of those that are left.
func TestLogFilters(t *testing.T) {
	l := newTestLog(80, 10, 1<<20)
	l.Append(numbered(0, 1000))
	l.Apply(l.SetPattern("line 77").Run())
	l.Apply(l.SetFilter("!9").Run())
	if l.Passed() != 729 || l.Found() != 10 { // 779 does not pass
		t.Errorf("%d pass and %d of them are found, want 729 and 10", l.Passed(), l.Found())
	}
	if got := last(plainView(l)); !strings.HasSuffix(got, "line 888") {
		t.Errorf("the last line that passes is %q", got)
	}
	l.Append(numbered(1000, 10))
	if l.Passed() != 738 {
		t.Errorf("%d pass after 10 more came, 1009 among them, want 738", l.Passed())
	}
	l.ShowFound()
	if l.current != 778 {
		t.Errorf("the search shows line %d, want the one before, 778", l.current)
	}
	l.NextFound(1)
	if l.current != 778 {
		t.Errorf("a line that does not pass is gone to: %d", l.current)
	}
	search := l.SetPattern("line 5")
	if got := strings.Join(plainView(l), " "); !strings.Contains(got, "line 778") {
		t.Errorf("while a search runs the lines that pass are gone: %q", got)
	}
	l.Apply(search.Run())
	if l.SetFilter("!"); l.Passed() != l.Len() || l.Found() != 0 && l.Filter() != "!" {
		t.Errorf("%d of %d pass a filter of which nothing is typed yet", l.Passed(), l.Len())
	}
	if s := l.SetFilter("line 5"); s != nil {
		l.Apply(s.Run())
	}
	if l.Passed() != 111 || l.Found() != 111 {
		t.Errorf("%d pass and %d are found, want 111 of both", l.Passed(), l.Found())
	}
}

// A line found that is on the screen moves nothing.
func TestLogStaysWhereALineFoundIsSeen(t *testing.T) {
	l := newTestLog(80, 10, 1<<20)
	l.Append(numbered(0, 100))
	l.Apply(l.SetPattern("line 9").Run())
	l.ShowFound()
	if !l.IsFollowing() {
		t.Error("it does not follow any more although what was found is seen")
	}
}

func TestLogDropsALateSearch(t *testing.T) {
	l := newTestLog(80, 10, 1<<20)
	l.Append(numbered(0, 1000))
	old := l.SetPattern("line 1")
	young := l.SetPattern("line 2")
	l.Apply(young.Run())
	want := l.Found()
	l.Apply(old.Run())
	if got := l.Found(); got != want {
		t.Errorf("%d found after the reply of an older search, want %d", got, want)
	}
}

// Whatever is done to a log, its view has the right size and its rows are whole.
func TestLogSurvivesAnything(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	l := newTestLog(80, 24, 64<<10)
	for i := range 20_000 {
		switch random.IntN(14) {
		case 0:
			l.SetSize(random.IntN(120), random.IntN(40))
		case 1, 2, 3:
			l.Append(numbered(i, random.IntN(30)))
		case 4:
			l.Append([]LogLine{{Label: "n", Text: strings.Repeat("日本 \x1b[32mx\x1b[m", random.IntN(200))}, {Dropped: 3}})
		case 5:
			l.Move(random.IntN(100) - 50)
		case 6:
			l.Page(random.IntN(5) - 2)
		case 7:
			l.Top()
		case 8:
			l.Bottom()
		case 9:
			l.Wrap(random.IntN(2) == 0)
		case 10:
			if s := l.SetPattern([]string{"", "line 1", "日", "never"}[random.IntN(4)]); s != nil {
				l.Apply(s.Run())
			}
		case 11:
			if s := l.SetFilter([]string{"", "!", "!line 1", "2", "日"}[random.IntN(5)]); s != nil && random.IntN(5) > 0 {
				l.Apply(s.Run())
			}
			l.Times(random.IntN(2) == 0)
		case 12:
			l.NextFound(random.IntN(2)*2 - 1)
		case 13:
			if random.IntN(50) == 0 {
				l.Clear()
			}
		}
		view := l.View()
		if l.width > 0 && len(view) != l.height {
			t.Fatalf("step %d: %d rows in a log of %d", i, len(view), l.height)
		}
		for _, row := range view {
			checkLine(t, row, l.width)
		}
		if t.Failed() {
			t.Fatalf("step %d", i)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("plain", 3, 4)
	f.Add("\x1b[31m日本\x1b[m語", 1, 3)
	f.Fuzz(func(t *testing.T, s string, skip, width int) {
		skip, width = abs(skip)%100, abs(width)%100
		s = strings.Map(printable, prefix(s, 400))
		checkLine(t, cutCells(s, skip, width), width)
		total := 0
		for _, row := range wrapCells(s, width) {
			checkLine(t, row, max(width, 0))
			total += ansi.StringWidth(row)
		}
		if width >= 2 && total != ansi.StringWidth(s) {
			t.Errorf("%d cells are left of %d of %q", total, ansi.StringWidth(s), s)
		}
	})
}

func BenchmarkLogAppend1000(b *testing.B) {
	l := newTestLog(200, 46, 32<<20)
	lines := numbered(0, 1000)
	for i := range lines {
		lines[i].Text += strings.Repeat(" text", 25)
	}
	for b.Loop() {
		l.Append(lines)
		l.View()
	}
}
