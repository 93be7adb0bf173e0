package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
)

type failoverOptions struct {
	to           string
	wait, cancel bool
	timeout      time.Duration
}

// takeBackTimeout bounds what is done after the wait is over.
const takeBackTimeout = 10 * time.Second

func (p *program) failoverCommand() *cobra.Command {
	o := failoverOptions{}
	cmd := &cobra.Command{
		Use:   "failover NAME",
		Short: "Make another node of a Valkey the primary, losing no write",
		Long: `Make another node of a Valkey the primary. The primary stops taking writes, waits until the other has all of them, and changes
places with it: a pause of a moment, and not one acknowledged write is lost.

It waits until that has happened. Where it has not within --timeout, or is interrupted, it takes its request back, so that the primary does not
move some day when nobody looks. With --wait=false the request stays until it can be carried out, or --cancel takes it back.`,
		Example:           p.example("failover app", "failover app --to=app-node-2", "failover app --wait=false", "failover app --cancel"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return kube.Usage("failover takes one name", "run it once for each")
			}
			if o.cancel {
				return p.cancelFailover(cmd.Context(), args[0])
			}
			return p.failover(cmd.Context(), args[0], o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.to, "to", "", "node to become the primary; the best replica unless set")
	flags.BoolVar(&o.wait, "wait", true, "wait until it has happened")
	flags.BoolVar(&o.cancel, "cancel", false, "take back a request that waits yet")
	flags.DurationVar(&o.timeout, "timeout", time.Minute, "how long to wait before the request is taken back")
	mustComplete(cmd, "to", p.completeNodes)
	cmd.MarkFlagsMutuallyExclusive("cancel", "to")
	cmd.MarkFlagsMutuallyExclusive("cancel", "wait")
	cmd.MarkFlagsMutuallyExclusive("cancel", "timeout")
	return cmd
}

func (p *program) failover(ctx context.Context, name string, o failoverOptions) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	ref := kube.Ref{Namespace: client.Namespace(), Name: name}
	from, err := client.Failover(ctx, ref, o.to)
	if err != nil && from != "" && o.wait && ctx.Err() != nil { // it may have been asked for before it was interrupted
		return p.giveUpFailover(ctx, client, ref, &failoverWait{err: err, from: from})
	}
	if err != nil {
		return err
	}
	if !o.wait {
		_, err = fmt.Fprintf(p.Out, "%s is asked to fail over\n", objectName(name, ""))
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	var last *v1alpha1.Valkey
	to, err := client.WaitPrimary(waiting, ref, from, func(v *v1alpha1.Valkey) { last = v })
	if err != nil {
		return p.giveUpFailover(ctx, client, ref, &failoverWait{err: err, from: from, last: last})
	}
	_, err = fmt.Fprintf(p.Out, "%s failed over from %s to %s\n", objectName(name, ""), clean.Text(from), clean.Text(to))
	return err
}

// failoverWait is a wait for a failover that has ended without one.
type failoverWait struct {
	err  error
	from string
	last *v1alpha1.Valkey // as it was seen last; nil where it was not
}

// giveUpFailover takes the request back that nobody waits for any more, and says why it came to nothing. ctx has ended where the user
// interrupts, so the request is taken back without it.
func (p *program) giveUpFailover(ctx context.Context, client *kube.Client, ref kube.Ref, w *failoverWait) error {
	if kube.IsClass(w.err, kube.ClassNotFound) {
		return w.err
	}
	fresh, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeBackTimeout)
	defer cancel()
	asked, err := client.CancelFailover(fresh, ref)
	given := w.problem(ref.Name, asked, err)
	if ctx.Err() != nil {
		line(p.ErrOut, p.errorName(), given) // of an interrupted verb no error is told
	}
	return given
}

// problem says what the failover has come to; asked is whether a request was taken back, err why that could not be.
func (w *failoverWait) problem(name string, asked bool, err error) *kube.Problem {
	given := *kube.Explain(w.err)
	moved := w.last != nil && w.last.Status.Primary != "" && w.last.Status.Primary != w.from
	switch {
	case moved:
		given.Message = fmt.Sprintf("valkey %q has failed over from %s to %s, and not everything runs again", name, clean.Text(w.from), clean.Text(w.last.Status.Primary))
	default:
		given.Message = fmt.Sprintf("valkey %q has not failed over", name)
	}
	switch given.Class {
	case kube.ClassTimeout:
		given.Message += " in time"
	case kube.ClassCancelled:
		given.Message += " when it was interrupted"
	default:
		given.Message += ": " + kube.Explain(w.err).Message
	}
	if w.last != nil {
		// The advice of the status is how to take the request back, which is done here.
		why, _, _ := strings.Cut(kube.StateWords(w.last), "; to take the request back")
		given.Message += " (" + why + ")"
	}
	switch {
	case err != nil:
		given.Hint = fmt.Sprintf("the request could not be taken back and may yet be carried out (%s); `valkeyctl failover %s --cancel` tries it again", kube.Explain(err).Message, name)
	case asked:
		given.Hint = "the request is taken back"
	default:
		given.Hint = "there is no request any more to take back: the operator has answered it"
	}
	return &given
}

// cancelFailover takes back a request that waits.
func (p *program) cancelFailover(ctx context.Context, name string) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	asked, err := client.CancelFailover(ctx, kube.Ref{Namespace: client.Namespace(), Name: name})
	if err != nil {
		return err
	}
	done := "has no request for a failover that waits"
	if asked {
		done = "is no longer asked to fail over: the request is taken back"
	}
	_, err = fmt.Fprintf(p.Out, "%s %s\n", objectName(name, ""), done)
	return err
}
