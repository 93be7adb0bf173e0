package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
)

type failoverOptions struct {
	to      string
	wait    bool
	timeout time.Duration
}

func (p *program) failoverCommand() *cobra.Command {
	o := failoverOptions{}
	cmd := &cobra.Command{
		Use:   "failover NAME",
		Short: "Make another node of a Valkey the primary, losing no write",
		Long: `Make another node of a Valkey the primary. The primary stops taking writes, waits until the other has all of them, and changes
places with it: a pause of a moment, and not one acknowledged write is lost.`,
		Example:           p.example("failover app", "failover app --to=app-node-2"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return kube.Usage("failover takes one name", "run it once for each")
			}
			return p.failover(cmd.Context(), args[0], o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.to, "to", "", "node to become the primary; the best replica unless set")
	flags.BoolVar(&o.wait, "wait", true, "wait until it has happened")
	flags.DurationVar(&o.timeout, "timeout", time.Minute, "how long to wait")
	return cmd
}

func (p *program) failover(ctx context.Context, name string, o failoverOptions) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	ref := kube.Ref{Namespace: client.Namespace(), Name: name}
	from, err := client.Failover(ctx, ref, o.to)
	if err != nil {
		return err
	}
	if !o.wait {
		_, err = fmt.Fprintf(p.Out, "%s is asked to fail over\n", objectName(name, ""))
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	to, err := client.WaitPrimary(ctx, ref, from)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Out, "%s failed over from %s to %s\n", objectName(name, ""), clean.Text(from), clean.Text(to))
	return err
}
