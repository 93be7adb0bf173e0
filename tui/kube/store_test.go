package kube

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func unstructuredValkey(name, version, created string) *unstructured.Unstructured {
	fields := object(name, version)
	fields["metadata"].(map[string]any)["creationTimestamp"] = created
	fields["spec"].(map[string]any)["replicas"] = int64(1)
	fields["status"].(map[string]any)["ready_replicas"] = int64(1)
	fields["status"].(map[string]any)["last_reconcile_at"] = created
	return &unstructured.Unstructured{Object: fields}
}

// putRow is what the store's goroutine does with an event.
func putRow(s *Store, name, version, created string) {
	s.apply("MODIFIED", unstructuredValkey(name, version, created), s.set)
}

// Events that come faster than eyes can follow are told together; the first of them at once.
func TestStoreBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(nil, Scope{})
		start := time.Now()
		created := start.UTC().Format(time.RFC3339)
		putRow(s, "a", "1", created)
		if _, err := s.Next(t.Context()); err != nil || time.Since(start) != 0 {
			t.Errorf("the first snapshot came after %v: %v", time.Since(start), err)
		}
		go func() {
			for i := range 1000 {
				putRow(s, "a", fmt.Sprint(i+2), created)
				time.Sleep(time.Millisecond)
			}
		}()
		snapshots := 0
		for s.list.rows[0].ResourceVersion != "1001" {
			if _, err := s.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
			snapshots++
		}
		if snapshots < 9 || snapshots > 11 {
			t.Errorf("%d snapshots in a second of 1,000 events, want 10", snapshots)
		}
	})
}

// Dates read as kubectl would print them at the time, whenever the row was made.
func TestDatesReadAsOfNow(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	made := now.Add(-90 * time.Second)
	row := newRow(unstructuredValkey("a", "1", made.Format(time.RFC3339)), newColumnSet(builtin), now)
	age, name := row.Cells[len(row.Cells)-1], row.Cells[0]
	for after, want := range map[time.Duration]string{
		0: "90s", time.Minute: "2m30s", 10 * time.Minute: "11m", 50 * time.Hour: "2d2h", 100 * 24 * time.Hour: "100d",
	} {
		if got := age.Reads(now.Add(after)); got != want {
			t.Errorf("%v later the age reads %q, want %q", after, got, want)
		}
	}
	if !age.IsDate() || name.IsDate() || name.Reads(now) != name.Text {
		t.Errorf("the age %+v, the first cell %+v", age, name)
	}
}

// rows are 10,000.
func rows() []*Row {
	set := newColumnSet(builtin)
	now := time.Now()
	created := now.UTC().Add(-time.Hour).Format(time.RFC3339)
	all := make([]*Row, 10_000)
	for i := range all {
		all[i] = newRow(unstructuredValkey(fmt.Sprintf("app-%05d", i), "1", created), set, now)
	}
	return all
}

// BenchmarkSnapshot is an event and the snapshot that tells it, with 10,000 rows.
func BenchmarkSnapshot(b *testing.B) {
	s := newStore(nil, Scope{})
	s.list.add(rows())
	object := unstructuredValkey("app-05000", "0", time.Now().UTC().Format(time.RFC3339))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		object.SetResourceVersion(fmt.Sprint(i + 2))
		s.apply("MODIFIED", object, s.set)
		s.handed = time.Time{}
		if _, _, ok := s.take(time.Now()); !ok {
			b.Fatal("no snapshot")
		}
	}
}

// BenchmarkRows makes the rows of 10,000 objects.
func BenchmarkRows(b *testing.B) {
	set := newColumnSet(builtin)
	object := unstructuredValkey("app", "1", "2026-01-02T03:04:05Z")
	now := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		for range 10_000 {
			newRow(object, set, now)
		}
	}
}

// BenchmarkReplace puts a new list of 10,000 unchanged objects in the place of the old.
func BenchmarkReplace(b *testing.B) {
	var l list
	l.add(rows())
	fresh := rows()
	again := make([]*Row, len(fresh))
	b.ReportAllocs()
	for b.Loop() {
		copy(again, fresh)
		l.replace(again, true)
	}
}
