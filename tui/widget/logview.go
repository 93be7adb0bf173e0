package widget

import (
	"strconv"

	"kuberly.io/valkey-operator/tui/theme"
)

const (
	timeLayout = "15:04:05"
	// longLine is the length from which the rows of a wrapped line are kept.
	longLine = 2 << 10
	// leastWidth is that from which on a line has its time and its source before it.
	leastWidth = 24
	// keptRows is the number of such lines.
	keptRows = 32
)

// View draws exactly the height's number of rows.
func (l *Log) View() []string {
	if l.height == 0 || l.width == 0 {
		return nil
	}
	p := l.top
	if l.follow {
		p = l.bottomTop()
	}
	rows := make([]string, 0, l.height)
	n, found := l.shownFrom(p.line)
	if n != p.line {
		p.row = 0
	}
	isTop := found && l.ring.dropped > 0 && n == l.firstShown() && p.row == 0
	for row := p.row; found && len(rows) < l.height; row = 0 {
		line := l.ring.line(n)
		texts := l.rowsOf(n, line)
		for ; row < len(texts) && len(rows) < l.height; row++ {
			rows = append(rows, l.prefix(line, row == 0)+texts[row])
		}
		n, found = l.next(n)
	}
	// While it follows, the newest line matters more than the word about the oldest.
	if isTop && (!l.follow || len(rows) < l.height) {
		rows = append([]string{l.droppedRow(l.ring.dropped, "older lines dropped")}, rows...)
	}
	return Height(rows, l.height)
}

// rowsOf are the rows of a line, without the prefix.
func (l *Log) rowsOf(n uint64, line *LogLine) []string {
	width := max(l.width-l.prefixWidth(), 1)
	switch {
	case line.Dropped > 0:
		return []string{l.droppedRow(line.Dropped, "lines dropped here")}
	case line.Notice:
		return []string{l.theme.Render(theme.Dim, cutCells(bare(line.Text), 0, width))}
	case l.match.pattern != "" && l.match.index(bare(line.Text)) >= 0:
		return l.highlighted(l.wordsFound(line), width, l.isCurrent(n))
	case !l.wrap:
		return []string{cutCells(l.words(line), l.shift, width)}
	case len(line.Text) < longLine:
		return wrapCells(l.words(line), width)
	}
	if rows, kept := l.wrapped[n]; kept {
		return rows
	}
	if len(l.wrapped) >= keptRows {
		l.reflow()
	}
	rows := wrapCells(l.words(line), width)
	l.wrapped[n] = rows
	return rows
}

// words are the text of a line as it is shown.
func (l *Log) words(line *LogLine) string {
	if l.raw {
		return line.Text
	}
	if text, isJSON := readable(l.theme, line.Text); isJSON {
		return text
	}
	return line.Text
}

// wordsFound are the words without colours, or the line as it came where what was found stands only there.
func (l *Log) wordsFound(line *LogLine) string {
	if text := bare(l.words(line)); l.match.index(text) >= 0 {
		return text
	}
	return bare(line.Text)
}

// highlighted are the rows of a line with what was found in it marked. It has lost its colours, which would make the mark
// hard to see. On the line where the search stands the mark is another.
func (l *Log) highlighted(text string, width int, isCurrent bool) []string {
	rows := []string{cutCells(text, l.shift, width)}
	if l.wrap {
		rows = wrapCells(text, width)
	}
	style := l.theme.Style(theme.Match)
	if isCurrent {
		style = l.theme.Style(theme.Current)
	}
	for i, row := range rows {
		var out []byte
		for {
			at := l.match.index(row)
			if at < 0 {
				break
			}
			out = append(out, row[:at]...)
			out = style.Append(out, row[at:at+len(l.match.pattern)])
			row = row[at+len(l.match.pattern):]
		}
		if out != nil {
			rows[i] = string(append(out, row...))
		}
	}
	return rows
}

func (l *Log) droppedRow(n int, words string) string {
	sign := l.theme.Signs.Ellipsis
	return l.theme.Render(theme.Warn, Truncate(sign+" "+strconv.Itoa(n)+" "+words+" "+sign, l.width, ""))
}

func (l *Log) prefixWidth() int {
	if l.width < leastWidth {
		return 0
	}
	w := 0
	if l.times {
		w += len(timeLayout) + 1
	}
	if label := l.labelCells(); label > 0 {
		w += label + 1
	}
	return w
}

// labelCells is the room for the labels: never so much that the lines have none.
func (l *Log) labelCells() int { return min(l.labelWidth, l.width/3) }

func (l *Log) prefix(line *LogLine, isFirst bool) string {
	if line.Dropped > 0 || l.width < leastWidth {
		return ""
	}
	if !isFirst {
		return Spaces(l.prefixWidth())
	}
	out := ""
	if l.times {
		t := Spaces(len(timeLayout))
		if !line.Time.IsZero() {
			t = line.Time.Local().Format(timeLayout)
		}
		out = l.theme.Render(theme.Dim, t) + " "
	}
	if w := l.labelCells(); w > 0 {
		out += l.theme.Node(line.Source).Render(Fit(line.Label, w, l.theme.Signs.Ellipsis)) + " "
	}
	return out
}

// shown are the lines that are drawn: all, or those that pass the filter.
func (l *Log) shown() which {
	if l.filter.isOn() {
		return passedLines
	}
	return allLines
}

func (l *Log) next(n uint64) (uint64, bool)     { return l.step(n, 1, l.shown()) }
func (l *Log) previous(n uint64) (uint64, bool) { return l.step(n, -1, l.shown()) }

// shownFrom is the first line from n on that is shown.
func (l *Log) shownFrom(n uint64) (uint64, bool) { return l.from(max(n, l.ring.first()), l.shown()) }

func (l *Log) firstShown() uint64 {
	n, _ := l.shownFrom(l.ring.first())
	return n
}

func (l *Log) lastShown() (uint64, bool) {
	first, next := l.ring.first(), l.ring.next
	if first == next {
		return 0, false
	}
	return l.upTo(next-1, l.shown())
}

// topLine is the line that is drawn first.
func (l *Log) topLine() uint64 {
	if l.follow {
		return l.bottomTop().line
	}
	return l.top.line
}

// bottomTop is the place from which on the lines fill the screen to the end.
func (l *Log) bottomTop() place {
	n, found := l.lastShown()
	if !found {
		return place{line: l.ring.first()}
	}
	p := place{line: n, row: len(l.rowsOf(n, l.ring.line(n))) - 1}
	return l.moved(p, -(l.height - 1))
}

func (l *Log) moveRows(rows int) { l.top = l.moved(l.top, rows) }

// moved is the place a number of rows before or after another one, as far as there are rows.
func (l *Log) moved(p place, rows int) place {
	if l.ring.first() == l.ring.next {
		return p
	}
	n, found := l.shownFrom(p.line)
	if !found {
		if n, found = l.lastShown(); !found {
			return p
		}
	}
	if n != p.line {
		p = place{line: n}
	}
	for rows < 0 {
		if p.row > 0 {
			by := min(p.row, -rows)
			p.row, rows = p.row-by, rows+by
			continue
		}
		before, exists := l.previous(p.line)
		if !exists {
			break
		}
		p = place{line: before, row: len(l.rowsOf(before, l.ring.line(before)))}
	}
	for rows > 0 {
		last := len(l.rowsOf(p.line, l.ring.line(p.line))) - 1
		if p.row < last {
			by := min(last-p.row, rows)
			p.row, rows = p.row+by, rows-by
			continue
		}
		after, exists := l.next(p.line)
		if !exists {
			break
		}
		p, rows = place{line: after}, rows-1
	}
	return p
}
