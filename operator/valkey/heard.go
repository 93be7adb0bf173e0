package valkey

import (
	"sync"
	"time"
)

// heardFor is how long it is kept when a server was last heard of.
const heardFor = time.Hour

// ears know when each server was last heard of, by its address: that outlives its pod. Another Valkey's pod may get it then.
type ears struct {
	mu   sync.Mutex
	last map[address]time.Time
}

type address struct{ namespace, owner, ip string }

func addressOf(t Target) address { return address{t.Namespace, t.Owner, t.IP} }

// hear notes that the server of an address has said something.
func (e *ears) hear(at address, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last == nil {
		e.last = map[address]time.Time{}
	}
	if _, known := e.last[at]; !known {
		for other, last := range e.last {
			if now.Sub(last) > heardFor {
				delete(e.last, other)
			}
		}
	}
	e.last[at] = now
}

// Heard says when the target's owner last had a server at its IP address that said anything, and false where nobody here ever
// heard of one.
func (c *Clients) Heard(t Target) (time.Time, bool) {
	c.ears.mu.Lock()
	defer c.ears.mu.Unlock()
	at, heard := c.ears.last[addressOf(t)]
	return at, heard
}
