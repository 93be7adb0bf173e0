package widget

import (
	"sort"
	"strings"
)

// lineFilter lets the lines with a text through, or those without it.
type lineFilter struct {
	text    string // as it was typed
	match   matcher
	inverse bool
}

func newLineFilter(text string) lineFilter {
	rest, inverse := strings.CutPrefix(text, "!")
	f := lineFilter{text: text, match: newMatcher(rest), inverse: inverse}
	if inverse {
		f.match = newMatcher(strings.TrimLeft(rest, " "))
	}
	f.inverse = f.inverse && f.isOn() // nothing is typed after it yet
	return f
}

func (f lineFilter) isOn() bool { return f.match.pattern != "" }

func (f lineFilter) passes(line *LogLine) bool { return !f.isOn() || f.match.finds(line) != f.inverse }

// which are the lines that are meant.
type which int

const (
	allLines which = iota
	passedLines
	foundLines
)

// listOf are the places of the lines in a chunk; none where they are not known yet.
func (l *Log) listOf(c *chunk, w which) []int {
	switch {
	case w == passedLines && c.filtered == l.filtering:
		return c.passed
	case w == foundLines && c.searched == l.generation && l.match.pattern != "":
		return c.found
	default:
		return nil
	}
}

// step is the number of the nearest line after (or before) n.
func (l *Log) step(n uint64, direction int, w which) (uint64, bool) {
	first, next := l.ring.first(), l.ring.next
	switch {
	case first == next:
		return 0, false
	case direction > 0:
		return l.from(max(n+1, first), w)
	case n <= first:
		return 0, false
	default:
		return l.upTo(min(n, next)-1, w)
	}
}

// from is the first line from n on.
func (l *Log) from(n uint64, w which) (uint64, bool) {
	if n >= l.ring.next || w == allLines {
		return n, n < l.ring.next
	}
	for i := l.ring.chunkOf(n); i < len(l.ring.chunks); i++ {
		c := l.ring.chunks[i]
		list, at := l.listOf(c, w), 0
		if n > c.first {
			at = sort.SearchInts(list, int(n-c.first)) //nolint:gosec // an offset within a chunk
		}
		if at < len(list) {
			return c.first + uint64(list[at]), true //nolint:gosec // a place in a slice
		}
	}
	return 0, false
}

// upTo is the last line up to n.
func (l *Log) upTo(n uint64, w which) (uint64, bool) {
	if w == allLines {
		return n, true
	}
	for i := l.ring.chunkOf(n); i >= 0; i-- {
		c := l.ring.chunks[i]
		list := l.listOf(c, w)
		at := len(list)
		if n-c.first < chunkLines {
			at = sort.SearchInts(list, int(n-c.first)+1) //nolint:gosec // an offset within a chunk
		}
		if at > 0 {
			return c.first + uint64(list[at-1]), true //nolint:gosec // a place in a slice
		}
	}
	return 0, false
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
		return l.goTo(l.from(max(from, l.ring.first()), foundLines))
	}
	return l.goTo(l.step(from, direction, foundLines))
}

// ShowFound goes to a line found where none is on the screen: the next one, else the one before.
func (l *Log) ShowFound() {
	if n, found := l.from(max(l.topLine(), l.ring.first()), foundLines); found && l.isOnScreen(n) {
		return
	}
	if !l.NextFound(1) {
		l.NextFound(-1)
	}
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
