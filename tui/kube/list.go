package kube

import "slices"

// list is the rows of a store in order. It belongs to one goroutine; what it hands out is a copy that shares the rows.
type list struct {
	rows []*Row
}

func (l *list) find(namespace, name string) (int, bool) {
	return slices.BinarySearchFunc(l.rows, &Row{Namespace: namespace, Name: name}, (*Row).compare)
}

// put adds a row or takes the place of the one of its name. It reports whether anything changed: an event that repeats a known
// version changes nothing.
func (l *list) put(row *Row) bool {
	i, found := l.find(row.Namespace, row.Name)
	if !found {
		l.rows = slices.Insert(l.rows, i, row)
		return true
	}
	if old := l.rows[i]; old.UID == row.UID && old.ResourceVersion == row.ResourceVersion {
		return false
	}
	l.rows[i] = row
	return true
}

// remove drops the row of that name if it is the object that is gone, and not one that has come after it.
func (l *list) remove(gone *Row) bool {
	i, found := l.find(gone.Namespace, gone.Name)
	if !found || l.rows[i].UID != gone.UID {
		return false
	}
	l.rows = slices.Delete(l.rows, i, i+1)
	return true
}

// add puts a page of a list in. Pages come in the order of the server's keys, which is nearly ours.
func (l *list) add(page []*Row) {
	if len(l.rows) == 0 || len(page) > 0 && l.rows[len(l.rows)-1].compare(page[0]) < 0 {
		l.rows = append(l.rows, page...)
		if !slices.IsSortedFunc(l.rows, (*Row).compare) {
			slices.SortFunc(l.rows, (*Row).compare)
		}
		return
	}
	for _, row := range page {
		l.put(row)
	}
}

// replace makes the rows those of a complete list. An object that did not change keeps its row.
func (l *list) replace(rows []*Row, sameColumns bool) {
	slices.SortFunc(rows, (*Row).compare)
	if sameColumns {
		old := l.rows
		for i, row := range rows {
			for len(old) > 0 && old[0].compare(row) < 0 {
				old = old[1:]
			}
			if len(old) > 0 && old[0].UID == row.UID && old[0].ResourceVersion == row.ResourceVersion {
				rows[i] = old[0]
			}
		}
	}
	l.rows = rows
}

func (l *list) snapshot() []*Row { return slices.Clone(l.rows) }
