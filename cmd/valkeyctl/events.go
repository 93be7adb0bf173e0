package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/kube"
)

// eventsGap is how often events are asked for with --watch. Kubernetes repeats an event by counting it up, which a list tells best.
const eventsGap = 2 * time.Second

func (p *program) eventsCommand() *cobra.Command {
	var watch bool
	cmd := &cobra.Command{
		Use:   "events NAME",
		Short: "Print the events of a Valkey and of all that belongs to it",
		Long: `Print the events of a Valkey and of what belongs to it (pods, claims, Deployments, ...), the oldest first.

Kubernetes forgets events after an hour, unless the cluster is set up otherwise. With -w it goes on with those that come.`,
		Example:           p.example("events app", "events app -w"),
		Args:              oneName,
		ValidArgsFunction: p.completeNames(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.events(cmd.Context(), args[0], watch)
		},
	}
	cmd.Flags().BoolVarP(&watch, "watch", "w", false, "go on with the events that come, until ctrl-c")
	return cmd
}

func (p *program) events(ctx context.Context, name string, watch bool) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	v, err := client.Get(ctx, client.Namespace(), name)
	if err != nil {
		return err
	}
	ticker := time.NewTicker(eventsGap)
	defer ticker.Stop()
	told := map[kube.Event]bool{}
	for first := true; ; first = false {
		events, err := client.Events(ctx, refOf(v))
		if err != nil {
			return err
		}
		if first && len(events) == 0 {
			if _, err := fmt.Fprintln(p.ErrOut, "no events"); err != nil {
				return err
			}
		}
		if err := writeNewEvents(p.Out, events, told, first, time.Now()); err != nil || !watch {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

// writeNewEvents writes the events that were not told yet, and those that have come again.
func writeNewEvents(out io.Writer, events []kube.Event, told map[kube.Event]bool, title bool, now time.Time) error {
	const gap = 2
	w := tabwriter.NewWriter(out, 0, 8, gap, ' ', 0)
	if title && len(events) > 0 {
		_, _ = fmt.Fprintln(w, "AGE\tTYPE\tREASON\tOBJECT\tMESSAGE")
	}
	for _, e := range events {
		if told[e] {
			continue
		}
		told[e] = true
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", eventAge(e, now), e.Type, e.Reason, e.Object, e.Message)
	}
	return w.Flush()
}
