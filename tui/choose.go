package tui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/choose"
)

// choose opens a choice. Where it is one of the servers of a Valkey, they are asked for.
func (m *model) choose(want screen.Choose) tea.Cmd {
	id, cmd := m.push(func(id screen.ID) screen.Screen { return choose.New(m.env, id, want) })
	if want.Items != nil {
		return cmd
	}
	asker := m.backend.visitor
	return tea.Batch(cmd, m.ask(func(ctx context.Context) tea.Msg {
		servers, err := asker.Servers(ctx, want.Of)
		return screen.Items{To: id, List: serverItems(servers, want), Problem: problemOf(err)}
	}))
}

// serverItems are the servers to choose from. Where one is chosen the cursor begins on the primary.
func serverItems(servers []kube.Node, want screen.Choose) []screen.Item {
	marked := map[string]bool{}
	for _, name := range want.Marked {
		marked[name] = true
	}
	items := make([]screen.Item, len(servers))
	for i, s := range servers {
		items[i] = screen.Item{Key: s.Name, Text: s.Name, Detail: s.Words()}
		switch {
		case len(want.First) > 0: // they are what is meant most often
		case len(marked) > 0:
			items[i].Marked = marked[s.Name]
		case want.Many:
			items[i].Marked = true
		default:
			items[i].Marked = s.Role == v1alpha1.RolePrimary
		}
	}
	return append(slices.Clone(want.First), items...)
}
