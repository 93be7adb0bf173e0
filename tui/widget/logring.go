package widget

import "time"

// LogLine is one line of a log, clean but for colours.
type LogLine struct {
	// Source tells lines of one source by colour, Label by word.
	Source int
	Label  string
	Time   time.Time
	Text   string
	// Notice says that the line is a word about the log, not a line of it.
	Notice bool
	// Dropped is the number of lines that are missing here; the line stands for them.
	Dropped int
}

const (
	chunkLines = 256
	chunkBytes = 256 << 10
	// lineOverhead is about what a line takes beside its text.
	lineOverhead = 96
)

// chunk is a run of lines. Once it is full its lines never change, so that a search may read them in a command.
type chunk struct {
	first uint64 // number of its first line
	lines []LogLine
	bytes int

	// found are the places of the lines that the search of generation searched found, passed those that the filter of generation filtered lets
	// through.
	found, passed      []int
	searched, filtered uint64
}

func (c *chunk) isFull() bool { return len(c.lines) >= chunkLines || c.bytes >= chunkBytes }

// ring keeps the newest lines within a number of bytes.
type ring struct {
	max     int
	bytes   int
	next    uint64 // number of the next line; numbers are never used twice
	chunks  []*chunk
	dropped int
}

// add appends a line and drops the oldest chunk while there are too many bytes.
func (r *ring) add(line LogLine) *chunk {
	if len(r.chunks) == 0 || r.chunks[len(r.chunks)-1].isFull() {
		r.chunks = append(r.chunks, &chunk{first: r.next, lines: make([]LogLine, 0, chunkLines)})
	}
	c := r.chunks[len(r.chunks)-1]
	size := len(line.Text) + lineOverhead
	c.lines = append(c.lines, line)
	c.bytes += size
	r.bytes += size
	r.next++
	for r.bytes > r.max && len(r.chunks) > 1 {
		r.drop()
	}
	return c
}

func (r *ring) drop() {
	old := r.chunks[0]
	for _, l := range old.lines {
		r.dropped += max(l.Dropped, 1)
	}
	r.bytes -= old.bytes
	r.chunks[0] = nil
	r.chunks = r.chunks[1:]
}

func (r *ring) clear() {
	r.chunks, r.bytes, r.dropped = nil, 0, 0
}

// first is the number of the oldest line that is kept; next where there is none.
func (r *ring) first() uint64 {
	if len(r.chunks) == 0 {
		return r.next
	}
	return r.chunks[0].first
}

// chunkOf is the place of the chunk that holds the line with the number, which must be kept.
func (r *ring) chunkOf(n uint64) int {
	low, high := 0, len(r.chunks)-1
	for low < high {
		mid := (low + high + 1) / 2
		if r.chunks[mid].first <= n {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

func (r *ring) line(n uint64) *LogLine {
	c := r.chunks[r.chunkOf(n)]
	return &c.lines[n-c.first]
}
