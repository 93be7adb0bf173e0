package widget

import "kuberly.io/valkey-operator/tui/theme"

// Log shows the newest lines of a log within a number of bytes. It draws only what is visible, so that neither the number
// of lines nor their length matters.
type Log struct {
	theme         *theme.Theme
	ring          ring
	width, height int

	follow bool
	wrap   bool
	times  bool
	raw    bool  // lines of JSON are shown as they came
	shift  int   // cells scrolled out at the left, where lines are not wrapped
	top    place // what is drawn first, while it does not follow

	match      matcher
	generation uint64 // of what is searched for, among the lines that pass
	filter     lineFilter
	filtering  uint64 // generation of the filter
	current    uint64
	hasCurrent bool

	labelWidth int
	wrapped    map[uint64][]string // rows of long lines
}

// place is one row of the screen: a row of a line.
type place struct {
	line uint64
	row  int
}

// NewLog makes an empty log that keeps at most maxBytes and follows.
func NewLog(t *theme.Theme, maxBytes int) *Log {
	return &Log{theme: t, ring: ring{max: maxBytes}, follow: true, wrap: true}
}

// SetSize gives the log its room.
func (l *Log) SetSize(width, height int) {
	l.width, l.height = max(width, 0), max(height, 0)
	l.reflow()
}

// Append adds lines at the end.
func (l *Log) Append(lines []LogLine) {
	first := l.ring.first()
	for i := range lines {
		c := l.ring.add(lines[i])
		if w := Width(lines[i].Label); w > l.labelWidth {
			l.labelWidth = w
			l.reflow()
		}
		l.sift(c)
	}
	if l.ring.first() != first {
		for n := range l.wrapped {
			if n < l.ring.first() {
				delete(l.wrapped, n)
			}
		}
		if l.top.line < l.ring.first() {
			l.top = place{line: l.ring.first()}
		}
	}
}

// Clear forgets all lines.
func (l *Log) Clear() {
	l.ring.clear()
	l.top = place{line: l.ring.next}
	l.hasCurrent = false
	l.labelWidth = 0
	l.reflow()
	l.follow = true
}

// Len is the number of lines kept.
func (l *Log) Len() int { return int(l.ring.next - l.ring.first()) } //nolint:gosec // bounded by the bytes

// Dropped is the number of older lines that had to go.
func (l *Log) Dropped() int { return l.ring.dropped }

// Follow goes to the end and stays there as lines come, or stays where it is.
func (l *Log) Follow(on bool) {
	if !on && l.follow {
		l.top = l.bottomTop()
	}
	l.follow = on
}

// IsFollowing says whether it stays at the end.
func (l *Log) IsFollowing() bool { return l.follow }

// Wrap breaks long lines, or cuts them.
func (l *Log) Wrap(on bool) {
	l.wrap, l.shift = on, 0
	l.top.row = 0
	l.reflow()
}

// IsWrapping says whether long lines are broken.
func (l *Log) IsWrapping() bool { return l.wrap }

// Times shows the time of each line, or does not.
func (l *Log) Times(on bool) {
	l.times = on
	l.reflow()
}

// HasTimes says whether the time of each line is shown.
func (l *Log) HasTimes() bool { return l.times }

// Raw shows lines of JSON as they came, or in words.
func (l *Log) Raw(on bool) {
	l.raw = on
	l.top.row = 0
	l.reflow()
}

// IsRaw says whether lines of JSON are shown as they came.
func (l *Log) IsRaw() bool { return l.raw }

// Shift scrolls sideways, where lines are not wrapped.
func (l *Log) Shift(cells int) {
	if !l.wrap {
		l.shift = max(l.shift+cells, 0)
	}
}

// Move scrolls by a number of rows; at the end it follows.
func (l *Log) Move(rows int) {
	if l.follow {
		if rows >= 0 {
			return
		}
		l.top, l.follow = l.bottomTop(), false
	}
	l.moveRows(rows)
	if rows > 0 {
		bottom := l.bottomTop()
		if !bottom.before(l.top) && l.top != bottom {
			return
		}
		l.top, l.follow = bottom, true
	}
}

// Page scrolls by a number of screens.
func (l *Log) Page(by int) { l.Move(by * max(l.height-1, 1)) }

// Top goes to the oldest line.
func (l *Log) Top() {
	l.follow = false
	l.top = place{line: l.ring.first()}
	if n, found := l.shownFrom(l.top.line); found {
		l.top.line = n
	}
}

// Bottom goes to the end and follows.
func (l *Log) Bottom() { l.follow = true }

func (p place) before(q place) bool { return p.line < q.line || p.line == q.line && p.row < q.row }

func (l *Log) reflow() { l.wrapped = map[uint64][]string{} }
