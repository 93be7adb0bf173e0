// Package reaper starts processes for a process 1: it alone waits for children, its own and the orphans that the kernel
// hands to process 1, and starts again what must not end.
package reaper

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Command is a program to run.
type Command struct {
	Path string
	Args []string // without the name
	Name string   // argv[0]
	Env  []string
	Log  string // file that gets its output
}

// Reaper waits for every child of the process.
type Reaper struct {
	mu      sync.Mutex
	waiting map[int]chan unix.WaitStatus
}

// New returns a Reaper that works until ctx ends. There may be one in a process, and nothing else in it may wait for
// children, as os/exec does.
func New(ctx context.Context) *Reaper {
	r := &Reaper{waiting: map[int]chan unix.WaitStatus{}}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, unix.SIGCHLD)
	go func() {
		defer signal.Stop(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-ended:
				r.collect()
			}
		}
	}()
	return r
}

// Run runs the command to its end; a status other than 0 is an error.
func (r *Reaper) Run(ctx context.Context, c Command) error {
	pid, ended, err := r.start(c)
	if err != nil {
		return err
	}
	select {
	case status := <-ended:
		return describe(c, status)
	case <-ctx.Done():
		_ = unix.Kill(pid, unix.SIGKILL)
		<-ended
		return ctx.Err()
	}
}

// Keep runs the command and starts it again whenever it ends, until ctx does; then it is killed. report is told of each end.
func (r *Reaper) Keep(ctx context.Context, c Command, report func(error)) {
	const atFirst, atMost = 200 * time.Millisecond, 5 * time.Second
	pause := atFirst
	for ctx.Err() == nil {
		began := time.Now()
		err := r.Run(ctx, c)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			err = fmt.Errorf("%s ended", c.Name)
		}
		report(err)
		if time.Since(began) > time.Minute { // it had run well
			pause = atFirst
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, atMost)
	}
}

// start holds the lock from before the process exists until its number is known: it may end before that.
func (r *Reaper) start(c Command) (int, chan unix.WaitStatus, error) {
	input, err := os.Open(os.DevNull)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = input.Close() }()
	log, err := os.OpenFile(c.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = log.Close() }()

	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := os.StartProcess(c.Path, append([]string{c.Name}, c.Args...), &os.ProcAttr{
		Env: c.Env, Files: []*os.File{input, log, log},
	})
	if err != nil {
		return 0, nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	ended := make(chan unix.WaitStatus, 1)
	r.waiting[p.Pid] = ended
	pid := p.Pid
	return pid, ended, p.Release()
}

// collect takes every child that has ended: one signal may stand for several.
func (r *Reaper) collect() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WNOHANG, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || pid <= 0 {
			return
		}
		if ended, ok := r.waiting[pid]; ok {
			delete(r.waiting, pid)
			ended <- status
		}
	}
}

func describe(c Command, status unix.WaitStatus) error {
	switch {
	case status.Signaled():
		return fmt.Errorf("%s was ended by signal %v", c.Name, status.Signal())
	case status.ExitStatus() != 0:
		return fmt.Errorf("%s ended with status %d", c.Name, status.ExitStatus())
	default:
		return nil
	}
}
