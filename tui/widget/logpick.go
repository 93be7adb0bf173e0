package widget

// Numbered is a line with its number, by which it is found again while it is kept.
type Numbered struct {
	LogLine
	Number uint64
}

// Focus is the line that is meant when nothing is pointed at: the one found last, else the newest while it follows, else the
// first on the screen. It says false where there is none.
func (l *Log) Focus() (Numbered, bool) {
	first, next := l.ring.first(), l.ring.next
	if first == next {
		return Numbered{}, false
	}
	n, found := l.current, l.hasCurrent && l.isOnScreen(l.current)
	switch {
	case found:
	case l.follow:
		n, found = l.lastShown()
	default:
		n, found = l.shownFrom(l.top.line)
	}
	if !found {
		return Numbered{}, false
	}
	return Numbered{*l.ring.line(n), n}, true
}

func (l *Log) isOnScreen(number uint64) bool {
	n, found := l.shownFrom(l.topLine())
	for rows := 0; found && n <= number && rows < l.height; n, found = l.next(n) {
		if n == number {
			return true
		}
		rows += len(l.rowsOf(n, l.ring.line(n)))
	}
	return false
}

// Beside is the shown line next to the one of the number, or with -1 the one before.
func (l *Log) Beside(n uint64, direction int) (Numbered, bool) {
	n, found := l.step(n, direction, l.shown())
	if !found || n < l.ring.first() {
		return Numbered{}, false
	}
	return Numbered{*l.ring.line(n), n}, true
}

// Shown are the lines that are shown, as they are now: those that pass the filter, or all.
func (l *Log) Shown() []LogLine {
	var lines []LogLine
	for n, found := l.shownFrom(l.ring.first()); found; n, found = l.next(n) {
		lines = append(lines, *l.ring.line(n))
	}
	return lines
}

// OnScreen are the lines of which a part is on the screen.
func (l *Log) OnScreen() []LogLine {
	var lines []LogLine
	p := l.top
	if l.follow {
		p = l.bottomTop()
	}
	n, found := l.shownFrom(p.line)
	for rows := -p.row; found && rows < l.height; n, found = l.next(n) {
		line := l.ring.line(n)
		rows += len(l.rowsOf(n, line))
		lines = append(lines, *line)
	}
	return lines
}

// PlainText is the text of a line without colours.
func (l *LogLine) PlainText() string { return bare(l.Text) }
