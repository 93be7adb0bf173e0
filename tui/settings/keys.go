package settings

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"go.yaml.in/yaml/v3"

	"kuberly.io/valkey-operator/tui/keys"
)

// change is one line about keys.
type change struct {
	node   *yaml.Node
	scope  keys.Scope
	action keys.Action
	keys   []string
}

// keys takes the keys of actions, by scope, and then looks whether any means two things.
func (p *parser) keys(n *yaml.Node) error {
	var changes []change
	scopes := map[string]reader{}
	for _, scope := range keys.Scopes() {
		scopes[scope.String()] = func(n *yaml.Node) error {
			actions := map[string]reader{}
			for _, b := range p.settings.Keys.Bindings(scope) {
				actions[string(b.Action)] = func(n *yaml.Node) error {
					c := change{node: n, scope: scope, action: b.Action}
					if err := p.keyNames(&c); err != nil {
						return err
					}
					changes = append(changes, c)
					return nil
				}
			}
			return p.mapping(n, "action of "+scope.String(), actions)
		}
	}
	if err := p.mapping(n, "group of keys", scopes); err != nil {
		return err
	}
	for _, c := range changes {
		p.settings.Keys = p.settings.Keys.With(c.scope, c.action, c.keys)
	}
	for _, c := range changes {
		for _, b := range p.settings.Keys.Bindings(c.scope) {
			for _, key := range c.keys {
				if b.Action != c.action && slices.Contains(b.Keys, key) {
					return p.fault(c.node, "%s is the key of %s already: give that one another key, or take another one here", keys.Label(key), b.Action)
				}
			}
		}
	}
	return nil
}

// needed are actions without which one could not get out, or on.
var needed = []keys.Action{keys.Back, keys.Abort, keys.Confirm}

func (p *parser) keyNames(c *change) error {
	var names []string
	if err := p.texts(c.node, &names); err != nil {
		return err
	}
	if len(names) == 0 && slices.Contains(needed, c.action) {
		return p.fault(c.node, "%s needs a key", c.action)
	}
	for _, name := range names {
		key := keyOf(name)
		msg, known := keys.Press(key)
		switch {
		case !known:
			return p.fault(c.node, "there is no key %s: want one like x, X, ctrl-x, alt-x, enter, space, f5, pgup", quoted(name))
		case c.scope.TakesText() && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt:
			return p.fault(c.node, "%s is a letter that is typed there: want one like ctrl-x, alt-x or f5", quoted(name))
		case slices.Contains(c.keys, key):
			return p.fault(c.node, "%s stands here twice", name)
		}
		c.keys = append(c.keys, key)
	}
	return nil
}

// keyOf is the name of a key as bubbletea has it, of one as people write it: ctrl-x, space, pgdn.
func keyOf(name string) string {
	switch name {
	case "space":
		return " "
	case "pgdn":
		return "pgdown"
	}
	for _, modifier := range []string{"ctrl", "alt", "shift"} {
		if rest, found := strings.CutPrefix(name, modifier+"-"); found && rest != "" {
			return modifier + "+" + keyOf(rest)
		}
	}
	return name
}
