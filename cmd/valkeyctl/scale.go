package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/kube"
)

type scaleOptions struct {
	replicas, current int32
	checkCurrent      bool
	wait              bool
	timeout           time.Duration
	dryRun            string
}

func (p *program) scaleCommand() *cobra.Command {
	var o scaleOptions
	cmd := &cobra.Command{
		Use:   "scale NAME... --replicas=N",
		Short: "Set the number of servers of Valkeys",
		Long: `Set the number of servers: one primary, the others replicas of it. 0 stops a Valkey and keeps its data.

With several names each is scaled, and each result told; one that fails does not keep the others from it.`,
		Example:           p.example("scale app --replicas=3", "scale app --replicas=0 --wait", "scale a b c --replicas=1"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(true),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("replicas") {
				return kube.Usage("--replicas is missing: to how many servers?", "for example --replicas=3")
			}
			o.checkCurrent = cmd.Flags().Changed("current-replicas")
			return p.scale(cmd.Context(), args, o)
		},
	}
	flags := cmd.Flags()
	flags.Int32Var(&o.replicas, "replicas", 0, "number of servers in all, 0 to 5")
	flags.Int32Var(&o.current, "current-replicas", 0, "scale only if the number is this now")
	flags.BoolVar(&o.wait, "wait", false, "wait until it runs (or is stopped)")
	flags.DurationVar(&o.timeout, "timeout", 5*time.Minute, "how long to wait, for each")
	addDryRun(cmd, &o.dryRun)
	return cmd
}

func (p *program) scale(ctx context.Context, names []string, o scaleOptions) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	if o.dryRun == dryRunClient {
		for _, name := range names {
			if _, err := fmt.Fprintf(p.Out, "%s scaled to %d%s\n", objectName(name, ""), o.replicas, dryRunNote(o.dryRun)); err != nil {
				return err
			}
		}
		return nil
	}
	options := kube.ScaleOptions{DryRun: o.dryRun == dryRunServer}
	if o.checkCurrent {
		options.From = &o.current
	}
	scaled := make([]kube.Ref, 0, len(names))
	failed := forEach(names, func(name string) error {
		ref := kube.Ref{Namespace: client.Namespace(), Name: name}
		result, err := client.Scale(ctx, ref, o.replicas, options)
		if err != nil {
			return err
		}
		scaled = append(scaled, ref)
		_, err = fmt.Fprintln(p.Out, scaleLine(name, result)+dryRunNote(o.dryRun))
		return err
	})
	if !o.wait || options.DryRun {
		return failed
	}
	for _, ref := range scaled {
		if err := p.awaitReady(ctx, client, ref, o.timeout); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

func scaleLine(name string, result kube.ScaleResult) string {
	if result.From == result.To {
		return fmt.Sprintf("%s has %d already", objectName(name, ""), result.To)
	}
	return fmt.Sprintf("%s scaled from %d to %d", objectName(name, ""), result.From, result.To)
}
