//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	writers    = 4
	writePause = 2 * time.Millisecond
)

// writeTimeout is how long a writer waits for an answer, to its login too: short, since the client of a frozen server must
// not wait for it, and another for each, so that they do not all come back at the same instant.
func writeTimeout(writer int) time.Duration { return time.Duration(300+100*writer) * time.Millisecond }

// witnessPause is how often a write is followed by the question which replicas have it.
const witnessPause = 10 * time.Millisecond

// load is a set of clients that write through the Service all the time and remember each write that was answered with
// OK. A broken connection counts as unknown, an error reply as refused. One more, the witness, asks after each of its
// writes how many replicas have it too.
type load struct {
	s      subject
	addr   atomic.Value // string
	cancel context.CancelFunc
	wg     sync.WaitGroup

	sent, unknown, refused atomic.Int64
	mu                     sync.Mutex
	acked                  []write
	// confirmed are the acknowledged writes of the witness, by the number of replicas that had them at once.
	confirmed map[int][]write
	err       string
}

// write is one that was acknowledged.
type write struct {
	key string
	at  time.Time
}

// report is what came of a load.
type report struct {
	sent, acked, unknown, refused, lost int
	// gap is the longest time between two acknowledged writes, gapAfter how long after the first of all it began.
	gap, gapAfter time.Duration
	// when says in words from when the lost writes are.
	when      string
	lastError string
	// confirmed counts the writes that were known to be on replicas, by the number of these, and what of them is gone.
	confirmed, lostConfirmed map[int]int
}

// lostOn counts what is gone of that which so many replicas or more had.
func (r report) lostOn(replicas int) int {
	n := 0
	for by, lost := range r.lostConfirmed {
		if by >= replicas {
			n += lost
		}
	}
	return n
}

func (r report) String() string {
	lost, had := strconv.Itoa(r.lost), []string(nil)
	if r.when != "" {
		lost += " (" + r.when + ")"
	}
	for _, n := range slices.Sorted(maps.Keys(r.confirmed)) {
		had = append(had, fmt.Sprintf("%d of %d that %d replicas had", r.lostConfirmed[n], r.confirmed[n], n))
	}
	return fmt.Sprintf("sent %d acknowledged %d unknown %d refused %d lost %s, %s, longest gap %s after %s, last error %q",
		r.sent, r.acked, r.unknown, r.refused, lost, strings.Join(had, ", "), r.gap.Round(time.Millisecond), r.gapAfter.Round(100*time.Millisecond), r.lastError)
}

// startLoad starts to write and returns once writes are acknowledged.
func startLoad(s subject) *load {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	l := &load{s: s, cancel: cancel, confirmed: map[int][]write{}}
	l.findService()
	for i := range writers {
		l.wg.Go(func() {
			l.write(ctx, fmt.Sprintf("w:%d", i), writeTimeout(i), writePause, func(*conn, write) {})
		})
	}
	l.wg.Go(func() { l.witness(ctx) })
	l.waitWrites(50)
	return l
}

// findService takes the address of the Service anew: one that was deleted comes back with another.
func (l *load) findService() { l.addr.Store(l.s.service(l.s.Name)) }

// write writes keys that begin with a prefix until the context ends, and calls then after each that was acknowledged.
func (l *load) write(ctx context.Context, prefix string, timeout, every time.Duration, then func(c *conn, w write)) {
	var c *conn
	defer func() {
		if c != nil {
			c.close()
		}
	}()
	for n := 0; ctx.Err() == nil; n++ {
		if c == nil {
			var err error
			if c, err = dial(l.addr.Load().(string), timeout); err != nil {
				l.note(err)
				c = nil
				pause(ctx, 10*time.Millisecond)
				continue
			}
		}
		key := fmt.Sprintf("%s:%d", prefix, n)
		l.sent.Add(1)
		_, err := c.do(timeout, "SET", key, "1")
		var refused refusal
		switch {
		case err == nil:
			then(c, l.ack(key))
			pause(ctx, every)
			continue
		case errors.As(err, &refused):
			l.refused.Add(1)
		default:
			l.unknown.Add(1)
		}
		l.note(err)
		c.close() // as a client library does: come back by the Service
		c = nil
		pause(ctx, 10*time.Millisecond)
	}
}

// witness writes as the others do, but less often, and remembers how many replicas had each write at once. What a replica
// had must outlive the primary: such a write may be lost only together with all who had it.
func (l *load) witness(ctx context.Context) {
	const replicas, milliseconds = "2", "50"
	l.write(ctx, "c", time.Second, witnessPause, func(c *conn, w write) {
		reply, err := c.do(time.Second, "WAIT", replicas, milliseconds)
		if err != nil {
			return // the next write finds the connection broken
		}
		had, err := strconv.Atoi(reply)
		if err != nil {
			l.note(err)
			return
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.confirmed[had] = append(l.confirmed[had], w)
	})
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (l *load) ack(key string) write {
	w := write{key, time.Now()}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acked = append(l.acked, w)
	return w
}

func (l *load) note(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err.Error()
}

func (l *load) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.acked)
}

// waitWrites waits until n more writes are acknowledged.
func (l *load) waitWrites(n int) {
	l.s.t.Helper()
	from := l.count()
	eventually(l.s.t, "acknowledged writes", func() string {
		if got := l.count() - from; got < n {
			l.mu.Lock()
			defer l.mu.Unlock()
			return fmt.Sprintf("%d of %d, last error %q", got, n, l.err)
		}
		return ""
	})
}

// finish stops the load and compares what was acknowledged with what the primary holds.
func (l *load) finish() report {
	l.s.t.Helper()
	l.cancel()
	l.wg.Wait()
	r := report{
		sent: int(l.sent.Load()), acked: len(l.acked), unknown: int(l.unknown.Load()), refused: int(l.refused.Load()), lastError: l.err,
	}
	slices.SortFunc(l.acked, func(a, b write) int { return a.at.Compare(b.at) })
	for i := 1; i < len(l.acked); i++ {
		if gap := l.acked[i].at.Sub(l.acked[i-1].at); gap > r.gap {
			r.gap, r.gapAfter = gap, l.acked[i-1].at.Sub(l.acked[0].at)
		}
	}
	lost := l.missing(l.acked)
	r.lost, r.when = len(lost), spans(lost, l.acked[0].at)
	r.confirmed, r.lostConfirmed = map[int]int{}, map[int]int{}
	for had, writes := range l.confirmed {
		r.confirmed[had] = len(writes)
		for _, w := range writes {
			if slices.Contains(lost, w) {
				r.lostConfirmed[had]++
			}
		}
	}
	l.s.t.Logf("%s: %s", l.s.t.Name(), r)
	return r
}

// spans says when the writes were acknowledged, as seconds since the load began; sorted by time they are.
func spans(writes []write, began time.Time) string {
	const apart = time.Second
	var words []string
	for first := 0; first < len(writes); {
		last := first
		for last+1 < len(writes) && writes[last+1].at.Sub(writes[last].at) < apart {
			last++
		}
		words = append(words, fmt.Sprintf("%d at %.2f-%.2f s", last-first+1, writes[first].at.Sub(began).Seconds(), writes[last].at.Sub(began).Seconds()))
		first = last + 1
	}
	return strings.Join(words, ", ")
}

// acknowledged are the writes that were acknowledged up to now.
func (l *load) acknowledged() []write {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.acked)
}

// missing are the writes that the primary does not hold.
func (l *load) missing(writes []write) []write {
	l.s.t.Helper()
	c, err := dial(address(l.s.primary()), time.Second)
	if err != nil {
		l.s.t.Fatal(err)
	}
	defer c.close()
	var lost []write
	for some := range slices.Chunk(writes, 500) {
		command := []string{"MGET"}
		for _, w := range some {
			command = append(command, w.key)
		}
		reply, err := c.do(10*time.Second, command...)
		if err != nil {
			l.s.t.Fatalf("read back: %v", err)
		}
		for i, value := range strings.Split(reply, "\n") {
			if value != "1" {
				lost = append(lost, some[i])
			}
		}
	}
	return lost
}

// lostNothing finishes a load and fails where an acknowledged write is gone.
func (l *load) lostNothing() {
	l.s.t.Helper()
	if r := l.finish(); r.lost > 0 {
		l.s.t.Errorf("%d acknowledged writes are gone", r.lost)
	}
}
