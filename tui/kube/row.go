package kube

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Column describes one column of the list, as the CRD's additionalPrinterColumns declare it. The name of the object and its
// namespace are no columns: they stand in the Row.
type Column struct {
	Name        string
	Type        string // string, integer, number, boolean or date
	Format      string
	JSONPath    string
	Description string
	Priority    int32 // above zero: shown only in the wide view
}

// Cell is one printed value of a row.
type Cell struct {
	// Text is what kubectl would print, cleaned, on one line; empty where there is no value.
	Text string
	// Sort is what to sort by: nil, string, int64, float64, bool, time.Time or resource.Quantity; the same type in all
	// cells of a column as far as the values allow. Compare orders two of them.
	Sort any
}

// Row is one Valkey. It is immutable: an object that changes gets a new Row, one that does not keeps its pointer from snapshot to
// snapshot.
type Row struct {
	UID             types.UID // the key: follows the object, never its name or place
	Namespace       string
	Name            string
	ResourceVersion string
	Generation      int64
	Labels          map[string]string
	Created         time.Time
	Deleting        bool // its deletion has begun

	Cells []Cell // one for each of Snapshot.Columns

	Status   v1alpha1.Phase
	Error    string // status.error, cleaned
	Replicas int32  // wanted
	Ready    int32

	dates    []dateCell
	nextTick time.Time
}

// Ref names the object of the row for an action, so that the action can hit no other.
func (r *Row) Ref() Ref {
	return Ref{Namespace: r.Namespace, Name: r.Name, UID: r.UID, ResourceVersion: r.ResourceVersion}
}

// Ref names one Valkey. Where UID or ResourceVersion are set, an action is refused with ClassConflict when the object in
// the cluster is another one or has changed since.
type Ref struct {
	Namespace       string
	Name            string
	UID             types.UID
	ResourceVersion string
}

// String is namespace/name.
func (r Ref) String() string { return r.Namespace + "/" + r.Name }

// Key is the Ref without ResourceVersion: it names the object in whatever state it is.
func (r Ref) Key() Ref {
	r.ResourceVersion = ""
	return r
}

// dateCell is a cell whose text depends on the clock.
type dateCell struct {
	column int
	at     time.Time
}
