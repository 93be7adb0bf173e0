//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// load is a set of clients that write through the Service all the time and remember each write that was answered with
// OK. A broken connection counts as unknown, an error reply as refused.
type load struct {
	s      subject
	addr   atomic.Value // string
	cancel context.CancelFunc
	wg     sync.WaitGroup

	sent, unknown, refused atomic.Int64
	mu                     sync.Mutex
	acked                  []string
	times                  []time.Time
	err                    string
}

// report is what came of a load.
type report struct {
	sent, acked, unknown, refused, lost int
	// gap is the longest time between two acknowledged writes, gapAfter how long after the first of all it began.
	gap, gapAfter time.Duration
	lastError     string
}

func (r report) String() string {
	return fmt.Sprintf("sent %d acknowledged %d unknown %d refused %d lost %d longest gap %s after %s, last error %q",
		r.sent, r.acked, r.unknown, r.refused, r.lost, r.gap.Round(time.Millisecond), r.gapAfter.Round(100*time.Millisecond), r.lastError)
}

// startLoad starts to write and returns once writes are acknowledged.
func startLoad(s subject) *load {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	l := &load{s: s, cancel: cancel}
	l.findService()
	for i := range writers {
		l.wg.Go(func() { l.write(ctx, i) })
	}
	l.waitWrites(50)
	return l
}

// findService takes the address of the Service anew: one that was deleted comes back with another.
func (l *load) findService() { l.addr.Store(l.s.service(l.s.Name)) }

func (l *load) write(ctx context.Context, id int) {
	var c *conn
	timeout := writeTimeout(id)
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
		key := fmt.Sprintf("w:%d:%d", id, n)
		l.sent.Add(1)
		_, err := c.do(timeout, "SET", key, "1")
		var refused refusal
		switch {
		case err == nil:
			l.ack(key)
			pause(ctx, writePause)
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

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (l *load) ack(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acked = append(l.acked, key)
	l.times = append(l.times, time.Now())
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
	slices.SortFunc(l.times, func(a, b time.Time) int { return a.Compare(b) })
	for i := 1; i < len(l.times); i++ {
		if gap := l.times[i].Sub(l.times[i-1]); gap > r.gap {
			r.gap, r.gapAfter = gap, l.times[i-1].Sub(l.times[0])
		}
	}
	r.lost = l.missing(l.acked)
	l.s.t.Logf("%s: %s", l.s.t.Name(), r)
	return r
}

// acknowledged are the keys whose writes were acknowledged up to now.
func (l *load) acknowledged() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.acked)
}

// missing counts the keys that the primary does not hold.
func (l *load) missing(keys []string) int {
	l.s.t.Helper()
	addr, lost := address(l.s.primary()), 0
	c, err := dial(addr, time.Second)
	if err != nil {
		l.s.t.Fatal(err)
	}
	defer c.close()
	for some := range slices.Chunk(keys, 500) {
		reply, err := c.do(10*time.Second, append([]string{"MGET"}, some...)...)
		if err != nil {
			l.s.t.Fatalf("read back: %v", err)
		}
		for _, value := range strings.Split(reply, "\n") {
			if value != "1" {
				lost++
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
