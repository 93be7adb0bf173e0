package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"kuberly.io/valkey-operator/test/sandbox/process"
)

// Names of the hidden commands that process 1 is started with.
const (
	EnterCommand = "node-enter"
	RunCommand   = "node-run"
)

const self = "/proc/self/exe"

// Launch starts the node in namespaces of its own and returns the record of its process 1. The node outlives the caller.
func Launch(ctx context.Context, c Config) (process.Record, error) {
	if err := prepare(c); err != nil {
		return process.Record{}, fmt.Errorf("start %s: %w", c.name(), err)
	}
	output, err := os.Create(filepath.Join(c.folder().Log(), "node.log"))
	if err != nil {
		return process.Record{}, fmt.Errorf("start %s: %w", c.name(), err)
	}
	defer func() { _ = output.Close() }()

	cmd := exec.Command(self, EnterCommand, c.folder().Config())
	cmd.Args[0] = "sandbox-" + c.name()
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWPID | unix.CLONE_NEWNET,
	}
	record, err := process.Detach(ctx, cmd, c.folder().Record())
	if err != nil {
		return process.Record{}, fmt.Errorf("start %s: %w: %s", c.name(), err, LastLine(c.folder()))
	}
	return record, nil
}

// prepare makes the node's folders.
func prepare(c Config) error {
	f := c.folder()
	for _, dir := range []string{f.Log(), f.State(), filepath.Join(string(f), "run"), c.Dir.Volumes(), c.Dir.Images()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return c.Save()
}

// Enter is the first half of process 1, in its namespaces but for that of control groups: it records itself, enters the
// node's control group, and makes that the top of the tree that the second half sees. It has to be called on the main thread, which is the
// only one that can be replaced by another program without looking like one that has ended (man 2 execve).
func Enter(c Config) error {
	if unix.Gettid() != unix.Getpid() {
		return errors.New("a node is to be entered on the main thread")
	}
	if err := process.Settle(c.folder().Record()); err != nil {
		return err
	}
	if err := c.Group.Enter(); err != nil {
		return err
	}
	// A namespace of control groups belongs to a thread: the program that replaces this one keeps it.
	if err := unix.Unshare(unix.CLONE_NEWCGROUP); err != nil {
		return fmt.Errorf("make control group namespace: %w", err)
	}
	return unix.Exec(self, []string{"sandbox-" + c.name(), RunCommand, c.folder().Config()}, os.Environ())
}
