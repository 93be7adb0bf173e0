//go:build linux

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseNode(t *testing.T) {
	for s, want := range map[string]int{"1": 1, "node3": 3, "0": 0, "4": 0, "node": 0, "": 0, "-1": 0, "worker": 0} {
		got, err := parseNode(s)
		if got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: got %d and %v, want %d", s, got, err, want)
		}
	}
}

func TestBadInputIsOneClearLine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"pack-manager", "--binary", os.Args[0], "--image", "a/b:c"}, "say where the image goes"},
		{[]string{"pack-manager", "--binary", os.Args[0]}, `"image" not set`},
		{[]string{"pack-manager", "--binary", "/none", "--image", "a/b:c", "--out", filepath.Join(t.TempDir(), "x.tar")}, "no such file"},
		{[]string{"status"}, "not up"},
		{[]string{"load"}, "requires at least 1 arg"},
		{[]string{"unheard-of"}, "unknown command"},
	} {
		cmd := command()
		cmd.SetArgs(append([]string{"--dir", dir}, c.args...))
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		err := cmd.ExecuteContext(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: got %v, want one line with %q", c.args, err, c.want)
		}
	}
}

func TestSourceIsFoundFromBelow(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "cluster"))
	source, err := findSource()
	if err != nil || filepath.Base(source) != "sandbox" {
		t.Fatalf("got %q and %v", source, err)
	}
	t.Chdir(t.TempDir())
	if source, err := findSource(); err == nil {
		t.Fatalf("found %q outside the repository", source)
	}
}
