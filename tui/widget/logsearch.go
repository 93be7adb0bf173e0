package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Search looks for a text in the lines that a Log holds, and for the lines that pass its filter. It may run in a command: it reads only what
// never changes.
type Search struct {
	generation, filtering uint64
	match                 matcher
	filter                lineFilter
	chunks                []*chunk
}

// SearchResult is what a Search found; it goes back to the Log that it came from.
type SearchResult struct {
	generation, filtering uint64
	chunks                []*chunk
	found, passed         [][]int
}

// Run searches.
func (s *Search) Run() SearchResult {
	n := len(s.chunks)
	r := SearchResult{generation: s.generation, filtering: s.filtering, chunks: s.chunks, found: make([][]int, n), passed: make([][]int, n)}
	for i, c := range s.chunks {
		r.found[i], r.passed[i] = s.lines(c.lines)
	}
	return r
}

func (s *Search) lines(lines []LogLine) (found, passed []int) {
	for i := range lines {
		if !s.filter.passes(&lines[i]) {
			continue
		}
		if s.filter.isOn() {
			passed = append(passed, i)
		}
		if s.match.finds(&lines[i]) {
			found = append(found, i)
		}
	}
	return found, passed
}

// SetPattern looks for a text (in any case, unless it holds a capital) among the lines that pass the filter, and returns the search over the
// lines that are there, or nil where there is nothing to do. Lines that come later are looked at as they come.
func (l *Log) SetPattern(pattern string) *Search {
	if pattern == l.match.pattern {
		return nil
	}
	l.match = newMatcher(pattern)
	return l.search()
}

// SetFilter shows only the lines with a text, or after a ! those without it; an empty one shows all. It returns a search as SetPattern does.
func (l *Log) SetFilter(text string) *Search {
	before := l.filter
	if l.filter = newLineFilter(text); l.filter.match == before.match && l.filter.inverse == before.inverse {
		return nil
	}
	l.filtering++
	return l.search()
}

// search begins a new search: what an earlier one still finds is dropped.
func (l *Log) search() *Search {
	l.generation++
	l.hasCurrent = false
	if l.match.pattern == "" && !l.filter.isOn() {
		return nil
	}
	s := &Search{generation: l.generation, filtering: l.filtering, match: l.match, filter: l.filter}
	for _, c := range l.ring.chunks {
		if c.isFull() {
			s.chunks = append(s.chunks, c)
			continue
		}
		c.found, c.passed = s.lines(c.lines)
		c.searched, c.filtered = l.generation, l.filtering
	}
	return s
}

// sift looks at the line that was just added to a chunk.
func (l *Log) sift(c *chunk) {
	at := len(c.lines) - 1
	if at == 0 {
		c.searched, c.filtered = l.generation, l.filtering
	}
	line := &c.lines[at]
	if !l.filter.passes(line) {
		return
	}
	if l.filter.isOn() && c.filtered == l.filtering {
		c.passed = append(c.passed, at)
	}
	if c.searched == l.generation && l.match.finds(line) {
		c.found = append(c.found, at)
	}
}

// Apply takes what a search found, unless another one was begun meanwhile.
func (l *Log) Apply(r SearchResult) {
	for i, c := range r.chunks {
		if r.generation == l.generation {
			c.found, c.searched = r.found[i], r.generation
		}
		if r.filtering == l.filtering {
			c.passed, c.filtered = r.passed[i], r.filtering
		}
	}
}

// Pattern is the text that is looked for, Filter the text of the filter.
func (l *Log) Pattern() string { return l.match.pattern }

// Filter is the text of the filter.
func (l *Log) Filter() string { return l.filter.text }

// Found is the number of lines found so far, Passed that of the lines that are shown.
func (l *Log) Found() int { return l.count(foundLines) }

// FoundAt is the place of the line where the search stands among those found, 1 for the first; 0 while it stands at none.
func (l *Log) FoundAt() int {
	if !l.hasCurrent || l.match.pattern == "" {
		return 0
	}
	n := 0
	for _, c := range l.ring.chunks {
		for _, at := range l.listOf(c, foundLines) {
			if c.first+uint64(at) > l.current { //nolint:gosec // an offset within a chunk
				return n
			}
			n++
		}
	}
	return n
}

func (l *Log) isCurrent(n uint64) bool { return l.hasCurrent && n == l.current }

// Passed is the number of lines that pass the filter, as far as they have been looked at.
func (l *Log) Passed() int {
	if !l.filter.isOn() {
		return l.Len()
	}
	return l.count(passedLines)
}

func (l *Log) count(w which) int {
	n := 0
	for _, c := range l.ring.chunks {
		n += len(l.listOf(c, w))
	}
	return n
}

// matcher finds a text in lines.
type matcher struct {
	pattern string
	fold    bool
}

func newMatcher(pattern string) matcher {
	lower := strings.ToLower(pattern)
	return matcher{pattern: pattern, fold: pattern == lower}
}

// finds says whether the line holds the pattern. None stands nowhere.
func (m matcher) finds(line *LogLine) bool {
	return m.pattern != "" && (m.index(bare(line.Text)) >= 0 || m.index(line.Label) >= 0)
}

// index is where the pattern stands in a text without escape sequences, -1 for nowhere.
func (m matcher) index(s string) int {
	if !m.fold {
		return strings.Index(s, m.pattern)
	}
	return IndexFold(s, m.pattern)
}

// IndexFold is strings.Index for a pattern in lower case, with ASCII letters of the text in any case. It makes no copy.
func IndexFold(s, lower string) int {
	n := len(lower)
	if n == 0 {
		return 0
	}
	for i := 0; i+n <= len(s); i++ {
		if foldByte(s[i]) == lower[0] && equalFold(s[i:i+n], lower) {
			return i
		}
	}
	return -1
}

func equalFold(s, lower string) bool {
	for i := range len(lower) {
		if foldByte(s[i]) != lower[i] {
			return false
		}
	}
	return true
}

func foldByte(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

// bare is the text without escape sequences.
func bare(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	return ansi.Strip(s)
}
