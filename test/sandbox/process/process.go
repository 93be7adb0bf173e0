// Package process names a process so that it is found again later, and never mistaken for one that got its number since.
// It signals only what a record names.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"kuberly.io/valkey-operator/test/sandbox/record"
)

// Record identifies a process of this machine: a number alone is given again once the process has ended.
type Record struct {
	PID   int    `json:"pid"`
	Start string `json:"start"` // clock ticks since boot, as /proc/PID/stat has them
	Boot  string `json:"boot"`
}

// Self is the record of the calling process, with its number as the mounted /proc counts: a process in a namespace of its
// own gets the number that the outside knows it by.
func Self() (Record, error) {
	link, err := os.Readlink("/proc/self")
	if err != nil {
		return Record{}, fmt.Errorf("find own process: %w", err)
	}
	pid, err := strconv.Atoi(link)
	if err != nil {
		return Record{}, fmt.Errorf("find own process: %w", err)
	}
	return Of(pid)
}

// Of is the record of the process that has the number now.
func Of(pid int) (Record, error) {
	stat, err := readStat(pid)
	if err != nil {
		return Record{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return Record{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	return Record{PID: pid, Start: stat.start, Boot: strings.TrimSpace(string(boot))}, nil
}

// Load reads a record; a missing file is a record of no process.
func Load(path string) (Record, error) { return record.Load[Record](path) }

// Save writes the record so that a reader sees all of it or none.
func (r Record) Save(path string) error { return record.Save(path, r) }

// IsAlive tells whether that very process runs. One that has ended and waits for its parent does not; one whose first thread has ended does, as
// while another one has the program replaced.
func (r Record) IsAlive() bool {
	if r.PID == 0 {
		return false
	}
	now, err := Of(r.PID)
	if err != nil || now != r {
		return false
	}
	stat, err := readStat(r.PID)
	return err == nil && (stat.state != "Z" && stat.state != "X" || stat.threads > 1)
}

// Kill ends that very process and waits until it has ended; nothing is done if it has already.
func (r Record) Kill(ctx context.Context) error {
	if !r.IsAlive() {
		return nil
	}
	fd, err := unix.PidfdOpen(r.PID, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("kill process %d: %w", r.PID, err)
	}
	defer func() { _ = unix.Close(fd) }()
	// The descriptor now stands for one process: if it is still the recorded one, no other can be hit.
	if !r.IsAlive() {
		return nil
	}
	if err := unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("kill process %d: %w", r.PID, err)
	}
	return waitEnd(ctx, fd, r.PID)
}

func waitEnd(ctx context.Context, fd, pid int) error {
	for {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, int((100 * time.Millisecond).Milliseconds()))
		if err != nil && !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("wait for process %d: %w", pid, err)
		}
		if n > 0 {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("wait for process %d to end: %w", pid, ctx.Err())
		}
	}
}

type stat struct {
	state, start string
	threads      int
}

// readStat reads the fields 3, 20 and 22 of /proc/PID/stat. Field 2 is a name in brackets that may hold anything.
func readStat(pid int) (stat, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, err
	}
	end := strings.LastIndexByte(string(content), ')')
	fields := strings.Fields(string(content[end+1:]))
	if len(fields) < 20 {
		return stat{}, errors.New("stat is too short")
	}
	threads, err := strconv.Atoi(fields[17])
	if err != nil {
		return stat{}, fmt.Errorf("count of threads: %w", err)
	}
	return stat{state: fields[0], start: fields[19], threads: threads}, nil
}
