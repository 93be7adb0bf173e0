package cluster

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/test/sandbox/image"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/progress"
)

func newCluster(t *testing.T) Cluster {
	t.Helper()
	return Cluster{Dir: layout.Dir(filepath.Join(t.TempDir(), "state")), Progress: progress.New(io.Discard)}
}

func TestWithoutAClusterEachCommandSaysThatItIsDown(t *testing.T) {
	c := newCluster(t)
	tar := filepath.Join(t.TempDir(), "image.tar")
	if err := image.Program(tar, "a/b:c", "program", os.Args[0]); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"status": c.Status(t.Context(), io.Discard),
		"exec":   c.Exec(1, false, []string{"true"}),
		"cut":    c.Cut(2),
		"heal":   c.Heal(2),
		"load":   c.Load(t.Context(), tar),
	} {
		if !errors.Is(err, ErrDown) {
			t.Errorf("%s: got %v, want %v", name, err, ErrDown)
		}
	}
}

func TestDownWithoutAnythingMakesNothing(t *testing.T) {
	c := newCluster(t)
	if err := c.Down(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(string(c.Dir)); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the state folder was made: %v", err)
	}
}

func TestDownEndsNothingThatARecordOnlySeemsToName(t *testing.T) {
	c := newCluster(t)
	dir := c.Dir.Node(1)
	if err := os.MkdirAll(string(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	// The test's own number, from before a reboot: were it taken for the node, this test would not end well.
	record := `{"pid": ` + strconv.Itoa(os.Getpid()) + `, "start": "1", "boot": "before"}`
	if err := os.WriteFile(dir.Record(), []byte(record), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.Down(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir.Record()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the record is still there: %v", err)
	}
}

func TestWipeForgetsTheClusterAndKeepsThePrograms(t *testing.T) {
	c := newCluster(t)
	kept := filepath.Join(c.Dir.Assets(), "etcd")
	gone := []string{
		filepath.Join(c.Dir.Node(1).State(), "etcd"), filepath.Join(c.Dir.Volumes(), "data"), filepath.Join(c.Dir.PKI(), "ca.key"), c.Dir.Config(),
	}
	for _, path := range append(gone, kept) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Down(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	for _, path := range append(gone, kept) {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("without wipe: %v", err)
		}
	}
	if err := c.Down(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	for _, path := range gone {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
}

func TestMountBelow(t *testing.T) {
	const mounts = "25 20 0:21 / / rw - ext4 /dev/x rw\n26 25 0:22 / /a/.sandbox-other rw - tmpfs x rw\n27 25 0:23 / /a/.sandbox/node1/run rw - tmpfs x rw\n"
	for dir, want := range map[string]string{"/a/.sandbox": "/a/.sandbox/node1/run", "/b": "", "/a/.sand": ""} {
		if got := mountBelow(mounts, dir); got != want {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
}

func TestSettingsAreKept(t *testing.T) {
	c := newCluster(t)
	if err := os.MkdirAll(string(c.Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if s, err := c.loadSettings(); err != nil || s != (settings{}) {
		t.Fatalf("got %v and %v, want none at first", s, err)
	}
	want := settings{Nodes: 3, Port: 12345}
	if err := c.saveSettings(want); err != nil {
		t.Fatal(err)
	}
	if s, err := c.loadSettings(); err != nil || s != want {
		t.Fatalf("got %v and %v, want %v", s, err, want)
	}
}

func TestAPortThatIsTakenIsReplacedByAFreeOne(t *testing.T) {
	first, err := listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Close() }()
	port := first.Addr().(*net.TCPAddr).Port
	second, err := listen(port)
	if err != nil {
		t.Fatal(err)
	}
	if got := second.Addr().(*net.TCPAddr); got.Port == port || !got.IP.IsLoopback() {
		t.Errorf("got %v, want another port of the loopback", got)
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil {
		t.Fatal(err)
	}
	again, err := listen(port)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if got := again.Addr().(*net.TCPAddr).Port; got != port {
		t.Errorf("got port %d, want %d again", got, port)
	}
}

func TestGroupNamesOfTwoClonesDiffer(t *testing.T) {
	a, b := groupName("/a/.sandbox", 1), groupName("/b/.sandbox", 1)
	if a == b || a == groupName("/a/.sandbox", 2) || !strings.HasSuffix(a, "-node1") {
		t.Errorf("got %s and %s", a, b)
	}
}

func TestSetenv(t *testing.T) {
	got := setenv([]string{"PATH=/bin", "HOME=/root", "PATHS=x"}, "PATH=/a:/bin", "KUBECONFIG=/k")
	if want := []string{"HOME=/root", "PATHS=x", "PATH=/a:/bin", "KUBECONFIG=/k"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
