package widget

// ToggleMark marks the cursor's row, or takes its mark away.
func (t *Table) ToggleMark() {
	key := t.CursorKey()
	if key == "" {
		return
	}
	if _, marked := t.marks[key]; marked {
		delete(t.marks, key)
		return
	}
	t.marks[key] = struct{}{}
}

// MarkAll marks all rows; where all are marked it takes the marks away.
func (t *Table) MarkAll() {
	all := true
	for i := range t.source.Len() {
		key := t.source.Key(i)
		if _, marked := t.marks[key]; !marked {
			all = false
			t.marks[key] = struct{}{}
		}
	}
	if all {
		t.ClearMarks()
	}
}

// ClearMarks takes all marks away.
func (t *Table) ClearMarks() { clear(t.marks) }

// KeepMarks takes away the marks of rows that are not in the set: those of objects that are gone.
func (t *Table) KeepMarks(exists func(key string) bool) {
	for key := range t.marks {
		if !exists(key) {
			delete(t.marks, key)
		}
	}
}

// IsMarked says whether the row with the key is marked.
func (t *Table) IsMarked(key string) bool {
	_, marked := t.marks[key]
	return marked
}

// Marks is the number of marked rows.
func (t *Table) Marks() int { return len(t.marks) }
