package debs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// archiveKeyring is where Debian's package debian-archive-keyring keeps the keys of every suite.
const archiveKeyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

var errNoMirror = errors.New("found no Debian mirror in apt's sources: the sandbox needs a Debian system")

// mirror is a place that serves Debian suites, and the keys that sign them.
type mirror struct {
	uri     string
	keyring string
}

func (m mirror) line(suite string) string {
	return fmt.Sprintf("deb [signed-by=%s] %s %s main", m.keyring, m.uri, suite)
}

// systemMirror finds the mirror that apt's configuration in etc uses for Debian itself.
func systemMirror(etc string) (mirror, error) {
	stanzas, _ := filepath.Glob(filepath.Join(etc, "sources.list.d", "*.sources")) // the patterns are well-formed
	lists, _ := filepath.Glob(filepath.Join(etc, "sources.list.d", "*.list"))
	for _, file := range append(stanzas, append(lists, filepath.Join(etc, "sources.list"))...) {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // sources.list is missing on newer systems
		}
		parse := parseList
		if strings.HasSuffix(file, ".sources") {
			parse = parseStanzas
		}
		if uri := parse(string(content)); uri != "" {
			return mirror{uri: uri, keyring: archiveKeyring}, nil
		}
	}
	return mirror{}, errNoMirror
}

// parseStanzas returns the first URI of Debian in a deb822 file (man 5 sources.list).
func parseStanzas(content string) string {
	for line := range strings.Lines(content) {
		name, value, ok := strings.Cut(line, ":")
		if !ok || !strings.EqualFold(strings.TrimSpace(name), "URIs") {
			continue
		}
		for _, uri := range strings.Fields(value) {
			if isDebian(uri) {
				return uri
			}
		}
	}
	return ""
}

// parseList returns the first URI of Debian in a file of one-line sources.
func parseList(content string) string {
	for line := range strings.Lines(content) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "deb" {
			continue
		}
		for _, field := range fields[1:] {
			if isDebian(field) {
				return field
			}
		}
	}
	return ""
}

// isDebian tells the main archive, whose path ends in "debian" on every mirror, from debian-security and from others'.
func isDebian(uri string) bool {
	return strings.Contains(uri, "://") && strings.HasSuffix(strings.TrimRight(uri, "/"), "/debian")
}
