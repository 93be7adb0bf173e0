package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/kube"
)

func (p *program) restartCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "restart NAME...",
		Short: "Restart the servers of Valkeys, one after the other",
		Long: `Restart the servers of Valkeys by a roll without a change: replicas first, each in sync before the next, the primary last and
after it has handed over. A Valkey of one server is away until that one is back.`,
		Example:           p.example("restart app", "restart a b"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(true),
		RunE:              func(cmd *cobra.Command, args []string) error { return p.restart(cmd.Context(), args) },
	}
}

func (p *program) restart(ctx context.Context, names []string) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	return forEach(names, func(name string) error {
		if err := client.Restart(ctx, kube.Ref{Namespace: client.Namespace(), Name: name}, time.Now()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.Out, "%s is being restarted\n", objectName(name, ""))
		return err
	})
}
