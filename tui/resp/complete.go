package resp

import (
	"slices"
	"strings"
)

// Complete are the names that the last word of a line begins: of commands, or of the subcommands of the first one.
func (c Commands) Complete(line string) []string {
	head, last, hasHead := cutLast(line)
	names := map[string]*Command(c)
	if hasHead {
		words := strings.Fields(head)
		if len(words) != 1 || c[strings.ToLower(words[0])] == nil {
			return nil
		}
		names = c[strings.ToLower(words[0])].subs
	}
	var found []string
	for name := range names {
		if strings.HasPrefix(name, strings.ToLower(last)) {
			found = append(found, strings.ToUpper(name))
		}
	}
	slices.Sort(found)
	return found
}

// Completed is the line with its last word as far as there is no choice, and the names that it may become where there is one.
func (c Commands) Completed(line string) (completed string, choice []string) {
	found := c.Complete(line)
	if len(found) == 0 {
		return line, nil
	}
	common := found[0]
	for _, name := range found[1:] {
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	head, _, _ := cutLast(line)
	if len(found) == 1 {
		return head + common + " ", nil
	}
	return head + common, found
}

// cutLast divides a line before its last word.
func cutLast(line string) (head, last string, hasHead bool) {
	line = strings.TrimLeft(line, " ")
	i := strings.LastIndexByte(line, ' ')
	if i < 0 {
		return "", line, false
	}
	return line[:i+1], line[i+1:], true
}

// Hint is how the command that a line begins goes on: its name, its arguments, and what it does. It is empty where the server knows no such
// command.
func (c Commands) Hint(line string) (syntax, summary string) {
	command := c.Find(strings.Fields(line))
	if command == nil {
		return "", ""
	}
	syntax = strings.ToUpper(strings.ReplaceAll(command.Name, "|", " "))
	if command.Usage == "" && len(command.subs) > 0 {
		return syntax + " " + strings.ToLower(strings.Join(command.subNames(), " | ")), command.Summary
	}
	return strings.TrimSpace(syntax + " " + command.Usage), command.Summary
}

func (c *Command) subNames() []string {
	names := make([]string, 0, len(c.subs))
	for name := range c.subs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
