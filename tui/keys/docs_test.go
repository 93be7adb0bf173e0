package keys

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of keys of the documentation anew: `make docs`")

// The tables of keys in the documentation are made of the key map.
func TestDocumentationHasTheKeys(t *testing.T) {
	for path, scopes := range map[string][]Scope{
		"../../README.md":         {List, Everywhere},
		"../../docs/dashboard.md": Scopes(),
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		const begin, end = "<!-- keys -->\n", "<!-- /keys -->"
		before, rest, hasBegin := strings.Cut(string(data), begin)
		_, after, hasEnd := strings.Cut(rest, end)
		if !hasBegin || !hasEnd {
			t.Fatalf("%s has no place for the keys, between %q and %q", path, begin, end)
		}
		want := before + begin + tables(Default(), scopes) + end + after
		if want == string(data) {
			continue
		}
		if !*update {
			t.Errorf("the keys in %s are not those of the key map: make docs", path)
			continue
		}
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// tables are the keys of scopes as Markdown: one table, with a line for each action.
func tables(m *Map, scopes []Scope) string {
	var b strings.Builder
	b.WriteString("\n| Where | Key | does | Name |\n|---|---|---|---|\n")
	for _, s := range scopes {
		where := s.Title()
		for _, binding := range m.Bindings(s) {
			labels := make([]string, len(binding.Keys))
			for i, k := range binding.Keys {
				labels[i] = "`" + strings.ReplaceAll(Label(k), "|", "\\|") + "`"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | `%s.%s` |\n", where, strings.Join(labels, " "), binding.Help, s, binding.Action)
			where = ""
		}
	}
	return b.String() + "\n"
}
