// Package cgroup makes the control groups that a node lives in, below the caller's own where the system has version 1
// and at the top of the tree where it has version 2, and removes them. It changes no group that it has not made, but for
// the controllers that version 2 must hand down.
package cgroup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"kuberly.io/valkey-operator/test/sandbox/record"
)

// Root is where every system that runs containers mounts its control groups.
const Root = "/sys/fs/cgroup"

// Group is one control group of a node: in version 1 one folder for each hierarchy, in version 2 one folder.
type Group struct {
	Unified bool     `json:"unified"`
	Dirs    []string `json:"dirs"`
}

// Plan says which folders a group called name has on this system; nothing is made yet, so that the answer can be recorded
// first and a killed caller leaves nothing unknown behind.
func Plan(name string) (Group, error) {
	if isUnified() {
		return Group{Unified: true, Dirs: []string{filepath.Join(Root, name)}}, nil
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return Group{}, fmt.Errorf("find own control groups: %w", err)
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return Group{}, fmt.Errorf("find control groups: %w", err)
	}
	var dirs []string
	hierarchies := parseMounts(string(mounts))
	for _, m := range parseOwn(string(own)) {
		if dir, ok := hierarchies.find(m); ok {
			dirs = append(dirs, filepath.Join(dir, name))
		}
	}
	if len(dirs) == 0 {
		return Group{}, errors.New("no control group hierarchy is mounted on " + Root)
	}
	return Group{Dirs: dirs}, nil
}

// Make makes the group's folders; those that are there stay.
func (g Group) Make() error {
	for _, dir := range g.Dirs {
		if g.Unified {
			if err := delegate(filepath.Dir(dir)); err != nil {
				return err
			}
		}
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make control group: %w", err)
		}
		if err := fillCpuset(dir); err != nil {
			return fmt.Errorf("make control group: %w", err)
		}
	}
	return nil
}

// Enter moves the calling process into the group.
func (g Group) Enter() error {
	for _, dir := range g.Dirs {
		if err := write(dir, "cgroup.procs", "0"); err != nil {
			return fmt.Errorf("enter control group: %w", err)
		}
	}
	return nil
}

// Remove removes the group with all that was made below it, once the processes in it have ended.
func (g Group) Remove(ctx context.Context) error {
	for _, dir := range g.Dirs {
		for {
			err := removeTree(dir)
			if err == nil {
				break
			}
			// The kernel lets go of a group a moment after its last process has ended.
			select {
			case <-ctx.Done():
				return fmt.Errorf("remove control group: %w", err)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return nil
}

// Load reads a group's record; a missing file is a group without folders.
func Load(path string) (Group, error) { return record.Load[Group](path) }

// Save writes the group's record.
func (g Group) Save(path string) error { return record.Save(path, g) }

// removeTree removes dir and the groups below it, the deepest first. Only folders can be removed here: the files in them
// are the kernel's.
func removeTree(dir string) error {
	var dirs []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // went away meanwhile
			return nil
		}
		if err == nil && d.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, d := range slices.Backward(dirs) {
		if err := unix.Rmdir(d); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("%s: %w", d, err)
		}
	}
	return nil
}

// fillCpuset gives a new group of version 1 its parent's cores and memory nodes, without which no process may enter it.
func fillCpuset(dir string) error {
	for _, file := range []string{"cpuset.cpus", "cpuset.mems"} {
		has, err := os.ReadFile(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another hierarchy
		}
		if err != nil {
			return err
		}
		if strings.TrimSpace(string(has)) != "" {
			continue
		}
		parents, err := os.ReadFile(filepath.Join(filepath.Dir(dir), file))
		if err != nil {
			return err
		}
		if err := write(dir, file, strings.TrimSpace(string(parents))); err != nil {
			return err
		}
	}
	err := write(dir, "cgroup.clone_children", "1")
	if errors.Is(err, fs.ErrNotExist) { // version 2, where what is empty is inherited
		return nil
	}
	return err
}

// write never creates a file: in a folder that is no control group this must fail.
func write(dir, file, value string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}

func isUnified() bool {
	var s unix.Statfs_t
	return unix.Statfs(Root, &s) == nil && s.Type == unix.CGROUP2_SUPER_MAGIC
}

// membership is one line of /proc/self/cgroup: a hierarchy of version 1 and the process's group in it.
type membership struct{ controllers, path string }

func parseOwn(content string) []membership {
	var own []membership
	lines := bufio.NewScanner(strings.NewReader(content))
	for lines.Scan() {
		fields := strings.SplitN(lines.Text(), ":", 3)
		if len(fields) == 3 && fields[1] != "" {
			own = append(own, membership{controllers: fields[1], path: fields[2]})
		}
	}
	return own
}

// hierarchy is a mount of version 1: which part of which hierarchy it shows, and where.
type hierarchy struct{ root, dir, options string }

type hierarchies []hierarchy

// parseMounts reads the cgroup mounts of a mountinfo file (man 5 proc).
func parseMounts(content string) hierarchies {
	var all hierarchies
	lines := bufio.NewScanner(strings.NewReader(content))
	for lines.Scan() {
		mount, super, ok := strings.Cut(lines.Text(), " - ")
		fields, superFields := strings.Fields(mount), strings.Fields(super)
		if !ok || len(fields) < 5 || len(superFields) < 3 || superFields[0] != "cgroup" {
			continue
		}
		all = append(all, hierarchy{root: fields[3], dir: fields[4], options: superFields[2]})
	}
	return all
}

// find returns the folder of the group.
func (all hierarchies) find(m membership) (string, bool) {
	for _, h := range all {
		if !strings.HasPrefix(h.dir, Root+"/") || !h.has(m.controllers) {
			continue
		}
		rel, err := filepath.Rel(h.root, m.path)
		if err != nil || !filepath.IsLocal(rel) {
			rel = "." // the mount shows another part of the tree, as in a container
		}
		return filepath.Join(h.dir, rel), true
	}
	return "", false
}

func (h hierarchy) has(controllers string) bool {
	options := strings.Split(h.options, ",")
	for c := range strings.SplitSeq(controllers, ",") {
		if !slices.Contains(options, c) {
			return false
		}
	}
	return true
}
