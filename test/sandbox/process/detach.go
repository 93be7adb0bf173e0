package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// parentFD is the variable that tells a detached program which of its files ends when its parent does.
const parentFD = "SANDBOX_PARENT_FD"

var errOrphan = errors.New("whoever started this has died meanwhile")

// Detach starts a program that outlives the caller, in a session of its own, and returns its record. The program has to
// call Settle first, which writes the record to path. Should the caller die before that, the program ends too, so that no
// process is ever lost.
func Detach(ctx context.Context, cmd *exec.Cmd, path string) (Record, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) { // an older one's: the next is the new one's
		return Record{}, err
	}
	childs, parents, err := os.Pipe()
	if err != nil {
		return Record{}, err
	}
	defer func() { _, _ = childs.Close(), parents.Close() }() // again, for the early ends
	cmd.ExtraFiles = append(cmd.ExtraFiles, childs)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", parentFD, 2+len(cmd.ExtraFiles)))
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid = true
	cmd.Dir = "/"
	if err := errors.Join(cmd.Start(), childs.Close()); err != nil { // the child has its own by now
		return Record{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		if r, err := Load(path); err == nil && r.PID == cmd.Process.Pid {
			return r, settled(ctx, parents)
		}
		select {
		case err := <-ended:
			if err == nil {
				err = errors.New("exit status 0")
			}
			return Record{}, fmt.Errorf("it ended at once: %w", err)
		case <-ctx.Done():
			return Record{}, errors.Join(ctx.Err(), cmd.Process.Kill())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// settled waits until the child has looked for its parent, which must not look dead by then: it closes its end.
func settled(ctx context.Context, parents *os.File) error {
	for ctx.Err() == nil {
		fds := []unix.PollFd{{Fd: int32(parents.Fd())}}
		if _, err := unix.Poll(fds, 100); err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		if fds[0].Revents&unix.POLLERR != 0 { // nobody reads any more
			return nil
		}
	}
	return ctx.Err()
}

// Settle is what a detached program does first: it records itself, and from then on it no longer needs its parent.
func Settle(path string) error {
	r, err := Self()
	if err != nil {
		return err
	}
	if err := r.Save(path); err != nil {
		return fmt.Errorf("record process: %w", err)
	}
	fd, err := strconv.Atoi(os.Getenv(parentFD))
	if err != nil {
		return fmt.Errorf("%s: %w", parentFD, err)
	}
	if err := os.Unsetenv(parentFD); err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	if _, err := unix.Poll(fds, 0); err != nil {
		return fmt.Errorf("look for the parent: %w", err)
	}
	if fds[0].Revents&unix.POLLHUP != 0 {
		return errOrphan
	}
	return nil
}
