package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/impact"
	"kuberly.io/valkey-operator/tui/kube"
)

type scaleOptions struct {
	replicas, current int32
	checkCurrent      bool
	yes, wait         bool
	timeout           time.Duration
	dryRun            string
}

func (p *program) scaleCommand() *cobra.Command {
	var o scaleOptions
	cmd := &cobra.Command{
		Use:   "scale NAME... --replicas=N",
		Short: "Set the number of servers of Valkeys",
		Long: `Set the number of servers: one primary, the others replicas of it. Which servers and claims go is told on standard error.

0 stops a Valkey, as "stop" does: the data is kept on volumes only. A Valkey without one loses all of it, so --yes has to say that this is meant.

With several names each is scaled, and each result told; one that fails does not keep the others from it.`,
		Example:           p.example("scale app --replicas=3", "scale app --replicas=0 --wait", "scale a b c --replicas=1"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(true),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("replicas") {
				return kube.Usage("--replicas is missing: to how many servers?", "for example --replicas=3")
			}
			if err := checkReplicas(o.replicas); err != nil {
				return err
			}
			o.checkCurrent = cmd.Flags().Changed("current-replicas")
			return p.scale(cmd.Context(), args, o)
		},
	}
	flags := cmd.Flags()
	flags.Int32Var(&o.replicas, "replicas", 0, "number of servers in all, 0 to 5")
	flags.Int32Var(&o.current, "current-replicas", 0, "scale only if the number is this now")
	flags.BoolVarP(&o.yes, "yes", "y", false, "also where all data is lost")
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
	scaled := make([]kube.Ref, 0, len(names))
	failed := forEach(names, func(name string) error {
		ref := kube.Ref{Namespace: client.Namespace(), Name: name}
		if err := p.scaleOne(ctx, client, ref, o); err != nil {
			return err
		}
		scaled = append(scaled, ref)
		return nil
	})
	if !o.wait || o.dryRun != dryRunNone {
		return failed
	}
	for _, ref := range scaled {
		if err := p.awaitReady(ctx, client, ref, o.timeout); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// scaleOne looks first at what would be lost. Who may scale and not look can scale to 0 only with --yes.
func (p *program) scaleOne(ctx context.Context, client *kube.Client, ref kube.Ref, o scaleOptions) error {
	v, err := client.Get(ctx, ref.Namespace, ref.Name)
	switch {
	case err == nil:
		ref.UID = v.UID
		if o.replicas == 0 && !o.yes {
			err = keepsData(v)
		}
	case kube.IsClass(err, kube.ClassForbidden) && (o.replicas > 0 || o.yes):
		v, err = nil, nil
	}
	if err != nil {
		return err
	}
	options := kube.ScaleOptions{DryRun: o.dryRun == dryRunServer}
	if o.checkCurrent {
		options.From = &o.current
	}
	result, err := client.Scale(ctx, ref, o.replicas, options)
	if err != nil {
		return err
	}
	if v != nil && result.To < result.From {
		before, after := v.DeepCopy(), v.DeepCopy()
		before.Spec.Replicas, after.Spec.Replicas = &result.From, &result.To
		if err := p.tellEffects("", impact.Of(before, after)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(p.Out, scaleLine(ref.Name, result)+dryRunNote(o.dryRun))
	return err
}

func scaleLine(name string, result kube.ScaleResult) string {
	if result.From == result.To {
		return fmt.Sprintf("%s has %d already", objectName(name, ""), result.To)
	}
	return fmt.Sprintf("%s scaled from %d to %d", objectName(name, ""), result.From, result.To)
}
