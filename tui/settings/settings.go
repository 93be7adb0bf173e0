package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/theme"
)

const (
	// DefaultRefresh is the least time between two pictures of the list.
	DefaultRefresh = 100 * time.Millisecond
	leastRefresh   = 50 * time.Millisecond
	mostRefresh    = time.Minute
	// maxFile is the longest file that is read.
	maxFile = 1 << 20
)

// Settings are what a person may set.
type Settings struct {
	Theme    string
	Columns  []string // of the list, by the names that the CRD gives them; empty for those that the CRD wants
	Refresh  time.Duration
	ReadOnly bool
	Mouse    bool
	// ScreenReader says everything in lines of plain text.
	ScreenReader bool
	Keys         *keys.Map
}

// Default is what is in force without a file.
func Default() Settings {
	return Settings{Theme: theme.ModeAuto, Refresh: DefaultRefresh, Keys: keys.Default()}
}

// Path is where the file is looked for; empty where there is no home.
func Path(getenv func(string) string) string {
	base := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) { // as the specification has it: others are ignored
		home := getenv("HOME")
		if home == "" {
			return ""
		}
		base = filepath.Join(home, ".config")
	}
	return filepath.Join(base, "valkeyctl", "config.yaml")
}

// Fault is what is wrong with a file: one line.
type Fault struct {
	File    string
	Line    int // 0 where it is the file as a whole
	Message string
}

// Error is for error.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Message
	}
	return f.File + ":" + strconv.Itoa(f.Line) + ": " + f.Message
}

// Load reads a file. One that is not there is as good as an empty one, unless the user named it.
func Load(path string, isNamed bool) (Settings, error) {
	if path == "" {
		return Default(), nil
	}
	f, err := os.Open(path) //nolint:gosec // The user names it.
	if errors.Is(err, fs.ErrNotExist) && !isNamed {
		return Default(), nil
	}
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		return Settings{}, &Fault{File: path, Message: "cannot be read: " + err.Error()}
	}
	defer f.Close() //nolint:errcheck // It was only read.
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return Settings{}, &Fault{File: path, Message: "cannot be read: " + err.Error()}
	case len(data) > maxFile:
		return Settings{}, &Fault{File: path, Message: "is larger than 1 MiB: that is no configuration of valkeyctl"}
	}
	return Parse(path, data)
}

// Parse reads the text of a file. Its errors are Faults.
func Parse(path string, data []byte) (Settings, error) {
	s := Default()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return s, nil
	}
	if err == nil {
		var more yaml.Node
		if err = decoder.Decode(&more); err == nil {
			return Settings{}, &Fault{File: path, Line: more.Line, Message: "a second document begins here: want one"}
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		return Settings{}, syntaxFault(path, err)
	}
	p := parser{file: path, settings: &s}
	if err := p.root(document.Content[0]); err != nil {
		return Settings{}, err
	}
	return s, nil
}

var syntaxLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(?:\w+ error: )?((?s).*)$`)

// syntaxFault puts an error of the YAML parser into our shape.
func syntaxFault(path string, err error) error {
	fault := &Fault{File: path, Message: "no YAML: " + err.Error()}
	if parts := syntaxLine.FindStringSubmatch(err.Error()); parts != nil {
		fault.Line, _ = strconv.Atoi(parts[1]) // 0 where there is none
		fault.Message = "no YAML: " + parts[2]
	}
	return fault
}

func (p *parser) fault(n *yaml.Node, format string, args ...any) error {
	return &Fault{File: p.file, Line: n.Line, Message: fmt.Sprintf(format, args...)}
}
