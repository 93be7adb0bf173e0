package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/pick"
	"kuberly.io/valkey-operator/tui/screen/valkeys"
	"kuberly.io/valkey-operator/tui/theme"
)

// Groups of what the palette offers while nothing is typed.
const (
	groupHere = iota
	groupCommand
	groupEverywhere
)

// openPalette offers every action in force on the upper screen, and the commands that take a name.
func (m *model) openPalette() tea.Cmd {
	here := m.hereItems(m.top().screen.View().Scopes)
	commands := m.commandItems()
	source := pick.Source{
		Title: "Command", Label: ":",
		Items: func(text string) []pick.Item {
			if verb, name, hasName := strings.Cut(text, " "); hasName {
				return m.namedItems(verb, name)
			}
			return append(slices.Clone(here), commands...)
		},
		Typed:    m.typedCommand,
		None:     m.noCommand,
		IsStrict: true,
		Choice:   func(names []string) { m.spaces = names },
	}
	id, cmd := m.push(func(id screen.ID) screen.Screen { return pick.New(m.env, id, source) })
	return tea.Batch(cmd, m.readSpaces(id, ""))
}

// hereItems are the actions of the scopes that a screen has in force. Choosing one presses its first key there.
func (m *model) hereItems(scopes []keys.Scope) []pick.Item {
	var items []pick.Item
	seen := map[keys.Action]bool{keys.Palette: true, keys.Back: true, keys.Confirm: true, keys.Abort: true}
	for _, scope := range scopes {
		if scope == keys.Moving || scope.TakesText() {
			continue
		}
		for _, b := range m.env.Keys.Bindings(scope) {
			if seen[b.Action] || len(b.Keys) == 0 {
				continue
			}
			seen[b.Action] = true
			key, known := keys.Press(b.Keys[0])
			if !known {
				continue
			}
			it := pick.Item{
				Name: string(b.Action), Detail: b.Help, Key: m.env.Label(b.Keys[0]),
				Why: m.env.Why(b.Action), Effect: screen.Press{Key: key},
			}
			if scope == keys.Everywhere {
				it.Group = groupEverywhere
			}
			items = append(items, it)
		}
	}
	return items
}

// commandItems are the commands that do not depend on the screen.
func (m *model) commandItems() []pick.Item {
	return []pick.Item{
		{Name: "ns", Detail: "choose the namespace; ns NAME goes there, ns all shows all", Group: groupCommand, Effect: screen.OpenNamespaces{}},
		{Name: "ctx", Detail: "choose the context; ctx NAME goes there", Group: groupCommand, Effect: screen.OpenContexts{}},
		{Name: "valkeys", Detail: "back to the list", Group: groupCommand, Effect: goToList{}},
		{Name: "forwards", Detail: "the ports of this machine that lead to servers", Group: groupCommand, Effect: screen.OpenForwards{}},
		{Name: "sort", Detail: "sort COLUMN: by a column of the list; sort -COLUMN the other way round", Group: groupCommand, More: true},
		{Name: "theme", Detail: "theme NAME: " + strings.Join(theme.Modes(), ", "), Group: groupCommand, More: true},
		{Name: "q", Detail: "end the dashboard", Group: groupCommand, Effect: endProgram{}},
	}
}

// aliases are other words for commands, which are found once they are typed whole.
var aliases = map[string]string{
	"namespace": "ns", "namespaces": "ns", "context": "ctx", "contexts": "ctx", "valkey": "valkeys", "quit": "q", "pf": "forwards",
}

// goToList and endProgram are intents of the palette alone.
type (
	goToList   struct{}
	endProgram struct{}
)

// namedItems are the commands that a verb with a name makes, of which the beginning may be typed.
func (m *model) namedItems(verb, typed string) []pick.Item {
	var items []pick.Item
	add := func(name, detail string, effect screen.Effect) {
		items = append(items, pick.Item{Name: verb + " " + name, Detail: detail, Effect: effect})
	}
	switch verb {
	case "ns", "namespace":
		for _, it := range m.namespaceItems() {
			add(it.Name, it.Detail, it.Effect)
		}
	case "ctx", "context":
		for _, it := range m.contextItems() {
			add(it.Name, it.Detail, it.Effect)
		}
	case "theme":
		for _, mode := range theme.Modes() {
			add(mode, "", screen.UseTheme{Mode: mode})
		}
	case "sort":
		for _, it := range m.sortItems(strings.HasPrefix(typed, "-")) {
			add(it.Name, it.Detail, it.Effect)
		}
	default:
		b, found := m.env.Keys.Find(keys.List, keys.Action(verb))
		if !found || slices.Contains(notOnRows, b.Action) || len(b.Keys) == 0 {
			return nil
		}
		key, _ := keys.Press(b.Keys[0]) // of the map, which holds no other keys
		for _, r := range m.latest.Rows {
			name := r.Name
			if m.all {
				name = r.Namespace + "/" + name
			}
			add(name, b.Help, screen.OnRow{UID: r.UID, Name: name, Key: key})
		}
	}
	return items
}

// sortItems are the columns that the list can be sorted by, or with a - before them the other way round.
func (m *model) sortItems(descending bool) []pick.Item {
	list, isList := m.stack[0].screen.(*valkeys.Model)
	if !isList {
		return nil
	}
	names, sorted, down := list.Columns()
	items := make([]pick.Item, len(names))
	for i, name := range names {
		it := pick.Item{Name: name, Effect: screen.SortBy{Column: name, Descending: descending}}
		if descending {
			it.Name = "-" + name
		}
		if i == sorted && down == descending {
			it.Detail = "sorted so now"
		}
		items[i] = it
	}
	return items
}

// notOnRows are the actions of the list that are about no single Valkey.
var notOnRows = []keys.Action{
	keys.Create, keys.Filter, keys.Namespaces, keys.PickSpace, keys.Mark, keys.MarkAll, keys.SortNext, keys.SortPrev, keys.SortTurn, keys.Wide,
	keys.OperatorLogs, keys.Forwards,
}

// noCommand names what there is not.
func (m *model) noCommand(text string) string {
	verb, name, hasName := strings.Cut(text, " ")
	_, isAction := m.env.Keys.Find(keys.List, keys.Action(verb))
	switch {
	case !hasName:
		return "no command " + text
	case verb == "ctx" || verb == "context":
		return "no context " + name
	case verb == "theme":
		return "no theme " + name
	case verb == "sort":
		return "no column " + strings.TrimPrefix(name, "-")
	case !isAction || slices.Contains(notOnRows, keys.Action(verb)):
		return "no command " + verb + " that takes a name"
	case m.all:
		return strings.TrimSpace("no Valkey " + name)
	default:
		return "no Valkey " + strings.TrimSpace(name+" in namespace "+m.namespace)
	}
}

// typedCommand is what a text means that is none of the items: another word for a command, or a namespace that cannot be listed.
func (m *model) typedCommand(text string) (pick.Item, bool) {
	verb, name, hasName := strings.Cut(text, " ")
	if word, isAlias := aliases[verb]; isAlias && !hasName {
		commands := m.commandItems()
		it := commands[slices.IndexFunc(commands, func(it pick.Item) bool { return it.Name == word })]
		it.Name = verb
		return it, true
	}
	if verb != "ns" && verb != "namespace" {
		return pick.Item{}, false
	}
	it, means := m.typedNamespace(strings.TrimSpace(name))
	it.Name = verb + " " + it.Name
	return it, means
}
