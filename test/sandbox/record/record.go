// Package record keeps small values in files, as JSON: what was started and made, so that a later call can end and remove
// it. It knows nothing of what it keeps.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Load reads the value of a file; a missing file holds the zero value.
func Load[T any](path string) (T, error) {
	var value T
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return value, nil
	}
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(content, &value); err != nil {
		var none T
		return none, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	return value, nil
}

// Save writes a value so that a reader sees all of it or none.
func Save(path string, value any) error {
	content, err := json.Marshal(value)
	if err != nil {
		return err
	}
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, append(content, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}
