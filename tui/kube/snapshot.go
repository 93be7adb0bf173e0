package kube

import "time"

// Snapshot is the list of Valkeys at one moment. It is immutable and may be read from any goroutine.
type Snapshot struct {
	// Columns of the rows' cells.
	Columns []Column
	// Rows in the order of namespace and name.
	Rows []*Row
	// Synced says that the first list is complete: before it, Rows grows page by page.
	Synced bool
	// Stale says that Rows are the last known ones and that the cluster cannot be asked at the moment; Err says why.
	Stale bool
	// Err is what goes wrong now, or nil.
	Err *Problem
	// RetryAt is when the next attempt starts, while Err is set.
	RetryAt time.Time
	// At is when the snapshot was made.
	At time.Time
	// Generation grows with every snapshot of a store.
	Generation uint64
}
