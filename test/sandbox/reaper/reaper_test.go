package reaper

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// sh is a command that runs a shell line and logs to a file of the test.
func sh(t *testing.T, line string) Command {
	t.Helper()
	return Command{Path: "/bin/sh", Name: "sh", Args: []string{"-c", line}, Log: filepath.Join(t.TempDir(), "log")}
}

func TestReaper(t *testing.T) {
	r := New(t.Context()) // one for all: a process has one
	t.Run("a status other than 0 is an error", func(t *testing.T) {
		if err := r.Run(t.Context(), sh(t, "exit 0")); err != nil {
			t.Error(err)
		}
		if err := r.Run(t.Context(), sh(t, "exit 3")); err == nil || err.Error() != "sh ended with status 3" {
			t.Errorf("got %v", err)
		}
		if err := r.Run(t.Context(), sh(t, "kill -TERM $$")); err == nil || err.Error() != "sh was ended by signal terminated" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("output goes to the log", func(t *testing.T) {
		c := sh(t, "echo out; echo err >&2")
		if err := r.Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(c.Log); err != nil || string(got) != "out\nerr\n" {
			t.Errorf("log is %q (%v)", got, err)
		}
	})
	t.Run("many that end at once are all seen", func(t *testing.T) {
		var wg sync.WaitGroup
		for range 50 {
			c := sh(t, "exit 7")
			wg.Go(func() {
				if err := r.Run(t.Context(), c); err == nil || !strings.HasSuffix(err.Error(), "status 7") {
					t.Errorf("got %v", err)
				}
			})
		}
		wg.Wait()
	})
	t.Run("what is kept starts again until the context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := sh(t, "echo once")
		ends := 0
		r.Keep(ctx, c, func(err error) {
			if ends++; err == nil || err.Error() != "sh ended" {
				t.Errorf("got %v", err)
			}
			if ends == 2 {
				cancel()
			}
		})
		if got, err := os.ReadFile(c.Log); err != nil || string(got) != "once\nonce\n" {
			t.Errorf("log is %q (%v), want two runs", got, err)
		}
	})
	t.Run("a context that ends kills the process", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- r.Run(ctx, sh(t, "exec tail -f /dev/null")) }()
		cancel()
		if err := <-done; err == nil {
			t.Error("no error")
		}
	})
}
