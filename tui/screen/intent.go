package screen

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
)

// ID names one showing of a screen, so that a late reply to an earlier one is dropped.
type ID uint64

// Close takes the screen From away, or where that is 0 the upper one; the last one ends the program. Text, where it is set, is
// then said in passing.
type Close struct {
	From ID
	Text string
}

// ShowHelp opens the help on the keys in force.
type ShowHelp struct{}

// Retry asks the cluster again now.
type Retry struct{}

// Clock tells the screens each second what time it is.
type Clock struct{ Now time.Time }

// Redated says that what a screen shows reads differently than a second before.
type Redated struct{}

// Flash says something in passing, until the next key.
type Flash struct {
	Text    string
	IsError bool
}

// ShowAll shows all namespaces, or only the current one.
type ShowAll struct{ All bool }

// OpenScale asks how many servers the Valkeys shall have; By is added to what each has.
type OpenScale struct {
	Rows []*kube.Row
	By   int32
}

// OpenDelete asks whether the Valkeys shall be deleted.
type OpenDelete struct{ Rows []*kube.Row }

// OpenCreate opens the form.
type OpenCreate struct{ Namespace string }

// Scale scales one Valkey after the other.
type Scale struct {
	From  ID
	Items []ScaleItem
}

// ScaleItem is one Valkey to scale. Current is what the user saw.
type ScaleItem struct {
	Ref         kube.Ref
	Current, To int32
}

// Delete deletes one Valkey after the other.
type Delete struct {
	From ID
	Refs []kube.Ref
}

// LoadChildren asks what belongs to the Valkeys.
type LoadChildren struct {
	From ID
	Refs []kube.Ref
}

// Done tells how an action on one of several Valkeys ended: Index is its place in the intent's list.
type Done struct {
	To      ID
	Index   int
	Problem *kube.Problem
}

// Children tells what belongs to one of several Valkeys.
type Children struct {
	To      ID
	Index   int
	List    []kube.Child
	Missing []string
	Problem *kube.Problem
}

// Created tells every screen of a new Valkey.
type Created struct {
	Valkey *v1alpha1.Valkey
	Result kube.CreateResult
}

// Snapshot is the list of Valkeys, for every screen.
type Snapshot struct {
	kube.Snapshot
	// Namespace is the current one; All says that all are shown.
	Namespace string
	All       bool
	// List is the list that it is of: rows of an earlier one, of another namespace or cluster, are not shown for it.
	List uint64
}

// RowsOf finds the rows of a dialog's items by their UID, in one pass over the list. What is gone has none, also where
// another object has its name by now.
func RowsOf[T any](s Snapshot, items []T, ref func(T) kube.Ref) map[types.UID]*kube.Row {
	found := make(map[types.UID]*kube.Row, len(items))
	for _, i := range items {
		found[ref(i).UID] = nil
	}
	for _, r := range s.Rows {
		if _, ours := found[r.UID]; ours {
			found[r.UID] = r
		}
	}
	return found
}

// LogLines are new lines of the log that the screen shows. End says that no more come, Problem why.
type LogLines struct {
	To      ID
	Lines   []kube.Line
	End     bool
	Problem *kube.Problem
}
