package keys

import (
	"slices"
	"strings"
)

// Binding is one action with its keys.
type Binding struct {
	Action Action
	Scope  Scope
	// Keys are the names that bubbletea gives to keys. The first one is shown in footers.
	Keys []string
	// Help says in a few words what happens, Short in one word for footers (empty: not in a footer).
	Help, Short string
}

// Map is the set of all bindings.
type Map struct {
	bindings []Binding
	index    map[Scope]map[string]Action
}

// New makes a map of the bindings. Of two bindings of one key in one scope the first one counts.
func New(bindings []Binding) *Map {
	m := &Map{bindings: bindings, index: map[Scope]map[string]Action{}}
	for _, b := range bindings {
		if m.index[b.Scope] == nil {
			m.index[b.Scope] = map[string]Action{}
		}
		for _, k := range b.Keys {
			if _, taken := m.index[b.Scope][k]; !taken {
				m.index[b.Scope][k] = b.Action
			}
		}
	}
	return m
}

// Action is what the key means in the first of the scopes that knows it.
func (m *Map) Action(key string, scopes ...Scope) Action {
	for _, s := range scopes {
		if a, found := m.index[s][key]; found {
			return a
		}
	}
	return None
}

// Bindings of one scope, in the order of the map.
func (m *Map) Bindings(scope Scope) []Binding {
	var found []Binding
	for _, b := range m.bindings {
		if b.Scope == scope {
			found = append(found, b)
		}
	}
	return found
}

// Find is the binding of an action in a scope.
func (m *Map) Find(scope Scope, action Action) (Binding, bool) {
	for _, b := range m.bindings {
		if b.Scope == scope && b.Action == action {
			return b, true
		}
	}
	return Binding{}, false
}

// First is the first key of an action in a scope as a person reads it; empty where there is none.
func (m *Map) First(scope Scope, action Action) string {
	b, found := m.Find(scope, action)
	if !found || len(b.Keys) == 0 {
		return ""
	}
	return Label(b.Keys[0])
}

// Label is a key's name as a person reads it: "ctrl-d" for "ctrl+d", "space" for " ".
func Label(key string) string {
	switch key {
	case " ":
		return "space"
	case "+":
		return "+"
	case "pgdown":
		return "pgdn"
	}
	return strings.ReplaceAll(key, "+", "-")
}

// With is the map with other keys for an action of a scope.
func (m *Map) With(scope Scope, action Action, names []string) *Map {
	bindings := slices.Clone(m.bindings)
	for i := range bindings {
		if bindings[i].Scope == scope && bindings[i].Action == action {
			bindings[i].Keys = names
		}
	}
	return New(bindings)
}
