// Package editor hands a text to the user's own editor: it chooses the program, and owns the file, which only the user may read. It does not
// know what stands in it.
package editor

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// fallback is on every system that has an editor at all.
const fallback = "vi"

// maxText bounds what is read back: a manifest is a fraction of it, and what is larger is another file.
const maxText = 4 << 20

// Command is the editor of the environment for a file: KUBE_EDITOR, as kubectl has it, VISUAL, EDITOR, or vi. It may have arguments of its
// own. env is what the editor gets beside the environment.
func Command(path string, env []string) *exec.Cmd {
	program := fallback
	for _, name := range []string{"EDITOR", "VISUAL", "KUBE_EDITOR"} {
		if value := os.Getenv(name); value != "" {
			program = value
		}
	}
	cmd := exec.Command("sh", "-c", program+` "$@"`, program, path) //nolint:gosec // the user's own choice, run as the user
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// Dir makes a directory that only the user may look into.
func Dir() (string, error) {
	dir, err := os.MkdirTemp("", "valkeyctl-")
	if err != nil {
		return "", fmt.Errorf("make a directory for the editor: %w", err)
	}
	return dir, nil
}

// Write puts the text into a file of the directory, and returns its path.
func Write(dir, name, text string) (string, error) {
	path := filepath.Join(dir, filepath.Base(name))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write the file for the editor: %w", err)
	}
	return path, nil
}

// Read is what the editor left.
func Read(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read what was edited: %w", err)
	}
	if info.Size() > maxText {
		return "", fmt.Errorf("read what was edited: %s has %d bytes, which is no manifest", path, info.Size())
	}
	data, err := os.ReadFile(path) //nolint:gosec // our own file
	if err != nil {
		return "", fmt.Errorf("read what was edited: %w", err)
	}
	return string(data), nil
}

// Remove takes the directory away with what is in it.
func Remove(dir string) { _ = os.RemoveAll(dir) }
