package parts

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/test/sandbox/cache"
	"kuberly.io/valkey-operator/test/sandbox/progress"
)

// sources is a folder that looks like test/sandbox to a Builder.
func sources(t *testing.T) Builder {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module m\n\nrequire (\n\tk8s.io/kubernetes v1.37.2\n)\n",
		"go.sum":              "",
		"cmd/hyper/main.go":   "package main\n",
		"cmd/pause/main.go":   "package main\n",
		"image/image.go":      "package image\n",
		"image/image_test.go": "package image\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := cache.Open(filepath.Join(dir, "cache"))
	if err != nil {
		t.Fatal(err)
	}
	return Builder{Source: dir, Cache: c, Progress: progress.New(io.Discard)}
}

func TestAProgramIsBuiltAnewWhenWhatItIsMadeOfChanges(t *testing.T) {
	b := sources(t)
	pause := program{name: "pause", tag: "a/pause:built"}
	keys := func() [2]cache.Key {
		t.Helper()
		var k [2]cache.Key
		var err error
		for i, p := range []program{hyperProgram, pause} {
			if k[i], err = b.programKey(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		return k
	}
	for _, c := range []struct {
		file         string
		hyper, pause bool
	}{
		{"cmd/hyper/main.go", true, false},
		{"cmd/pause/main.go", false, true},
		{"image/image.go", false, true}, // hyper is in no image
		{"image/image_test.go", false, false},
		{"go.mod", true, true},
		{"go.sum", true, true},
	} {
		before := keys()
		f, err := os.OpenFile(filepath.Join(b.Source, c.file), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("// changed\n")
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		if after := keys(); (after[0] != before[0]) != c.hyper || (after[1] != before[1]) != c.pause {
			t.Errorf("%s: hyper anew %v, pause anew %v; want %v and %v", c.file, after[0] != before[0], after[1] != before[1], c.hyper, c.pause)
		}
	}
}

func TestProgramsSayTheVersionOfTheirModule(t *testing.T) {
	b := sources(t)
	version, err := b.kubernetesVersion()
	if err != nil || version != [3]string{"v1.37.2", "1", "37"} {
		t.Fatalf("got %v and %v", version, err)
	}
	if flags := versionFlags(version); !strings.Contains(flags, "-X k8s.io/component-base/version.gitVersion=v1.37.2") ||
		!strings.Contains(flags, "-X k8s.io/client-go/pkg/version.gitMinor=37") {
		t.Errorf("flags are %q", flags)
	}
	if err := os.WriteFile(filepath.Join(b.Source, "go.mod"), []byte("module m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := b.kubernetesVersion(); err == nil {
		t.Error("found a version in a go.mod without Kubernetes")
	}
}

func TestACompilerErrorIsShownAndCachesNothing(t *testing.T) {
	b := sources(t)
	if err := os.WriteFile(filepath.Join(b.Source, "go.mod"), []byte("module m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := b.program(t.Context(), program{name: "pause", tag: "a/pause:built"})
	if err == nil || !strings.Contains(err.Error(), "function main is undeclared") {
		t.Fatalf("got %v, want the compiler's words", err)
	}
	key, err := b.programKey(t.Context(), program{name: "pause", tag: "a/pause:built"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := b.Cache.Lookup("pause", key); ok {
		t.Error("the failed build is in the cache")
	}
}

func TestAnInterruptedBuildSaysSo(t *testing.T) {
	b := sources(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.compile(ctx, program{name: "pause"}, filepath.Join(t.TempDir(), "pause")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
}

func TestLinkReplacesWhatIsThere(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	for _, path := range []string{"usr/lib64/ld-linux-x86-64.so.2", "usr/lib/x86_64-linux-gnu/libc.so.6"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, path), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "assets")
	for _, hyper := range []string{"/old/hyper", "/new/hyper"} {
		if err := (Assets{Hyper: hyper, Valkey: root}).Link(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"etcd", "kube-apiserver", "kubectl"} {
		if target, err := os.Readlink(filepath.Join(dir, name)); err != nil || target != "/new/hyper" {
			t.Errorf("%s leads to %q (%v)", name, target, err)
		}
	}
	script, err := os.ReadFile(filepath.Join(dir, "valkey-cli"))
	if err != nil || !strings.Contains(string(script), root+"/usr/local/bin/valkey-cli") {
		t.Errorf("valkey-cli is %q (%v)", script, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 5 {
		t.Errorf("the folder holds %v (%v), want the five programs alone", entries, err)
	}
}
