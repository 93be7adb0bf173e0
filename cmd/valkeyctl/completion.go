package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/kube"
)

// completionTimeout is how long a person waits for a list after the tab key.
const completionTimeout = 3 * time.Second

// completeNames completes names of Valkeys, leaving out those that stand there already.
func (p *program) completeNames(many bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if !many && len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return p.completeFrom(cmd, func(ctx context.Context, client *kube.Client) ([]string, error) {
			names, err := client.Names(ctx, client.Namespace())
			return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(args, name) }), err
		})
	}
}

// completeFrom completes with what a cluster is asked for. A completion that cannot be had is none: there is no place for an error.
func (p *program) completeFrom(cmd *cobra.Command, list func(context.Context, *kube.Client) ([]string, error)) ([]string, cobra.ShellCompDirective) {
	client, err := p.client()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(commandContext(cmd), completionTimeout)
	defer cancel()
	names, err := list(ctx, client)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completions completes the values of flags that all verbs share.
func (p *program) completions(root *cobra.Command) {
	mustComplete(root, "namespace", p.completeNamespaces)
	mustComplete(root, "context", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		client, err := p.client()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		for _, c := range client.Contexts() {
			names = append(names, c.Name)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

func (p *program) completeNamespaces(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return p.completeFrom(cmd, func(ctx context.Context, client *kube.Client) ([]string, error) { return client.Namespaces(ctx) })
}

func (p *program) completeStorageClasses(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return p.completeFrom(cmd, func(ctx context.Context, client *kube.Client) ([]string, error) { return client.StorageClasses(ctx) })
}

// completeValues completes a flag with a fixed set of values.
func completeValues(cmd *cobra.Command, flag string, values []string) {
	mustComplete(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// mustComplete is for flags that exist: anything else is a fault of the program.
func mustComplete(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err)
	}
}

// commandContext is the command's context; completion may run without one.
func commandContext(cmd *cobra.Command) context.Context {
	if ctx := cmd.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}
