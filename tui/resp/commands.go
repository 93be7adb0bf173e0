package resp

import (
	"slices"
	"strings"

	"kuberly.io/valkey-operator/tui/clean"
)

// Command is what a server tells of a command, or of a subcommand.
type Command struct {
	Name    string // config|set for a subcommand, in lower case
	Summary string
	Usage   string // its arguments, e.g. key value [NX | XX]

	flags, categories []string
	subs              map[string]*Command
}

// Commands are all commands of a server by their names in lower case.
type Commands map[string]*Command

// ParseCommands reads the replies to COMMAND and to COMMAND DOCS. What of them is none is left out.
func ParseCommands(info, docs Value) Commands {
	all := Commands{}
	for _, v := range info.Items {
		if c := parseInfo(v); c != nil {
			all[c.Name] = c
		}
	}
	docs.Pairs(func(name string, doc Value) {
		if c := all[strings.ToLower(name)]; c != nil {
			c.document(doc)
		}
	})
	return all
}

// Places in the reply to COMMAND: https://valkey.io/commands/command/.
const (
	infoName       = 0
	infoFlags      = 2
	infoCategories = 6
	infoSubs       = 9
)

func parseInfo(v Value) *Command {
	if len(v.Items) <= infoCategories {
		return nil
	}
	c := &Command{
		Name: strings.ToLower(clean.Text(v.Items[infoName].Text)), flags: textsOf(v.Items[infoFlags]), categories: textsOf(v.Items[infoCategories]),
		subs: map[string]*Command{},
	}
	if len(v.Items) > infoSubs {
		for _, s := range v.Items[infoSubs].Items {
			if sub := parseInfo(s); sub != nil {
				_, name, _ := strings.Cut(sub.Name, "|")
				c.subs[name] = sub
			}
		}
	}
	return c
}

func textsOf(v Value) []string {
	texts := make([]string, len(v.Items))
	for i := range v.Items {
		texts[i] = v.Items[i].Text
	}
	return texts
}

func (c *Command) document(doc Value) {
	doc.Pairs(func(name string, v Value) {
		switch name {
		case "summary":
			c.Summary = clean.Text(v.Text)
		case "arguments":
			c.Usage = usage(v.Items, " ")
		case "subcommands":
			v.Pairs(func(name string, doc Value) {
				_, name, _ = strings.Cut(strings.ToLower(name), "|")
				if sub := c.subs[name]; sub != nil {
					sub.document(doc)
				}
			})
		}
	})
}

// usage writes arguments as the documentation does: [optional], a | b, repeated ...
func usage(arguments []Value, between string) string {
	words := make([]string, 0, len(arguments))
	for _, a := range arguments {
		words = append(words, argument(a))
	}
	return strings.Join(words, between)
}

func argument(a Value) string {
	var name, display, kind, token string
	var parts []Value
	var flags []string
	a.Pairs(func(key string, v Value) {
		switch key {
		case "name":
			name = clean.Text(v.Text)
		case "display_text":
			display = clean.Text(v.Text)
		case "type":
			kind = v.Text
		case "token":
			token = clean.Text(v.Text)
		case "flags":
			flags = textsOf(v)
		case "arguments":
			parts = v.Items
		}
	})
	text := name
	if display != "" {
		text = display
	}
	switch kind {
	case "pure-token":
		text, token = token, ""
	case "oneof":
		text = usage(parts, " | ")
		if !slices.Contains(flags, "optional") {
			text = "<" + text + ">"
		}
	case "block":
		text = usage(parts, " ")
	}
	if token != "" {
		text = strings.TrimSpace(token + " " + text)
	}
	if slices.Contains(flags, "multiple") {
		text += " [" + text + " ...]"
	}
	if slices.Contains(flags, "optional") {
		text = "[" + text + "]"
	}
	return text
}

// Find is the command that the words give; nil where the server knows none, or where it is not known what it knows.
func (c Commands) Find(words []string) *Command {
	if len(words) == 0 {
		return nil
	}
	command := c[strings.ToLower(words[0])]
	if command != nil && len(words) > 1 {
		if sub := command.subs[strings.ToLower(words[1])]; sub != nil {
			return sub
		}
	}
	return command
}
