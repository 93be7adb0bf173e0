package widget

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Search looks for a text in the lines that a Log holds. It may run in a command: it reads only what never changes.
type Search struct {
	generation uint64
	match      matcher
	chunks     []*chunk
}

// SearchResult is what a Search found; it goes back to the Log that it came from.
type SearchResult struct {
	generation uint64
	chunks     []*chunk
	found      [][]int
}

// Run searches.
func (s *Search) Run() SearchResult {
	r := SearchResult{generation: s.generation, chunks: s.chunks, found: make([][]int, len(s.chunks))}
	for i, c := range s.chunks {
		r.found[i] = s.match.lines(c.lines)
	}
	return r
}

// SetPattern looks for a text (in any case, unless it holds a capital) and returns the search over the lines that are there,
// or nil where there is nothing to do. Lines that come later are looked at as they come.
func (l *Log) SetPattern(pattern string) *Search {
	if pattern == l.match.pattern {
		return nil
	}
	l.generation++
	l.match = newMatcher(pattern)
	l.hasCurrent = false
	if pattern == "" {
		return nil
	}
	s := &Search{generation: l.generation, match: l.match}
	for _, c := range l.ring.chunks {
		if c.isFull() {
			s.chunks = append(s.chunks, c)
			continue
		}
		c.found, c.searched = l.match.lines(c.lines), l.generation
	}
	return s
}

// Apply takes what a search found, unless another one was begun meanwhile.
func (l *Log) Apply(r SearchResult) {
	if r.generation != l.generation {
		return
	}
	for i, c := range r.chunks {
		c.found, c.searched = r.found[i], r.generation
	}
}

// Pattern is the text that is looked for.
func (l *Log) Pattern() string { return l.match.pattern }

// Found is the number of lines found so far.
func (l *Log) Found() int {
	n := 0
	for _, c := range l.ring.chunks {
		if c.searched == l.generation {
			n += len(c.found)
		}
	}
	return n
}

// NextFound goes to the next line found, or with -1 to the one before. It says whether there is one.
func (l *Log) NextFound(direction int) bool {
	if l.match.pattern == "" || l.height == 0 {
		return false
	}
	from := l.topLine()
	if l.hasCurrent && l.current >= l.ring.first() {
		from = l.current
	} else if direction > 0 {
		// The line at the top counts as next.
		return l.goTo(l.foundFrom(from))
	}
	return l.goTo(l.step(from, direction, true))
}

// goTo shows a line that was found, a third of the screen from the top.
func (l *Log) goTo(n uint64, found bool) bool {
	if !found {
		return false
	}
	l.current, l.hasCurrent = n, true
	l.follow = false
	l.top = place{line: n}
	l.moveRows(-l.height / 3)
	return true
}

// step is the number of the nearest line after (or before) n that is shown, or that was found.
func (l *Log) step(n uint64, direction int, onlyFound bool) (uint64, bool) {
	first, next := l.ring.first(), l.ring.next
	if first == next {
		return 0, false
	}
	if direction > 0 {
		n = max(n+1, first)
		if onlyFound {
			return l.foundFrom(n)
		}
		return n, n < next
	}
	if n <= first {
		return 0, false
	}
	n = min(n, next) - 1
	if onlyFound {
		return l.foundUpTo(n)
	}
	return n, true
}

func (l *Log) foundFrom(n uint64) (uint64, bool) {
	if n >= l.ring.next {
		return 0, false
	}
	for i := l.ring.chunkOf(n); i < len(l.ring.chunks); i++ {
		c := l.ring.chunks[i]
		if c.searched != l.generation {
			continue
		}
		at := 0
		if n > c.first {
			at = sort.SearchInts(c.found, int(n-c.first)) //nolint:gosec // an offset within a chunk
		}
		if at < len(c.found) {
			return c.first + uint64(c.found[at]), true //nolint:gosec // a place in a slice
		}
	}
	return 0, false
}

func (l *Log) foundUpTo(n uint64) (uint64, bool) {
	for i := l.ring.chunkOf(n); i >= 0; i-- {
		c := l.ring.chunks[i]
		if c.searched != l.generation {
			continue
		}
		at := len(c.found)
		if n-c.first < chunkLines {
			at = sort.SearchInts(c.found, int(n-c.first)+1) //nolint:gosec // an offset within a chunk
		}
		if at > 0 {
			return c.first + uint64(c.found[at-1]), true //nolint:gosec // a place in a slice
		}
	}
	return 0, false
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

func (m matcher) lines(lines []LogLine) []int {
	var found []int
	for i := range lines {
		if m.matches(&lines[i]) {
			found = append(found, i)
		}
	}
	return found
}

func (m matcher) matches(line *LogLine) bool {
	return m.index(bare(line.Text)) >= 0 || m.index(line.Label) >= 0
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
