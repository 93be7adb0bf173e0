package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
)

type restartOptions struct {
	wait    bool
	timeout time.Duration
}

func (p *program) restartCommand() *cobra.Command {
	var o restartOptions
	cmd := &cobra.Command{
		Use:   "restart NAME...",
		Short: "Restart the servers of Valkeys, one after the other",
		Long: `Restart the servers of Valkeys by a roll without a change: replicas first, each in sync before the next, the primary last and
after it has handed over. A Valkey of one server is away until that one is back.

With --wait it waits until every server is a new one and all of them run.`,
		Example:           p.example("restart app", "restart app --wait", "restart a b"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(true),
		RunE:              func(cmd *cobra.Command, args []string) error { return p.restart(cmd.Context(), args, o) },
	}
	cmd.Flags().BoolVar(&o.wait, "wait", false, "wait until all servers have restarted and run")
	cmd.Flags().DurationVar(&o.timeout, "timeout", 5*time.Minute, "how long to wait, for each")
	return cmd
}

func (p *program) restart(ctx context.Context, names []string, o restartOptions) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	var before []*v1alpha1.Valkey
	failed := forEach(names, func(name string) error {
		ref := kube.Ref{Namespace: client.Namespace(), Name: name}
		if o.wait {
			v, err := client.Get(ctx, ref.Namespace, name)
			if err != nil {
				return err
			}
			ref.UID = v.UID
			before = append(before, v)
		}
		if err := client.Restart(ctx, ref, time.Now()); err != nil {
			before = before[:max(len(before)-1, 0)]
			return err
		}
		_, err := fmt.Fprintf(p.Out, "%s is being restarted\n", objectName(name, ""))
		return err
	})
	for _, v := range before {
		err := p.await(ctx, v.Name, o.timeout, func(ctx context.Context, progress func(*v1alpha1.Valkey)) error {
			return client.WaitRestarted(ctx, v, progress)
		})
		if err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}
