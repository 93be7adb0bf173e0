package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
)

// copyMenu asks what of a Valkey goes to the clipboard. Only what is chosen is asked for.
func (m *model) copyMenu(ref kube.Ref) tea.Cmd {
	b := m.backend.visitor
	fetched := func(what string, fetch func(context.Context) (string, error)) screen.Effect {
		return m.ask(func(ctx context.Context) tea.Msg {
			text, err := fetch(ctx)
			if err != nil {
				return copied{err: problemOf(err)}
			}
			return screen.Copy{What: what, Text: text}
		})
	}
	plain := func(what, text string) screen.Item {
		return screen.Item{Text: what, Detail: text, Effect: screen.Copy{What: "the " + what, Text: text}}
	}
	items := []screen.Item{
		plain("name", ref.Name), plain("namespace/name", ref.String()), plain("address", kube.Address(ref)),
		{
			Text: "connection string", Detail: "without its password",
			Effect: fetched("the connection string without its password", func(ctx context.Context) (string, error) { return b.URI(ctx, ref, false) }),
		},
		{
			Text: "connection string", Detail: "with its password",
			Ask:    "Whoever reads the clipboard can read and change all data of " + ref.String() + ". Copy it with the password?",
			Effect: fetched("the connection string with its password", func(ctx context.Context) (string, error) { return b.URI(ctx, ref, true) }),
		},
		{
			Text: "YAML", Detail: "passwords left out",
			Effect: fetched("the YAML", func(ctx context.Context) (string, error) { return b.YAML(ctx, ref, false) }),
		},
	}
	return m.choose(screen.Choose{
		Title: "Copy of " + ref.String(), Items: items, Note: "to the terminal's clipboard",
		Done: func(chosen []screen.Item) screen.Effect { return chosen[0].Effect },
	})
}
