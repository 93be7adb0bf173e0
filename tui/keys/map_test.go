package keys

import "testing"

// In one scope a key means one thing, and what the help says is what happens.
func TestDefaultMapIsUnambiguous(t *testing.T) {
	m := Default()
	seen := map[Scope]map[string]Action{}
	for _, b := range m.bindings {
		if b.Help == "" || len(b.Keys) == 0 {
			t.Errorf("%s has no key or no help", b.Action)
		}
		if seen[b.Scope] == nil {
			seen[b.Scope] = map[string]Action{}
		}
		for _, k := range b.Keys {
			if other, taken := seen[b.Scope][k]; taken {
				t.Errorf("%s means both %s and %s", k, other, b.Action)
			}
			seen[b.Scope][k] = b.Action
			if got := m.Action(k, b.Scope); got != b.Action {
				t.Errorf("%s means %s, the help says %s", k, got, b.Action)
			}
		}
	}
}

// On a screen that has keys of its own, of moving and of everywhere, none hides another.
func TestScopesOfOneScreenDoNotHideEachOther(t *testing.T) {
	m := Default()
	for _, scopes := range [][]Scope{{List, Moving, Everywhere}, {LogView, Moving, Everywhere}, {Dialog, Count}} {
		taken := map[string]Action{}
		for _, s := range scopes {
			for _, b := range m.Bindings(s) {
				for _, k := range b.Keys {
					if other, found := taken[k]; found {
						t.Errorf("%s means %s and, behind it, %s", k, other, b.Action)
					}
					taken[k] = b.Action
				}
			}
		}
	}
}

func TestLabels(t *testing.T) {
	for key, want := range map[string]string{"ctrl+d": "ctrl-d", " ": "space", "+": "+", "pgdown": "pgdn", "G": "G"} {
		if got := Label(key); got != want {
			t.Errorf("%q is shown as %q, want %q", key, got, want)
		}
	}
}
