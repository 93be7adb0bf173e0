package kube

import (
	"context"
	"slices"
	"sync"
	"time"

	"kuberly.io/valkey-operator/tui/clean"
)

// rawLine is a line as it came: it is cleaned only when somebody takes it, since in a flood most are not taken.
type rawLine struct {
	kind    LineKind
	source  *logSource
	at      time.Time
	text    string
	missing int // bytes that were cut off the end of the line
}

// openPatience is how long the first lines wait for a pod whose log does not open.
const openPatience = 2 * time.Second

// lineOverhead is what a waiting line takes beside its text.
const lineOverhead = 96

func (l *rawLine) size() int { return len(l.text) + lineOverhead }

// lineBuffer holds the lines that wait for Next, bounded by bytes.
type lineBuffer struct {
	limit  int
	drops  bool          // the oldest lines give way; else the writer waits
	merges bool          // lines of several pods come as they like, and are put in order of time
	filled chan struct{} // there is something to take
	taken  chan struct{} // there is room again

	mu      sync.Mutex
	lines   []rawLine
	first   int // index of the oldest line
	bytes   int
	dropped int        // lines that gave way and are not told yet
	from    *logSource // whose they were; nil where they were several's
	last    time.Time  // when lines were taken last
	opening int        // first readings that have not begun
	until   time.Time  // how long they are waited for
}

func newLineBuffer(limit int, drops, merges bool) *lineBuffer {
	return &lineBuffer{limit: limit, drops: drops, merges: merges, filled: make(chan struct{}, 1), taken: make(chan struct{}, 1)}
}

// put adds a line. Where the buffer is full, the oldest lines give way or put waits.
func (b *lineBuffer) put(ctx context.Context, line rawLine) error {
	for !b.tryPut(line) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-b.taken:
		}
	}
	poke(b.filled)
	return nil
}

func (b *lineBuffer) tryPut(line rawLine) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.drops && b.bytes > b.limit {
		return false
	}
	b.lines = append(b.lines, line)
	b.bytes += line.size()
	for b.bytes > b.limit && b.first < len(b.lines)-1 {
		if !b.drops {
			break
		}
		b.drop()
	}
	return true
}

// drop makes the oldest line give way. What it leaves in front is moved away now and then, so that a flood that nobody
// reads takes bounded memory.
func (b *lineBuffer) drop() {
	oldest := &b.lines[b.first]
	b.bytes -= oldest.size()
	if b.dropped == 0 {
		b.from = oldest.source
	} else if b.from != oldest.source {
		b.from = nil
	}
	b.dropped++
	*oldest = rawLine{}
	b.first++
	if b.first > 1024 && b.first > len(b.lines)/2 {
		b.lines = slices.Delete(b.lines, 0, b.first)
		b.first = 0
	}
}

// expect makes the first lines wait for one another: n readings begin, and all that is older is to be merged by time.
func (b *lineBuffer) expect(n int, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opening, b.until = n, now.Add(openPatience)
}

// opened says that one of those that are expected has begun, or cannot.
func (b *lineBuffer) opened(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opening--; b.opening == 0 {
		b.last = now // what it begins with comes at once
		poke(b.filled)
	}
}

// readyIn reports whether lines may be taken now, else after how long to look again.
func (b *lineBuffer) readyIn(now time.Time) (wait time.Duration, ready bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines) == b.first {
		return forever, false
	}
	if wait = b.until.Sub(now); b.opening > 0 && wait > 0 {
		return wait, false
	}
	// The first lines of several pods come at nearly the same time: waiting one batch merges them.
	if b.last.IsZero() {
		b.last = now
	}
	wait = b.last.Add(batch).Sub(now)
	return wait, wait <= 0 || b.bytes > b.limit && !b.drops // a writer waits for room
}

// take cleans and returns everything that waits, merged by time.
func (b *lineBuffer) take() []Line {
	b.mu.Lock()
	raw := b.lines[b.first:]
	dropped, from := b.dropped, b.from
	b.lines, b.first, b.bytes, b.dropped, b.from, b.last = nil, 0, 0, 0, nil, time.Now()
	b.mu.Unlock()
	poke(b.taken)

	if b.merges {
		slices.SortStableFunc(raw, func(x, y rawLine) int { return x.at.Compare(y.at) })
	}
	lines := make([]Line, 0, len(raw)+1)
	if dropped > 0 {
		line := Line{Kind: LineDropped, Dropped: dropped}
		if from != nil {
			line.Node, line.Pod = from.node, from.pod
		}
		if len(raw) > 0 {
			line.Time = raw[0].at
		}
		lines = append(lines, line)
	}
	for i := range raw {
		r := &raw[i]
		line := Line{Kind: r.kind, Time: r.at, Text: clean.LogPart(r.text, r.missing)}
		if r.source != nil {
			line.Node, line.Pod = r.source.node, r.source.pod
		}
		lines = append(lines, line)
	}
	return lines
}
