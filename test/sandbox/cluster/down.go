package cluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kuberly.io/valkey-operator/test/sandbox/cgroup"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/process"
)

// endTime is how long the kernel may take to end a node.
const endTime = 30 * time.Second

// Down ends every process of the sandbox, whose mounts and networks end with them, and removes its control groups. What the
// cluster has stored is kept for the next Up unless wipe is set.
func (c Cluster) Down(ctx context.Context, wipe bool) error {
	if _, err := os.Stat(string(c.Dir)); errors.Is(err, os.ErrNotExist) {
		c.Progress.Say("nothing to end: there is no %s", c.Dir)
		return nil
	}
	unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	running, err := c.running()
	if err != nil {
		return err
	}
	if err := c.endForwarder(ctx); err != nil {
		return err
	}
	for i := layout.MaxNodes; i >= 1; i-- {
		if err := c.endNode(ctx, i); err != nil {
			return err
		}
	}
	c.Progress.Say("ended %d node(s)", len(running))
	if !wipe {
		return nil
	}
	if err := c.wipe(); err != nil {
		return err
	}
	c.Progress.Say("forgot the cluster's state")
	return nil
}

func (c Cluster) endForwarder(ctx context.Context) error {
	record, err := process.Load(c.Dir.Forwarder())
	if err != nil {
		return err
	}
	if err := record.Kill(ctx); err != nil {
		return err
	}
	return remove(c.Dir.Forwarder(), c.Dir.Kubeconfig())
}

// endNode ends the node's process 1, and with it every process in the node, and removes what it has left.
func (c Cluster) endNode(ctx context.Context, i int) error {
	dir := c.Dir.Node(i)
	record, err := process.Load(dir.Record())
	if err != nil {
		return err
	}
	if err := record.Kill(ctx); err != nil {
		return fmt.Errorf("end %s: %w", layout.NodeName(i), err)
	}
	group, err := cgroup.Load(dir.Cgroups())
	if err != nil {
		return err
	}
	if err := group.Remove(ctx); err != nil {
		return fmt.Errorf("end %s: %w", layout.NodeName(i), err)
	}
	return remove(dir.Record(), dir.Cgroups())
}

// wipe forgets the cluster but keeps the programs that tests may be running.
func (c Cluster) wipe() error {
	// Removing files below a mount would remove what is mounted there.
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	if mount := mountBelow(string(mounts), string(c.Dir)); mount != "" {
		return fmt.Errorf("something is mounted on %s: unmount it first", mount)
	}
	paths := []string{c.Dir.PKI(), c.Dir.Volumes(), c.Dir.Images(), c.Dir.Config(), c.Dir.ForwarderLog()}
	for i := 1; i <= layout.MaxNodes; i++ {
		paths = append(paths, string(c.Dir.Node(i)))
	}
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("forget state: %w", err)
		}
	}
	return nil
}

// mountBelow returns a mount point below dir in a mountinfo file (man 5 proc), or nothing.
func mountBelow(mountinfo, dir string) string {
	lines := bufio.NewScanner(strings.NewReader(mountinfo))
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) > 4 && strings.HasPrefix(fields[4], dir+"/") {
			return fields[4]
		}
	}
	return ""
}

func remove(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove %s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

// groupName is the name of node i's control group. Sandboxes of several clones may run side by side.
func groupName(dir layout.Dir, i int) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(dir)) // a hash takes every write
	return fmt.Sprintf("valkey-sandbox-%08x-%s", sum.Sum32(), layout.NodeName(i))
}
