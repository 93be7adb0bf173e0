package kube

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// batch is the least time between two snapshots where nobody wants another: what comes faster than eyes can follow is told together.
const batch = 100 * time.Millisecond

// Scope says which Valkeys a Store watches.
type Scope struct {
	// Namespace is empty for all namespaces.
	Namespace string
	// LabelSelector restricts the list, as kubectl -l does; empty for all.
	LabelSelector string
	// Refresh is the least time between two snapshots; 0 is 100 ms.
	Refresh time.Duration
}

// Store keeps the list of Valkeys by a list and a watch. It starts with Client.Watch and ends with its context or with Close.
//
// A goroutine of its own follows the cluster (follow.go); snapshots are made only when somebody calls Next.
type Store struct {
	client *Client
	scope  Scope

	cancel context.CancelFunc
	ended  chan struct{} // closed when the goroutines are gone
	wake   chan struct{} // tells Next that something changed
	retry  chan struct{} // ends a wait after an error
	relist chan struct{} // the columns have changed or the CRD is there again

	mu       sync.Mutex
	list     list
	set      *columnSet
	declared []Column // by the CRD, as its watch last saw it; nil where it was never seen
	synced   bool
	problem  *Problem
	retryAt  time.Time
	dirty    bool
	handed   time.Time // when the last snapshot was made
	count    uint64
}

// Watch starts a store. It returns at once, also while the cluster cannot be reached.
func (c *Client) Watch(ctx context.Context, scope Scope) *Store {
	ctx, cancel := context.WithCancel(ctx)
	s := newStore(c, scope)
	s.cancel = cancel
	var running sync.WaitGroup
	running.Go(guarded(func() { s.follow(ctx) }))
	running.Go(guarded(func() { s.followCRD(ctx) }))
	go func() {
		running.Wait()
		close(s.ended)
	}()
	return s
}

func newStore(c *Client, scope Scope) *Store {
	return &Store{
		client: c, scope: scope, set: newColumnSet(builtin),
		ended: make(chan struct{}), wake: make(chan struct{}, 1), retry: make(chan struct{}, 1), relist: make(chan struct{}, 1),
	}
}

// Next blocks until there is something newer than what it returned last, and returns it. Its error is that of ctx, or
// ErrClosed; faults of the cluster are in Snapshot.Err. One caller at a time.
func (s *Store) Next(ctx context.Context) (Snapshot, error) {
	for {
		snapshot, wait, ok := s.take(time.Now())
		if ok {
			return snapshot, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return Snapshot{}, ctx.Err()
		case <-s.ended:
			timer.Stop()
			return Snapshot{}, ErrClosed
		case <-s.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// Retry starts the next attempt now, where the store waits after an error.
func (s *Store) Retry() { poke(s.retry) }

// Close ends the store and waits until its goroutines are gone.
func (s *Store) Close() {
	s.cancel()
	<-s.ended
}

// forever is a wait that only an event ends.
const forever = 24 * time.Hour

// take makes a snapshot if there is a reason to, else it says how long to wait for one.
func (s *Store) take(now time.Time) (snapshot Snapshot, wait time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if early := s.handed.Add(cmp.Or(s.scope.Refresh, batch)).Sub(now); s.dirty && early > 0 {
		return Snapshot{}, early, false
	}
	if !s.dirty {
		return Snapshot{}, forever, false
	}
	s.dirty, s.handed = false, now
	s.count++
	return Snapshot{
		Columns: s.set.columns, Rows: s.list.snapshot(), Synced: s.synced, Stale: s.problem != nil && len(s.list.rows) > 0,
		Err: s.problem, RetryAt: s.retryAt, At: now, Generation: s.count,
	}, 0, true
}

// change applies what the cluster told; f reports whether anything changed.
func (s *Store) change(f func() bool) {
	s.mu.Lock()
	changed := f()
	s.dirty = s.dirty || changed
	s.mu.Unlock()
	if changed {
		poke(s.wake)
	}
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
