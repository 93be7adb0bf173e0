package cgroup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	mountsSeparate = `25 20 0:21 / /sys/fs/cgroup/cpu rw,relatime shared:5 - cgroup cgroup rw,cpu
26 20 0:22 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd
27 20 0:23 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
28 20 0:24 / /elsewhere/memory rw - cgroup cgroup rw,memory
29 20 0:24 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
`
	mountsJoined   = "25 20 0:21 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
	mountsInDocker = "25 20 0:21 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n"
)

func TestFindsTheOwnGroupInEachHierarchy(t *testing.T) {
	for name, c := range map[string]struct{ mounts, own, want string }{
		"the top of a hierarchy":        {mountsSeparate, "3:cpu:/", "/sys/fs/cgroup/cpu"},
		"a group below the top":         {mountsSeparate, "4:memory:/ci/job", "/sys/fs/cgroup/memory/ci/job"},
		"a named hierarchy":             {mountsSeparate, "1:name=systemd:/user.slice", "/sys/fs/cgroup/systemd/user.slice"},
		"two controllers in one":        {mountsJoined, "4:cpu,cpuacct:/", "/sys/fs/cgroup/cpu,cpuacct"},
		"a mount of a container's part": {mountsInDocker, "4:cpu:/docker/abc/job", "/sys/fs/cgroup/cpu/job"},
		"a path outside the mount":      {mountsInDocker, "4:cpu:/", "/sys/fs/cgroup/cpu"},
		"a hierarchy without a mount":   {mountsJoined, "9:pids:/", ""},
	} {
		t.Run(name, func(t *testing.T) {
			own := parseOwn(c.own)
			if len(own) != 1 {
				t.Fatalf("parsed %v", own)
			}
			got, ok := parseMounts(c.mounts).find(own[0])
			if got != c.want || ok != (c.want != "") {
				t.Fatalf("got %q and %v, want %q", got, ok, c.want)
			}
		})
	}
}

func TestParseOwnLeavesVersion2Out(t *testing.T) {
	if own := parseOwn("2:cpu:/\n0::/user.slice\n"); len(own) != 1 || own[0].controllers != "cpu" {
		t.Fatalf("got %v, want the one hierarchy of version 1", own)
	}
}

// files makes a folder that looks like a control group.
func files(t *testing.T, dir string, content map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range content {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestANewCpusetGetsItsParentsCores(t *testing.T) {
	parent := t.TempDir()
	child := filepath.Join(parent, "node1")
	files(t, parent, map[string]string{"cpuset.cpus": "0-1\n", "cpuset.mems": "0\n"})
	files(t, child, map[string]string{"cpuset.cpus": "\n", "cpuset.mems": "\n", "cgroup.clone_children": "0"})
	if err := (Group{Dirs: []string{child}}).Make(); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"cpuset.cpus": "0-1", "cpuset.mems": "0", "cgroup.clone_children": "1"} {
		if got := strings.TrimSpace(read(t, filepath.Join(child, file))); got != want {
			t.Errorf("%s is %q, want %q", file, got, want)
		}
	}
}

func TestDelegateHandsDownWhatIsNotYet(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{"cgroup.controllers": "cpu memory\n", "cgroup.subtree_control": "cpu\n"})
	if err := delegate(dir); err != nil {
		t.Fatal(err)
	}
	// A plain file keeps the last write, where the kernel would take it as a command.
	if got := read(t, filepath.Join(dir, "cgroup.subtree_control")); !strings.HasPrefix(got, "+memory") {
		t.Fatalf("wrote %q, want +memory", got)
	}
}

func TestRemoveTakesTheWholeTreeAndNothingElse(t *testing.T) {
	root := t.TempDir()
	group := filepath.Join(root, "node1")
	if err := os.MkdirAll(filepath.Join(group, "kubepods", "pod1"), 0o755); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(root, "other")
	files(t, other, nil)
	g := Group{Dirs: []string{group, filepath.Join(root, "never-made")}}
	for range 2 {
		if err := g.Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(group); !os.IsNotExist(err) {
		t.Fatalf("the group is still there: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Fatal(err)
	}
}

func TestRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cgroups.json")
	if g, err := Load(path); err != nil || len(g.Dirs) != 0 {
		t.Fatalf("a missing record gave %v and %v", g, err)
	}
	if err := (Group{Dirs: []string{"/a", "/b"}}).Save(path); err != nil {
		t.Fatal(err)
	}
	if g, err := Load(path); err != nil || len(g.Dirs) != 2 || g.Dirs[1] != "/b" {
		t.Fatalf("got %v and %v", g, err)
	}
}
