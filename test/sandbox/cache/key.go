package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Key names an entry: a short hash of everything that the part is built from.
type Key string

var keyPattern = regexp.MustCompile(`^[0-9a-f]{16}$`)

func isKey(s string) bool { return keyPattern.MatchString(s) }

// Recipe collects what a part is built from. The order in which things are added counts.
type Recipe struct {
	sum hash.Hash
	err error
}

// NewRecipe returns an empty Recipe.
func NewRecipe() *Recipe { return &Recipe{sum: sha256.New()} }

// Words adds words, each apart from its neighbours.
func (r *Recipe) Words(words ...string) *Recipe {
	for _, w := range words {
		r.write(fmt.Sprintf("%d:%s\n", len(w), w))
	}
	return r
}

// Files adds the name and content of the files that match pattern, but for tests, of which nothing is built. A pattern
// without a match is an error, since it would let a change go unseen.
func (r *Recipe) Files(pattern string) *Recipe {
	names, err := filepath.Glob(pattern) // sorted
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("no file matches %s", pattern)
	}
	if err != nil {
		r.fail(err)
		return r
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			r.file(name)
		}
	}
	return r
}

// Key returns the hash of all that was added, or the first error.
func (r *Recipe) Key() (Key, error) {
	if r.err != nil {
		return "", fmt.Errorf("hash what the part is built from: %w", r.err)
	}
	return Key(hex.EncodeToString(r.sum.Sum(nil))[:16]), nil
}

func (r *Recipe) file(name string) {
	f, err := os.Open(name)
	if err != nil {
		r.fail(err)
		return
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		r.fail(err)
		return
	}
	r.Words(filepath.Base(name), fmt.Sprint(info.Size()))
	if _, err := io.Copy(r.sum, f); err != nil {
		r.fail(err)
	}
}

func (r *Recipe) write(s string) { _, _ = io.WriteString(r.sum, s) } // a hash takes every write

func (r *Recipe) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}
