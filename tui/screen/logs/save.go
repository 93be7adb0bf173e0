package logs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// saved is the reply of a save.
type saved struct {
	to    screen.ID
	path  string // as it was typed
	file  string // where it is
	lines int
	err   error
}

// fileName is the name that is offered.
func (m *Model) fileName() string {
	if m.subject.Operator {
		return "valkey-operator.log"
	}
	return m.subject.Ref.Namespace + "-" + m.subject.Ref.Name + ".log"
}

// save writes the lines that are shown, in a command: there may be many.
func (m *Model) save(path string, overwrite bool) screen.Effect {
	if strings.TrimSpace(path) == "" {
		return screen.Flash{Text: "not saved: a file has a name", IsError: true}
	}
	lines, id := m.log.Shown(), m.id
	return func() tea.Msg {
		file, err := writeFile(path, overwrite, func(w io.Writer) error { return writeLines(w, lines) })
		return saved{to: id, path: path, file: file, lines: len(lines), err: err}
	}
}

// saved says where the lines are, or asks where there is a file already.
func (m *Model) saved(msg saved) screen.Effect {
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		m.before = msg.path
		m.ask(askOverwrite, "")
		return nil
	case msg.err != nil:
		return screen.Flash{Text: "not saved: " + msg.err.Error(), IsError: true}
	default:
		return screen.Flash{Text: strconv.Itoa(msg.lines) + " lines are saved in " + msg.file}
	}
}

// overwrite takes the answer to whether a file is overwritten. No leads back to its name.
func (m *Model) overwrite(key string) screen.Effect {
	switch key {
	case "y", "Y":
		m.prompt = nil
		return m.save(m.before, true)
	case "n", "N", "enter", "esc", "ctrl+g":
		m.ask(askPath, m.before)
	}
	return nil
}

// writeFile writes a new file that only the user may read. A file that is there is replaced as a whole, and only where overwrite says
// so; else the error is fs.ErrExist. Nothing but a plain file is ever replaced.
func writeFile(path string, overwrite bool, write func(io.Writer) error) (file string, err error) {
	if file, err = absolute(path); err != nil {
		return "", err
	}
	flags, name := os.O_CREATE|os.O_EXCL|os.O_WRONLY, file
	if overwrite {
		if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
			return "", fmt.Errorf("%s is no plain file", file)
		}
		name = file + ".part-" + strconv.Itoa(os.Getpid())
	}
	f, err := os.OpenFile(name, flags, 0o600) //nolint:gosec // the user names it
	if err != nil {
		return "", err
	}
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil && overwrite {
		err = os.Rename(name, file)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(name))
	}
	return file, nil
}

func absolute(path string) (string, error) {
	path = strings.TrimSpace(path)
	if rest, isHome := strings.CutPrefix(path, "~/"); isHome {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		path = filepath.Join(home, rest)
	}
	return filepath.Abs(path)
}

// writeLines writes lines as text: time, server, what it said. Colours are left out.
func writeLines(w io.Writer, lines []widget.LogLine) error {
	out := bufio.NewWriter(w)
	for i := range lines {
		if _, err := out.WriteString(lineText(&lines[i]) + "\n"); err != nil {
			return err
		}
	}
	return out.Flush()
}

// lineText is one line outside of the dashboard.
func lineText(l *widget.LogLine) string {
	if l.Dropped > 0 {
		return "... " + strconv.Itoa(l.Dropped) + " lines dropped here ..."
	}
	var out strings.Builder
	if !l.Time.IsZero() {
		out.WriteString(l.Time.UTC().Format(time.RFC3339Nano) + " ")
	}
	if l.Label != "" {
		out.WriteString("[" + l.Label + "] ")
	}
	return out.String() + l.PlainText()
}
