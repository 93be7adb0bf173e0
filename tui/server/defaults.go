package server

import (
	_ "embed"
	"strings"
)

// defaultsVersion is the version of which the defaults are known; defaults.txt is what a real server of it says, without
// what depends on where and by whom it is started. The tests hold it against one.
const defaultsVersion = "9.1."

//go:embed defaults.txt
var defaultsText string

// Defaults are the settings of a server of a version that nobody configured, as far as they are known; nil for another version.
func Defaults(version string) map[string]string {
	if !strings.HasPrefix(version, defaultsVersion) {
		return nil
	}
	defaults := map[string]string{}
	for line := range strings.Lines(defaultsText) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		defaults[name] = value
	}
	return defaults
}
