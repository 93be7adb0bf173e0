package tui

import (
	"context"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
	"k8s.io/apimachinery/pkg/util/validation"

	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/pick"
)

// Groups of namespaces while nothing is typed.
const (
	groupAll = iota
	groupRecent
	groupOther
)

// everyNamespace is what is typed for all of them.
const everyNamespace = "all"

func (m *model) openNamespaces() tea.Cmd {
	source := pick.Source{
		Title: "Namespace", Label: "> ",
		Items:  func(string) []pick.Item { return m.namespaceItems() },
		Typed:  m.typedNamespace,
		Choice: func(names []string) { m.spaces = names },
	}
	id, cmd := m.push(func(id screen.ID) screen.Screen { return pick.New(m.env, id, source) })
	return tea.Batch(cmd, m.readSpaces(id, ""))
}

// namespaceItems are all namespaces that are known, whether they can be listed or hold a Valkey that is shown or were used before.
func (m *model) namespaceItems() []pick.Item {
	count := map[string]int{}
	for _, r := range m.latest.Rows {
		count[r.Namespace]++
	}
	names := slices.Concat(m.recent, m.spaces, []string{m.backend.namespace, m.namespace})
	for name := range count {
		names = append(names, name)
	}
	others := names[len(m.recent):]
	slices.Sort(others)
	items := []pick.Item{{Name: everyNamespace, Detail: "all namespaces", Group: groupAll, Effect: screen.UseNamespace{All: true}}}
	seen := map[string]bool{}
	for i, name := range names {
		if seen[name] || name == "" {
			continue
		}
		seen[name] = true
		it := pick.Item{Name: name, Group: groupOther, Effect: screen.UseNamespace{Name: name}}
		if i < len(m.recent) {
			it.Group, it.Detail = groupRecent, "used before"
		}
		if name == m.namespace && !m.all {
			it.Detail = "shown now"
		} else if n := count[name]; n > 0 {
			it.Detail = plural(n, "Valkey")
		}
		items = append(items, it)
	}
	return items
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// typedNamespace is a namespace that is not in the list, as where namespaces cannot be listed.
func (m *model) typedNamespace(name string) (pick.Item, bool) {
	known := name == "" || name == everyNamespace
	for _, it := range m.namespaceItems() {
		known = known || it.Name == name
	}
	if known {
		return pick.Item{}, false
	}
	it := pick.Item{Name: name, Detail: "as typed: it is not in the list", Effect: screen.UseNamespace{Name: name}}
	if len(m.spaces) > 0 { // all are known, and this is none of them
		it.Why = "there is no namespace " + name
	}
	if len(validation.IsDNS1123Label(name)) > 0 {
		it.Why = "no namespace is called so: want lower case letters, digits and dashes"
	}
	return it, true
}

// spacesRead is a list of namespaces for a screen, and from where to go on.
type spacesRead struct {
	choice screen.Choice
	next   string
}

// readSpaces reads the namespaces for a screen, as long as that is open.
func (m *model) readSpaces(to screen.ID, version string) tea.Cmd {
	s := m.backend.surveyor
	return m.bound(to, func(ctx context.Context) tea.Msg {
		names, next, err := s.NamespacesAfter(ctx, version)
		return spacesRead{screen.Choice{To: to, Names: names, Problem: problemOf(err)}, next}
	})
}

func (m *model) spacesRead(msg spacesRead) tea.Cmd {
	if !m.has(msg.choice.To) {
		return nil
	}
	cmd := m.broadcast(msg.choice)
	if msg.choice.Problem != nil {
		return cmd // it says why, and a name can be typed
	}
	return tea.Batch(cmd, m.readSpaces(msg.choice.To, msg.next))
}

func (m *model) openContexts() tea.Cmd {
	source := pick.Source{
		Title: "Context", Label: "> ",
		Items:  func(string) []pick.Item { return m.contextItems() },
		Typed:  func(string) (pick.Item, bool) { return pick.Item{}, false },
		Choice: func([]string) {},
	}
	_, cmd := m.push(func(id screen.ID) screen.Screen { return pick.New(m.env, id, source) })
	return cmd
}

func (m *model) contextItems() []pick.Item {
	dot := " " + m.env.Theme.Signs.Dot + " "
	var items []pick.Item
	for _, c := range m.backend.Contexts() {
		it := pick.Item{Name: c.Name, Detail: c.Server, Group: 1, Effect: screen.UseContext{Name: c.Name}}
		if c.Namespace != "" {
			it.Detail += dot + "namespace " + c.Namespace
		}
		if c.Name == m.backend.context.Name {
			it.Detail, it.Group = "used now"+dot+it.Detail, 0
		}
		items = append(items, it)
	}
	return items
}
