package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// endFirstThread, where it is set, has the detached program go on without its first thread.
const endFirstThread = "DETACHED_END_FIRST_THREAD"

// init keeps the first thread for TestMain.
func init() { runtime.LockOSThread() }

// TestMain lets the test's own program be the one that is detached.
func TestMain(m *testing.M) {
	path := os.Getenv("DETACHED_RECORD")
	if path == "" {
		os.Exit(m.Run())
	}
	if os.Getenv(endFirstThread) != "" {
		go func() {
			_, _ = os.Stdin.Read(make([]byte, 1))
			os.Exit(0)
		}()
		if err := Settle(path); err != nil {
			os.Exit(1)
		}
		_, _, _ = unix.RawSyscall(unix.SYS_EXIT, 0, 0, 0)
	}
	if err := Settle(path); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the test ends, whose end of the pipe it is
}

// detachable is the test's own program, which ends with the test.
func detachable(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	t.Setenv("DETACHED_RECORD", path)
	cmd := exec.Command(os.Args[0])
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func TestDetachedProgramRecordsItselfAndRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "process.json")
	r, err := Detach(t.Context(), detachable(t, path), path)
	if err != nil {
		t.Fatal(err)
	}
	if saved, err := Load(path); err != nil || saved != r {
		t.Fatalf("saved is %v (%v), want %v", saved, err, r)
	}
	if !r.IsAlive() {
		t.Fatal("it does not run")
	}
	if err := r.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Where the first thread of a process has ended its state is that of one that waits for its parent, and it runs.
func TestProcessWithoutItsFirstThreadIsAlive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "process.json")
	t.Setenv(endFirstThread, "1")
	r, err := Detach(t.Context(), detachable(t, path), path)
	if err != nil {
		t.Fatal(err)
	}
	for {
		if stat, err := readStat(r.PID); err != nil {
			t.Fatal(err)
		} else if stat.state == "Z" {
			break
		}
		time.Sleep(time.Millisecond) // ends with the test's time
	}
	if !r.IsAlive() {
		t.Error("it seems to have ended")
	}
	if err := r.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r.IsAlive() {
		t.Error("it runs still")
	}
}

func TestAProgramThatEndsAtOnceIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "process.json")
	if r, err := Detach(t.Context(), exec.Command("false"), path); err == nil {
		t.Fatalf("got %v, want an error", r)
	}
}

func TestAnOrphanEnds(t *testing.T) {
	cmd := detachable(t, filepath.Join(t.TempDir(), "process.json"))
	childs, parents, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parents.Close(); err != nil { // as the parent's death does
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{childs}
	cmd.Env = append(os.Environ(), parentFD+"=3")
	output, err := cmd.CombinedOutput()
	if err == nil || string(output) != errOrphan.Error()+"\n" {
		t.Fatalf("got %v and %q, want it to end", err, output)
	}
}
