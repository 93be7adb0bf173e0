package screen

import "kuberly.io/valkey-operator/tui/kube"

// NodesUnknown is what a dialog says that acts on the nodes of one Valkey and was confirmed before they are there.
const NodesUnknown = "it is not known yet which nodes there are"

// Target is one Valkey that a dialog acts on, as it was last looked at.
type Target struct {
	Ref  kube.Ref
	Row  *kube.Row
	Gone bool
	// Why is why nothing happens to it, where that is so.
	Why string
}

// TargetsOf are the items of rows.
func TargetsOf(rows []*kube.Row) []Target {
	items := make([]Target, len(rows))
	for i, r := range rows {
		items[i] = Target{Ref: r.Ref(), Row: r, Gone: r.Deleting}
	}
	return items
}

// Follow takes over what the list knows of the items now, resourceVersions included, and says whether the spec of one has
// changed. What is gone stays, but nothing may happen to it.
func Follow(s Snapshot, items []Target) (changed bool) {
	if !s.Synced || s.Stale {
		return false
	}
	now := RowsOf(s, items, func(it Target) kube.Ref { return it.Ref })
	for i := range items {
		it := &items[i]
		r := now[it.Ref.UID]
		it.Gone = r == nil || r.Deleting
		if r == nil {
			continue
		}
		changed = changed || r.Generation != it.Ref.Generation
		it.Ref, it.Row = r.Ref(), r
	}
	return changed
}
