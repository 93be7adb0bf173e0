package form

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// nameMost is the longest name that the API takes.
const nameMost = 50

// The rules of the API for a name.
var (
	named    = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	reserved = regexp.MustCompile(`-(replicas|nodes|internal|observer|node-[0-9]+)$`)
)

// nameFault says what is wrong with a name; empty where it is right.
func nameFault(name string) string {
	switch {
	case utf8.RuneCountInString(name) > nameMost:
		return "at most 50 characters: the names of its pods and Services are made of it"
	case !named.MatchString(name):
		return "lower case letters, digits and dashes, first a letter, no dash at the end"
	case reserved.MatchString(name):
		return "may not end in -replicas, -nodes, -internal, -observer or -node-N: names of its children end so"
	default:
		return ""
	}
}

// checkName looks at the name while it is typed: what can still become right is not refused yet.
func (m *Model) checkName(f *field) {
	name := strings.TrimRight(strings.TrimSpace(f.value()), "-")
	if f.Path != pathName || !m.isNew() || name == "" || reserved.MatchString(name) {
		return
	}
	if fault := nameFault(name); fault != "" {
		m.refused[f.Path] = fault
	}
}
