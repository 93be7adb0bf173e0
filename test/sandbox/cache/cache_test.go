package cache

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func open(t *testing.T) Cache {
	t.Helper()
	c, err := Open(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const key = Key("0123456789abcdef")

func TestGetBuildsOnceForManyCallers(t *testing.T) {
	c := open(t)
	var built atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			entry, err := c.Get(t.Context(), "hyper", key, func() {}, func(_ context.Context, dir string) error {
				built.Add(1)
				return os.WriteFile(filepath.Join(dir, "hyper"), []byte("x"), 0o755)
			})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := os.Stat(filepath.Join(entry, "hyper")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := built.Load(); n != 1 {
		t.Fatalf("built %d times, want once", n)
	}
}

func TestAFailedBuildLeavesNoEntryAndCanBeRunAgain(t *testing.T) {
	c := open(t)
	boom := errors.New("killed")
	_, err := c.Get(t.Context(), "hyper", key, func() {}, func(_ context.Context, dir string) error {
		if err := os.WriteFile(filepath.Join(dir, "half"), nil, 0o644); err != nil {
			t.Error(err)
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatalf("got %v, want the build's error", err)
	}
	if _, ok := c.Lookup("hyper", key); ok {
		t.Fatal("a failed build left an entry")
	}
	entry, err := c.Get(t.Context(), "hyper", key, func() {}, func(context.Context, string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(entry); len(left) != 0 {
		t.Fatalf("the second build started from the first one's leftovers: %v", left)
	}
}

func TestABuildSweepsOldEntriesAndLeftoversOfItsPartOnly(t *testing.T) {
	c := open(t)
	old := time.Now().Add(-2 * unusedAfter)
	for _, name := range []string{"hyper-00000000000000aa", "hyper.tmp-1", "hyper2-00000000000000aa", "apt"} {
		dir := filepath.Join(c.dir, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Get(t.Context(), "hyper", key, func() {}, func(context.Context, string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{
		"hyper-00000000000000aa": false, "hyper.tmp-1": false,
		"hyper2-00000000000000aa": true, "apt": true, "hyper-" + string(key): true,
	}
	for name, kept := range want {
		if _, err := os.Stat(filepath.Join(c.dir, name)); (err == nil) != kept {
			t.Errorf("%s: kept is %v, want %v", name, err == nil, kept)
		}
	}
}

func TestLockEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := Lock(t.Context(), path, func() {})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Lock(ctx, path, func() {}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the context's error while another holds the lock", err)
	}
	// Whoever has to wait is told so once, and gets the lock in the end.
	told := make(chan struct{}, 9)
	go func() { <-told; unlock() }()
	again, err := Lock(t.Context(), path, func() { told <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	again()
	if len(told) != 0 {
		t.Fatal("told more than once")
	}
}

func TestKeyChangesWithContentNameAndOrder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	key := func(r *Recipe) Key {
		t.Helper()
		k, err := r.Key()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	files := func() Key { return key(NewRecipe().Files(filepath.Join(dir, "*.go"))) }

	write("a.go", "one")
	first := files()
	if !isKey(string(first)) {
		t.Fatalf("%q is no key", first)
	}
	if files() != first {
		t.Fatal("the same input gave another key")
	}
	write("a.go", "two")
	if files() == first {
		t.Fatal("a changed file kept the key")
	}
	if key(NewRecipe().Words("ab", "c")) == key(NewRecipe().Words("a", "bc")) {
		t.Fatal("words run into each other")
	}
	if _, err := NewRecipe().Files(filepath.Join(dir, "*.none")).Key(); err == nil {
		t.Fatal("a pattern without a match must be an error")
	}
}
