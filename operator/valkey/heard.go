package valkey

import (
	"sync"
	"sync/atomic"
	"time"
)

// heardFor is how long it is kept when a server was last heard of.
const heardFor = time.Hour

// ears know when each server was last heard of, by its address: that outlives its pod.
type ears struct {
	mu sync.Mutex
	of map[string]*atomic.Int64 // Unix nanoseconds, 0 where nothing came yet
}

// to returns where to note when the server of an address is heard of.
func (e *ears) to(ip string, now time.Time) *atomic.Int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if at, ok := e.of[ip]; ok {
		return at
	}
	for other, at := range e.of {
		if now.Sub(time.Unix(0, at.Load())) > heardFor {
			delete(e.of, other)
		}
	}
	if e.of == nil {
		e.of = map[string]*atomic.Int64{}
	}
	at := &atomic.Int64{}
	e.of[ip] = at
	return at
}

// Heard says when the server of an address last said anything, and false where nobody here ever heard of it.
func (c *Clients) Heard(ip string) (time.Time, bool) {
	c.ears.mu.Lock()
	defer c.ears.mu.Unlock()
	at, ok := c.ears.of[ip]
	if !ok || at.Load() == 0 {
		return time.Time{}, false
	}
	return time.Unix(0, at.Load()), true
}
