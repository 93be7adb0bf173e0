package keys

import "testing"

// Every key of the default map can be pressed by its name, and is then the key of that name.
func TestPressIsTheKeyOfTheName(t *testing.T) {
	names := []string{"alt+x", "alt+enter", "f5", "é", "日"}
	for _, b := range Default().bindings {
		names = append(names, b.Keys...)
	}
	for _, name := range names {
		msg, known := Press(name)
		if !known || msg.String() != name {
			t.Errorf("%q is pressed as %q, known: %v", name, msg.String(), known)
		}
	}
}

func TestPressKnowsNoKeyOfOtherNames(t *testing.T) {
	for _, name := range []string{"", "ctrl+", "ctrl+D", "strg+x", "ab", "\x1b", "alt+", "alt+ab"} {
		if msg, known := Press(name); known {
			t.Errorf("%q is pressed as %q", name, msg.String())
		}
	}
}

func TestEveryScopeHasItsWords(t *testing.T) {
	seen := map[string]Scope{}
	for _, s := range Scopes() {
		if s.String() == "" || s.Title() == "" {
			t.Errorf("scope %d has no name or no title", int(s))
		}
		if other, taken := seen[s.String()]; taken {
			t.Errorf("the scopes %d and %d are both called %s", int(other), int(s), s)
		}
		seen[s.String()] = s
	}
}
