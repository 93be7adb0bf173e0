package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Mount mounts the control groups anew on dir, in a control group namespace of the caller's own, so that the group which
// it entered is the top of the tree that it sees.
func (g Group) Mount(dir string) error {
	if g.Unified {
		return mountUnified(dir)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("mount control groups: %w", err)
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return fmt.Errorf("mount control groups: %w", err)
	}
	for _, m := range parseOwn(string(own)) {
		if err := mountHierarchy(dir, m.controllers); err != nil {
			return fmt.Errorf("mount control group %s: %w", m.controllers, err)
		}
	}
	return nil
}

func mountHierarchy(dir, controllers string) error {
	name, options := strings.TrimPrefix(controllers, "name="), controllers
	if name != controllers {
		options = "none," + controllers
	}
	target := filepath.Join(dir, name)
	if err := os.Mkdir(target, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("cgroup", target, "cgroup", 0, options); err != nil {
		return err
	}
	for c := range strings.SplitSeq(name, ",") { // as cpu -> cpu,cpuacct, which runtimes look for
		if err := os.Symlink(name, filepath.Join(dir, c)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// mountUnified also moves the caller into a leaf: in version 2 a group that hands controllers down may hold no process.
func mountUnified(dir string) error {
	if err := unix.Mount("cgroup2", dir, "cgroup2", 0, ""); err != nil {
		return fmt.Errorf("mount control groups: %w", err)
	}
	leaf := filepath.Join(dir, "init")
	if err := os.Mkdir(leaf, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make control group: %w", err)
	}
	if err := write(leaf, "cgroup.procs", "0"); err != nil {
		return fmt.Errorf("enter control group: %w", err)
	}
	return delegate(dir)
}

// delegate lets the groups below dir have every controller that dir has.
func delegate(dir string) error {
	available, err := os.ReadFile(filepath.Join(dir, "cgroup.controllers"))
	if err != nil {
		return fmt.Errorf("hand down controllers: %w", err)
	}
	handed, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
	if err != nil {
		return fmt.Errorf("hand down controllers: %w", err)
	}
	has := map[string]bool{}
	for _, c := range strings.Fields(string(handed)) {
		has[c] = true
	}
	for _, c := range strings.Fields(string(available)) {
		if has[c] {
			continue
		}
		err := write(dir, "cgroup.subtree_control", "+"+c)
		if errors.Is(err, unix.EBUSY) {
			return fmt.Errorf("%s holds processes and so cannot hand down its controllers: in a container, give it the host's control groups (--cgroupns=host)", dir)
		}
		if err != nil {
			return fmt.Errorf("hand down controller %s: %w", c, err)
		}
	}
	return nil
}
