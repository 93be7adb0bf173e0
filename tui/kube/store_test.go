package kube

import (
	"context"
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

// Dates tick when their text changes, once a second at most, and not at all where nobody would see a difference.
func TestStoreTicks(t *testing.T) {
	for name, tc := range map[string]struct {
		age       time.Duration
		ticks     int
		in        time.Duration
		firstText string
	}{
		"seconds":         {90 * time.Second, 20, 20 * time.Second, "90s"},
		"minutes":         {30 * time.Minute, 10, 10 * time.Minute, "30m"},
		"hours":           {50 * time.Hour, 3, 3 * time.Hour, "2d2h"},
		"days":            {100 * 24 * time.Hour, 0, 23 * time.Hour, "100d"},
		"minutes are few": {30 * time.Minute, 0, 50 * time.Second, "30m"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStore(nil, Scope{})
				putRow(s, "a", "1", time.Now().UTC().Add(-tc.age).Format(time.RFC3339))
				putRow(s, "b", "2", time.Now().UTC().Add(-tc.age).Format(time.RFC3339))
				first, err := s.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				last := first.Rows[0].Cells[len(first.Columns)-1].Text
				if last != tc.firstText {
					t.Errorf("age %q, want %q", last, tc.firstText)
				}
				ctx, cancel := context.WithTimeout(t.Context(), tc.in)
				defer cancel()
				ticks := 0
				for {
					snapshot, err := s.Next(ctx)
					if err != nil {
						break
					}
					ticks++
					text := snapshot.Rows[0].Cells[len(first.Columns)-1].Text
					if text == last {
						t.Errorf("a snapshot without a change: %q", text)
					}
					last = text
				}
				// The end of the time and a tick may fall together.
				if ticks != tc.ticks && ticks != tc.ticks-1 {
					t.Errorf("%d ticks, want %d", ticks, tc.ticks)
				}
				if got := first.Rows[0].Cells[len(first.Columns)-1].Text; got != tc.firstText {
					t.Errorf("the snapshot that was handed out first has changed: %q", got)
				}
			})
		})
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

// BenchmarkTick is the tick of 10,000 dates, all of which read otherwise.
func BenchmarkTick(b *testing.B) {
	var l list
	l.add(rows())
	now := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(time.Minute)
		l.tick(now)
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
