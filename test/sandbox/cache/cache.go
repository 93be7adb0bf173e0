// Package cache keeps built parts in folders named by what they are built from. An entry appears whole or not at all,
// so a build that is killed can be run again. It never knows what is in an entry.
package cache

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// unusedAfter is how long an entry that nobody asks for is kept.
const unusedAfter = 30 * 24 * time.Hour

// Cache is a folder of entries, shared by every clone of the repository.
type Cache struct{ dir string }

// Open returns the cache in dir, making the folder if it is missing.
func Open(dir string) (Cache, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Cache{}, fmt.Errorf("open cache: %w", err)
	}
	return Cache{dir: dir}, nil
}

// DefaultDir is the user's cache folder for the sandbox, ${XDG_CACHE_HOME:-~/.cache}/valkey-operator/sandbox.
func DefaultDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the user's cache folder: %w", err)
	}
	return filepath.Join(base, "valkey-operator", "sandbox"), nil
}

// Dir is a folder below the cache for what is no entry, such as package lists.
func (c Cache) Dir(name string) string { return filepath.Join(c.dir, name) }

// Lookup returns the folder of the entry, and whether it is there.
func (c Cache) Lookup(part string, key Key) (string, bool) {
	entry := c.entry(part, key)
	if _, err := os.Stat(entry); err != nil {
		return entry, false
	}
	return entry, true
}

// Get returns the entry of part and key. If it is missing, build fills an empty folder that then becomes the entry; of
// several processes that want the same part, one builds and the others wait for it, of which waiting is told.
func (c Cache) Get(ctx context.Context, part string, key Key, waiting func(), build func(ctx context.Context, dir string) error) (string, error) {
	if entry, ok := c.Lookup(part, key); ok {
		touch(entry)
		return entry, nil
	}
	unlock, err := Lock(ctx, filepath.Join(c.dir, part+".lock"), waiting)
	if err != nil {
		return "", err
	}
	defer unlock()
	entry, ok := c.Lookup(part, key)
	if ok { // another process built it while this one waited
		return entry, nil
	}
	if err := c.clean(part); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(c.dir, part+".tmp-")
	if err != nil {
		return "", fmt.Errorf("build %s: %w", part, err)
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return "", fmt.Errorf("build %s: %w", part, err)
	}
	if err := build(ctx, tmp); err != nil {
		_ = os.RemoveAll(tmp) // what is left of it goes at the next build
		return "", fmt.Errorf("build %s: %w", part, err)
	}
	if err := os.Rename(tmp, entry); err != nil {
		return "", fmt.Errorf("build %s: %w", part, err)
	}
	return entry, nil
}

func (c Cache) entry(part string, key Key) string {
	return filepath.Join(c.dir, part+"-"+string(key))
}

// clean removes what killed builds of part left, and its entries that nobody has used for long. The caller holds the lock.
func (c Cache) clean(part string) error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return fmt.Errorf("clean cache: %w", err)
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), part) {
			continue
		}
		rest := strings.TrimPrefix(e.Name(), part)
		stale := strings.HasPrefix(rest, ".tmp-")
		if info, err := e.Info(); err == nil && isKey(strings.TrimPrefix(rest, "-")) {
			stale = time.Since(info.ModTime()) > unusedAfter
		}
		if !stale {
			continue
		}
		if err := os.RemoveAll(filepath.Join(c.dir, e.Name())); err != nil {
			return fmt.Errorf("clean cache: %w", err)
		}
	}
	return nil
}

// touch marks the entry as used. Someone who may only read the cache may still use it.
func touch(entry string) {
	now := time.Now()
	_ = os.Chtimes(entry, now, now)
}

// Lock takes the lock file at path. If another process holds it, waiting is called once, and the lock is taken when that
// process lets go of it or ends.
func Lock(ctx context.Context, path string, waiting func()) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	for tries := 0; ; tries++ {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			_ = f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if tries == 1 { // not for a moment's meeting
			waiting()
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}
