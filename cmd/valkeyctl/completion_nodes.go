package main

import (
	"context"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/kube"
)

// completeNodes completes the servers of the Valkey that is named before.
func (p *program) completeNodes(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	client, err := p.client()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(commandContext(cmd), completionTimeout)
	defer cancel()
	servers, err := client.Servers(ctx, kube.Ref{Namespace: client.Namespace(), Name: args[0]})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := make([]string, len(servers))
	for i, s := range servers {
		names[i] = s.Name
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
