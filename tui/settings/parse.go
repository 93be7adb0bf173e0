package settings

import (
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/theme"
)

// parser walks through a file and fills the settings.
type parser struct {
	file     string
	settings *Settings
}

// reader takes the value of one setting.
type reader func(n *yaml.Node) error

func (p *parser) root(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil // comments alone
	}
	s := p.settings
	return p.mapping(n, "setting", map[string]reader{
		"theme":        func(n *yaml.Node) error { return p.oneOf(n, theme.Modes(), &s.Theme) },
		"columns":      func(n *yaml.Node) error { return p.texts(n, &s.Columns) },
		"refresh":      func(n *yaml.Node) error { return p.refresh(n) },
		"readOnly":     func(n *yaml.Node) error { return p.truth(n, &s.ReadOnly) },
		"mouse":        func(n *yaml.Node) error { return p.truth(n, &s.Mouse) },
		"screenReader": func(n *yaml.Node) error { return p.truth(n, &s.ScreenReader) },
		"keys":         p.keys,
	})
}

// mapping gives the value of each name to its reader. Names that nobody knows, and ones that stand there twice, are refused.
func (p *parser) mapping(n *yaml.Node, what string, readers map[string]reader) error {
	if n.Kind != yaml.MappingNode {
		return p.fault(n, "want lines of the form %s: value", what)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		read, known := readers[name.Value]
		switch {
		case name.Kind != yaml.ScalarNode || !known:
			return p.fault(name, "there is no %s %s: want one of %s", what, quoted(name.Value), strings.Join(slices.Sorted(maps.Keys(readers)), ", "))
		case seen[name.Value]:
			return p.fault(name, "the %s %s stands here a second time: take one of them away", what, name.Value)
		}
		seen[name.Value] = true
		if err := read(value); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) oneOf(n *yaml.Node, values []string, into *string) error {
	if n.Kind != yaml.ScalarNode || !slices.Contains(values, n.Value) {
		return p.fault(n, "%s is none: want one of %s", quoted(n.Value), strings.Join(values, ", "))
	}
	*into = n.Value
	return nil
}

func (p *parser) truth(n *yaml.Node, into *bool) error {
	if n.Kind != yaml.ScalarNode || n.Value != "true" && n.Value != "false" {
		return p.fault(n, "%s is neither: want true or false", quoted(n.Value))
	}
	*into = n.Value == "true"
	return nil
}

func (p *parser) refresh(n *yaml.Node) error {
	d, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d < leastRefresh || d > mostRefresh {
		return p.fault(n, "%s is no time to refresh after: want one like 100ms or 2s, from %s to %s", quoted(n.Value), leastRefresh, mostRefresh)
	}
	p.settings.Refresh = d
	return nil
}

// texts takes a list of texts, or one.
func (p *parser) texts(n *yaml.Node, into *[]string) error {
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	texts := make([]string, 0, len(list))
	for _, item := range list {
		if item.Kind != yaml.ScalarNode || item.Value == "" {
			return p.fault(item, "want a list of texts, like [one, two]")
		}
		texts = append(texts, item.Value)
	}
	*into = texts
	return nil
}

// quoted is a piece of the file for a message: short, and on one line.
func quoted(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "..."
	}
	return `"` + strings.Join(strings.Fields(clean.Text(text)), " ") + `"`
}
