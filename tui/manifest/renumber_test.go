package manifest

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestRenumber(t *testing.T) {
	const body = "a: 1\nb: [\n"
	from, to := "# one\n"+body, "# one\n#\n# Not applied\n"+body
	for name, tc := range map[string]struct{ message, from, to, want string }{
		"notes push a line down":    {"document 1: line 3: no end", from, to, "document 1: line 5: no end"},
		"or up":                     {"document 1: line 5: no end", to, from, "document 1: line 3: no end"},
		"there were none":           {"document 1: line 2: no end", body, to, "document 1: line 5: no end"},
		"more than one":             {`document 1: line 2: key "a" already set on line 1`, body, from, `document 1: line 3: key "a" already set on line 2`},
		"a line of another part":    {"document 2: line 3: no end", from, to, "document 2: line 3: no end"},
		"a message about something": {"spec.user: line 3", from, to, "spec.user: line 3"},
	} {
		if got := renumber(tc.message, tc.from, tc.to); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// The line that is named is the one at fault, as the text is opened again; nothing of the text itself changes.
func TestRefusedNamesTheLineAtFault(t *testing.T) {
	edited := "# one note\nkind: Valkey\nkind: Valkeys\n"
	for range 2 { // refused twice
		_, err := Read([]byte(edited))
		if err == nil {
			t.Fatal("it can be read")
		}
		text, moved := Refused(edited, "ns/app", err.Error()+"; mend it")
		lines := strings.Split(text, "\n")
		if at := slices.Index(lines, "kind: Valkeys") + 1; !strings.HasPrefix(moved, "document 1: line "+strconv.Itoa(at)+":") {
			t.Errorf("%q, and the fault is on line %d of\n%s", moved, at, text)
		}
		if !strings.Contains(text, "# Not applied: "+moved+"\n") || Body(text) != Body(edited) {
			t.Errorf("the text is\n%s", text)
		}
		edited = text
	}
}
