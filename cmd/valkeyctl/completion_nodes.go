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
	return p.completeFrom(cmd, func(ctx context.Context, client *kube.Client) ([]string, error) {
		servers, err := client.Servers(ctx, kube.Ref{Namespace: client.Namespace(), Name: args[0]})
		names := make([]string, len(servers))
		for i, s := range servers {
			names[i] = s.Name
		}
		return names, err
	})
}
