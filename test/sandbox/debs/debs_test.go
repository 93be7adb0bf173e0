package debs

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestSystemMirrorIsTheMainArchive(t *testing.T) {
	const stanza = "Types: deb\n# a comment\nURIs: https://mirror.example/debian-security\nSuites: s\n\nTypes: deb\nURIs: https://mirror.example/debian/\nSuites: s\n"
	const list = "# deb https://old.example/debian s main\ndeb-src https://src.example/debian s main\ndeb [arch=amd64 signed-by=/k] https://list.example/debian s main\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a stanza, past the security archive": {map[string]string{"sources.list.d/debian.sources": stanza}, "https://mirror.example/debian/"},
		"a one-line source, past comments":    {map[string]string{"sources.list": list}, "https://list.example/debian"},
		"none, past another distribution's":   {map[string]string{"sources.list": "deb https://a.example/ubuntu s main\n"}, ""},
		"no file at all":                      {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			etc := t.TempDir()
			for file, content := range c.files {
				path := filepath.Join(etc, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := systemMirror(etc)
			if c.want == "" {
				if !errors.Is(err, errNoMirror) {
					t.Fatalf("got %v, want errNoMirror", err)
				}
				return
			}
			if err != nil || got.uri != c.want {
				t.Fatalf("got %q and %v, want %q", got.uri, err, c.want)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	debs := []string{"/a/valkey-tools_9.1.2+dfsg1-1_amd64.deb", "/a/valkey-server_1%3a9.1.2~rc1-1_amd64.deb", "/a/dash_0.5-12_amd64.deb"}
	for name, want := range map[string]string{"valkey-tools": "9.1.2", "valkey-server": "9.1.2", "dash": "", "valkey": ""} {
		got, err := Version(debs, name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q and %v, want %q", name, got, err, want)
		}
	}
}

func TestExtractMergesUsrAndLeavesTheRestOut(t *testing.T) {
	var stream bytes.Buffer
	w := tar.NewWriter(&stream)
	for _, h := range []tar.Header{
		{Name: "./usr/", Typeflag: tar.TypeDir, Mode: 0o755},
		{Name: "./bin/dash", Typeflag: tar.TypeReg, Mode: 0o755, Size: 4},
		{Name: "./bin/sh", Typeflag: tar.TypeSymlink, Linkname: "dash"},
		{Name: "./usr/bin/hard", Typeflag: tar.TypeLink, Linkname: "./bin/dash"},
		{Name: "./usr/share/doc/dash/copyright", Typeflag: tar.TypeReg, Mode: 0o644, Size: 4},
		{Name: "./etc/shells", Typeflag: tar.TypeReg, Mode: 0o644, Size: 4},
		{Name: "../usr/bin/escape", Typeflag: tar.TypeReg, Mode: 0o755, Size: 4},
	} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte("dash")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	packed := stream.Bytes()
	for range 2 { // a second time over what is there already
		if err := extract(bytes.NewReader(packed), root); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			got = append(got, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"usr/bin/dash", "usr/bin/hard", "usr/bin/sh"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	content, err := os.ReadFile(filepath.Join(root, "usr", "bin", "sh"))
	if err != nil || string(content) != "dash" {
		t.Fatalf("the link reads %q and %v, want its target", content, err)
	}
}

func TestMissingNamesEachPackageOnce(t *testing.T) {
	program := filepath.Join(t.TempDir(), "here")
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	got := Missing([]Need{
		{Program: "no-such-program-a", Package: "p"},
		{Program: "no-such-program-b", Package: "p"},
		{Program: "no-such-program-c", Package: "q", Paths: []string{program}},
	})
	if !slices.Equal(got, []string{"p"}) {
		t.Fatalf("got %v, want [p]", got)
	}
}
