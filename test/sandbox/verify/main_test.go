//go:build e2e

package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The sandbox under test: its program, its state folder, and the folder that the program is run in.
var binary, dir, repository string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if os.Geteuid() != 0 {
		return 1, errors.New("these tests make namespaces and mounts: run them as root")
	}
	if repository, err = filepath.Abs("../../.."); err != nil {
		return 1, err
	}
	tmp, err := os.MkdirTemp("", "sandbox-verify-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	binary, dir = filepath.Join(tmp, "sandbox"), filepath.Join(tmp, "state")
	build := exec.Command("go", "build", "-o", binary, "./cmd/sandbox")
	build.Dir, build.Stderr = "..", os.Stderr
	if err := build.Run(); err != nil {
		return 1, fmt.Errorf("build the sandbox: %w", err)
	}
	before, err := footprint()
	if err != nil {
		return 1, err
	}
	defer func() {
		_, downErr := sandbox(context.Background(), "down", "--wipe")
		after, footprintErr := footprint()
		err = errors.Join(err, downErr, footprintErr, before.compare(after))
	}()
	if _, err := sandbox(context.Background(), "up", "--nodes", "2"); err != nil {
		return 1, err
	}
	if err := rememberGroups(); err != nil {
		return 1, err
	}
	if code = m.Run(); code != 0 {
		showLogs()
	}
	return code, nil
}

// showLogs shows the ends of the nodes' logs, which go with the sandbox.
func showLogs() {
	logs, _ := filepath.Glob(filepath.Join(dir, "node*", "log", "*.log")) // the pattern is well-formed
	for _, path := range logs {
		content, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(content)), "\n")
		fmt.Fprintf(os.Stderr, "--- end of %s\n%s\n", strings.TrimPrefix(path, dir), strings.Join(lines[max(0, len(lines)-10):], "\n"))
	}
}

// sandbox runs one of the program's commands.
func sandbox(ctx context.Context, args ...string) (string, error) {
	return output(ctx, binary, append([]string{"--dir", dir}, args...)...)
}

// output runs a program that must not hang: whatever it waits for fails with its name then.
func output(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 4*time.Minute, errors.New("it hangs"))
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = repository
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(dir, "kubeconfig"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%s %s: %w: %s%s", filepath.Base(program), strings.Join(args, " "), errors.Join(err, context.Cause(ctx)), stdout.String(), stderr.String())
	}
	return strings.TrimSpace(stdout.String()), nil
}

// kubectl runs kubectl against the sandbox from the host, as a person would.
func kubectl(t *testing.T, args ...string) string {
	t.Helper()
	out, err := tryKubectl(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func tryKubectl(ctx context.Context, args ...string) (string, error) {
	return output(ctx, filepath.Join(dir, "bin", "kubectl"), args...)
}

// eventually asks until the answer holds what is wanted.
func eventually(t *testing.T, patience time.Duration, want string, ask func() (string, error)) {
	t.Helper()
	var got string
	var err error
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for ctx.Err() == nil {
		if got, err = ask(); err == nil && strings.Contains(got, want) {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	t.Fatalf("wanted %q within %s, got %q (%v)", want, patience, got, err)
}
