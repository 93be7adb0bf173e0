package valkey

import (
	"sync"
	"time"
)

// heardFor is how long it is kept when a server was last heard of.
const heardFor = time.Hour

// ears know when each server was last heard of, by its address: that outlives its pod.
type ears struct {
	mu   sync.Mutex
	last map[string]time.Time
}

// hear notes that the server of an address has said something.
func (e *ears) hear(ip string, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last == nil {
		e.last = map[string]time.Time{}
	}
	if _, known := e.last[ip]; !known {
		for other, at := range e.last {
			if now.Sub(at) > heardFor {
				delete(e.last, other)
			}
		}
	}
	e.last[ip] = now
}

// Heard says when the server of an address last said anything, and false where nobody here ever heard of it.
func (c *Clients) Heard(ip string) (time.Time, bool) {
	c.ears.mu.Lock()
	defer c.ears.mu.Unlock()
	at, heard := c.ears.last[ip]
	return at, heard
}
