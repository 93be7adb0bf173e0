package kube

import (
	"math"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
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
	// Text is what kubectl would print, cleaned, on one line; empty where there is no value. That of a date is from when the row was
	// made: see Reads.
	Text string
	// Sort is what to sort by, where that is not the text itself: float64 for numbers and quantities, bool, or time.Time. Compare
	// orders two cells.
	Sort any
}

// IsDate says that what the cell reads depends on the clock.
func (c Cell) IsDate() bool {
	_, is := c.Sort.(time.Time)
	return is
}

// Reads is the text of the cell at a time: that of a date is the time that has passed since.
func (c Cell) Reads(now time.Time) string {
	if at, isDate := c.Sort.(time.Time); isDate {
		return age(at, now)
	}
	return c.Text
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
	// HasVolume says that its data is kept on claims, and Retains that the claim of a server that is removed stays.
	HasVolume, Retains bool
	// Remembered is how many servers it had when it was stopped; 0 where that is not known.
	Remembered int32
}

// Ref names the object of the row for an action, so that the action can hit no other.
func (r *Row) Ref() Ref {
	return Ref{Namespace: r.Namespace, Name: r.Name, UID: r.UID, ResourceVersion: r.ResourceVersion, Generation: r.Generation}
}

// Ref names one Valkey. Where UID or ResourceVersion are set, an action is refused with ClassConflict when the object in
// the cluster is another one or has changed since. A change of the status alone is none where Generation is set.
type Ref struct {
	Namespace       string
	Name            string
	UID             types.UID
	ResourceVersion string
	Generation      int64
}

// String is namespace/name.
func (r Ref) String() string { return r.Namespace + "/" + r.Name }

// Key is the Ref without ResourceVersion and Generation: it names the object in whatever state it is.
func (r Ref) Key() Ref {
	r.ResourceVersion, r.Generation = "", 0
	return r
}

// newRow makes the row of an object. It keeps no part of the object itself, which is ten times as large.
func newRow(object *unstructured.Unstructured, set *columnSet, now time.Time) *Row {
	spec, _ := object.Object["spec"].(map[string]any)
	volume, _ := spec["volume"].(map[string]any)
	status, _ := object.Object["status"].(map[string]any)
	row := &Row{
		UID: object.GetUID(), Namespace: clean.Text(object.GetNamespace()), Name: clean.Text(object.GetName()),
		ResourceVersion: object.GetResourceVersion(), Generation: object.GetGeneration(),
		Labels: object.GetLabels(), Created: object.GetCreationTimestamp().Time, Deleting: object.GetDeletionTimestamp() != nil,
		Status: v1alpha1.Phase(clean.Text(text(status["status"]))), Error: clean.Text(text(status["error"])),
		Replicas: number(spec["replicas"], 1), Ready: number(status["ready_replicas"], 0), Remembered: remembered(object), HasVolume: volume["enabled"] == true, Retains: volume["reclaim"] == string(v1alpha1.ReclaimRetain),
		Cells: make([]Cell, len(set.printers)),
	}
	for i, p := range set.printers {
		row.Cells[i] = p.cell(object.Object, now)
	}
	return row
}

func (r *Row) compare(other *Row) int {
	if c := strings.Compare(r.Namespace, other.Namespace); c != 0 {
		return c
	}
	return strings.Compare(r.Name, other.Name)
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

func number(value any, otherwise int32) int32 {
	switch n := value.(type) {
	case int64:
		return int32(min(max(n, math.MinInt32), math.MaxInt32))
	case float64:
		return int32(min(max(n, math.MinInt32), math.MaxInt32))
	}
	return otherwise
}
