package kube

import "context"

// Scope says which Valkeys a Store watches.
type Scope struct {
	// Namespace is empty for all namespaces.
	Namespace string
	// LabelSelector restricts the list, as kubectl -l does; empty for all.
	LabelSelector string
}

// Store keeps the list of Valkeys by a list and a watch. It starts with Client.Watch and ends with its context or with Close.
type Store struct{}

// Watch starts a store. It returns at once, also while the cluster cannot be reached.
func (c *Client) Watch(ctx context.Context, scope Scope) *Store { return &Store{} }

// Next blocks until there is something newer than what it returned last, and returns it. Its error is that of ctx, or
// ErrClosed; faults of the cluster are in Snapshot.Err. One caller at a time.
func (s *Store) Next(ctx context.Context) (Snapshot, error) { return Snapshot{}, nil }

// Retry starts the next attempt now, where the store waits after an error.
func (s *Store) Retry() {}

// Close ends the store and waits until its goroutines are gone.
func (s *Store) Close() {}
