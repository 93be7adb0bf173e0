package image

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// unpacked is an image as a runtime sees it.
type unpacked struct {
	config v1.Config
	files  map[string]*tar.Header
	text   map[string]string
}

func unpack(t *testing.T, file string) unpacked {
	t.Helper()
	img, err := tarball.ImageFromPath(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	config, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	layers, err := img.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("got %d layers and %v, want one", len(layers), err)
	}
	content, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	u := unpacked{config: config.Config, files: map[string]*tar.Header{}, text: map[string]string{}}
	for archive := tar.NewReader(content); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return u
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		u.files[h.Name], u.text[h.Name] = h, string(text)
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestManagerHasTheLayoutOfTheDockerfile(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "manager.tar")
	if err := Manager(out, "example.com/manager:dev", write(t, filepath.Join(dir, "bin"), "program")); err != nil {
		t.Fatal(err)
	}
	u := unpack(t, out)
	if u.config.User != "65532:65532" || !slices.Equal(u.config.Entrypoint, []string{"/manager"}) {
		t.Errorf("user %q and entry point %q, want 65532:65532 and /manager", u.config.User, u.config.Entrypoint)
	}
	if h := u.files["manager"]; h == nil || h.Mode != 0o755 || u.text["manager"] != "program" {
		t.Errorf("manager is %+v", h)
	}
	if h := u.files["tmp/"]; h == nil || h.Mode != 0o1777 {
		t.Errorf("tmp is %+v, want a folder that everyone may write to", h)
	}
	if h := u.files["home/nonroot/"]; h == nil || h.Uid != nonroot || h.Gid != nonroot {
		t.Errorf("home of the user is %+v", h)
	}
	if tags, err := Tags(out); err != nil || !slices.Equal(tags, []string{"example.com/manager:dev"}) {
		t.Errorf("tags are %v (%v)", tags, err)
	}
}

func TestValkeyHasTheLayoutOfTheOfficialImage(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	write(t, root+"/usr/local/bin/valkey-server", "server")
	for _, d := range []string{"data", "tmp"} {
		if err := os.Mkdir(filepath.Join(root, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("usr/bin", filepath.Join(root, "bin")); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "valkey.tar")
	if err := Valkey(out, root, "9.1.2", "9.1", "latest"); err != nil {
		t.Fatal(err)
	}
	u := unpack(t, out)
	if u.config.WorkingDir != "/data" || !slices.Equal(u.config.Cmd, []string{"valkey-server"}) || !slices.Contains(u.config.Env, "VALKEY_VERSION=9.1.2") {
		t.Errorf("config is %+v", u.config)
	}
	if h := u.files["data/"]; h == nil || h.Uid != 999 || h.Gid != 999 || h.Mode != 0o755 {
		t.Errorf("data is %+v, want a folder of the user valkey", h)
	}
	if h := u.files["usr/local/bin/valkey-server"]; h == nil || h.Uid != 0 || h.Mode != 0o755 {
		t.Errorf("server is %+v, want root's, whoever packed it", h)
	}
	if h := u.files["bin"]; h == nil || h.Typeflag != tar.TypeSymlink || h.Linkname != "usr/bin" {
		t.Errorf("bin is %+v, want a link", h)
	}
	tags, err := Tags(out)
	slices.Sort(tags)
	if want := []string{"docker.io/valkey/valkey:9.1", "docker.io/valkey/valkey:9.1.2", "docker.io/valkey/valkey:latest"}; err != nil || !slices.Equal(tags, want) {
		t.Errorf("tags are %v (%v), want %v", tags, err, want)
	}
}

func TestValkeyTags(t *testing.T) {
	for name, c := range map[string]struct {
		version string
		extra   []string
		want    []string
	}{
		"the pinned tag is the version's own": {"9.1.2", []string{"9.1"}, []string{"9.1.2", "9.1"}},
		"a suite that has moved on":           {"9.2.0", []string{"9.1", "latest"}, []string{"9.2.0", "9.2", "9.1", "latest"}},
	} {
		t.Run(name, func(t *testing.T) {
			var want []string
			for _, tag := range c.want {
				want = append(want, "docker.io/valkey/valkey:"+tag)
			}
			if got := ValkeyTags(c.version, c.extra...); !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestTheSameFilesGiveTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	binary := write(t, filepath.Join(dir, "program"), "x")
	var packed [2][]byte
	for i := range packed {
		out := filepath.Join(dir, "image.tar")
		if err := Program(out, Pause, "pause", binary); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		packed[i] = content
	}
	if !bytes.Equal(packed[0], packed[1]) {
		t.Fatal("the same files gave other bytes")
	}
}

func TestBadInputIsAnError(t *testing.T) {
	dir := t.TempDir()
	binary := write(t, filepath.Join(dir, "program"), "x")
	out := filepath.Join(dir, "image.tar")
	if err := Manager(out, "NOT A TAG", binary); err == nil {
		t.Error("took a name that is none")
	}
	if err := Manager(out, "a/b:c", filepath.Join(dir, "missing")); err == nil {
		t.Error("took a program that is missing")
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("left a file behind")
	}
	if _, err := Tags(binary); err == nil {
		t.Error("took a file that is no tar for images")
	}
}
