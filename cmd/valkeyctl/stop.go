package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
)

type stopOptions struct {
	yes, wait bool
	timeout   time.Duration
	dryRun    string
}

func (p *program) stopCommand() *cobra.Command {
	o := stopOptions{}
	cmd := &cobra.Command{
		Use:   "stop NAME...",
		Short: "Stop Valkeys, and keep their data",
		Long: `Stop Valkeys: all servers end, the primary last, and the data stays on the claims. How many servers there were is noted on each, so that
"start" brings back as many.

A Valkey without a volume keeps nothing: its data is lost, so --yes has to say that this is meant.

With several names each is stopped, and each result told; one that fails does not keep the others from it.`,
		Example:           p.example("stop app", "stop app --wait", "stop a b c", "stop cache --yes"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(true),
		RunE:              func(cmd *cobra.Command, args []string) error { return p.stop(cmd.Context(), args, o) },
	}
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "also where all data is lost")
	o.addFlags(cmd, "wait until they are stopped")
	return cmd
}

func (p *program) startCommand() *cobra.Command {
	o := stopOptions{}
	cmd := &cobra.Command{
		Use:   "start NAME...",
		Short: "Start Valkeys that were stopped, with as many servers as they had",
		Long: `Start Valkeys that were stopped: each gets as many servers as "stop" noted, or one where nothing is noted. The data of the claims is
there again. One that runs is left alone.

With several names each is started, and each result told; one that fails does not keep the others from it.`,
		Example:           p.example("start app", "start app --wait", "start a b c"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(true),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.rescale(cmd.Context(), args, o, func(ctx context.Context, client *kube.Client, ref kube.Ref) (string, error) {
				result, err := client.Start(ctx, ref, kube.ScaleOptions{DryRun: o.dryRun == dryRunServer})
				if result.From == result.To {
					return fmt.Sprintf("runs already: %s", servers(result.To)), err
				}
				return fmt.Sprintf("started: %s", servers(result.To)), err
			})
		},
	}
	o.addFlags(cmd, "wait until they run")
	return cmd
}

func (o *stopOptions) addFlags(cmd *cobra.Command, wait string) {
	cmd.Flags().BoolVar(&o.wait, "wait", false, wait)
	cmd.Flags().DurationVar(&o.timeout, "timeout", 5*time.Minute, "how long to wait, for each")
	addDryRun(cmd, &o.dryRun)
}

func (p *program) stop(ctx context.Context, names []string, o stopOptions) error {
	return p.rescale(ctx, names, o, func(ctx context.Context, client *kube.Client, ref kube.Ref) (string, error) {
		v, err := client.Get(ctx, ref.Namespace, ref.Name)
		if err != nil {
			return "", err
		}
		if err := keepsData(v); err != nil && !o.yes {
			return "", err
		}
		ref.UID = v.UID
		result, err := client.Stop(ctx, ref, kube.ScaleOptions{DryRun: o.dryRun == dryRunServer})
		switch {
		case result.From == 0:
			return "is stopped already", err
		case v.Spec.Volume.Enabled:
			return fmt.Sprintf("stopped: it had %s, the data is kept", servers(result.From)), err
		default:
			return fmt.Sprintf("stopped: it had %s, their data is lost", servers(result.From)), err
		}
	})
}

// keepsData refuses to stop a Valkey whose data goes with its servers.
func keepsData(v *v1alpha1.Valkey) error {
	if v.Spec.Volume.Enabled || v.WantedReplicas() == 0 {
		return nil
	}
	return &kube.Problem{Class: kube.ClassUsage, Message: fmt.Sprintf("valkey %q has no volume: a stop loses all its data", v.Name), Hint: "pass --yes if that is meant"}
}

// rescale does it for each name, tells how it went, and waits if that is wanted.
func (p *program) rescale(ctx context.Context, names []string, o stopOptions, do func(context.Context, *kube.Client, kube.Ref) (string, error)) error {
	if o.wait && o.dryRun != dryRunNone {
		return kube.Usage("--wait makes no sense in a dry run", "")
	}
	client, err := p.client()
	if err != nil {
		return err
	}
	var changed []kube.Ref
	failed := forEach(names, func(name string) error {
		ref := kube.Ref{Namespace: client.Namespace(), Name: name}
		done := "would change"
		if o.dryRun != dryRunClient {
			if done, err = do(ctx, client, ref); err != nil {
				return err
			}
		}
		changed = append(changed, ref)
		_, err := fmt.Fprintf(p.Out, "%s %s%s\n", objectName(name, ""), done, dryRunNote(o.dryRun))
		return err
	})
	if !o.wait {
		return failed
	}
	for _, ref := range changed {
		if err := p.awaitReady(ctx, client, ref, o.timeout); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

func servers(n int32) string {
	if n == 1 {
		return "1 server"
	}
	return fmt.Sprintf("%d servers", n)
}
