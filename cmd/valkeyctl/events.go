package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/printers"

	"kuberly.io/valkey-operator/tui/kube"
)

func (p *program) eventsCommand() *cobra.Command {
	var watch bool
	cmd := &cobra.Command{
		Use:   "events NAME",
		Short: "Print the events of a Valkey and of all that belongs to it",
		Long: `Print the events of a Valkey and of what belongs to it (pods, claims, Deployments, ...), the oldest first.

Kubernetes forgets events after an hour, unless the cluster is set up otherwise. With -w it goes on with those that come,
also after the cluster could not be reached for a while.`,
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
	w := &eventWriter{table: printers.GetNewTabWriter(p.Out), told: map[kube.Event]bool{}}
	if watch {
		return p.watchEvents(ctx, client, refOf(v), w)
	}
	events, err := client.Events(ctx, refOf(v))
	if err != nil {
		return err
	}
	if len(events) == 0 {
		_, err := fmt.Fprintln(p.ErrOut, "no events")
		return err
	}
	return w.write(events, time.Now())
}

// watchEvents goes on with the events that come. An outage is told and waited out, unless there was nothing before it.
func (p *program) watchEvents(ctx context.Context, client *kube.Client, ref kube.Ref, w *eventWriter) error {
	listed := false
	return client.FollowEvents(ctx, ref, func(events []kube.Event, problem *kube.Problem) error {
		switch {
		case problem != nil && !listed:
			return problem
		case problem != nil:
			line(p.ErrOut, p.errorName(), problem)
			return nil
		case !listed && len(events) == 0:
			_, _ = fmt.Fprintln(p.ErrOut, "no events yet")
		}
		listed = true
		return w.write(events, time.Now())
	})
}

// eventWriter writes events in columns that stay as wide as they were.
type eventWriter struct {
	table  flushWriter
	told   map[kube.Event]bool
	titled bool
}

// write writes the events that were not told yet, and those that have come again.
func (w *eventWriter) write(events []kube.Event, now time.Time) error {
	if !w.titled && len(events) > 0 {
		w.titled = true
		_, _ = fmt.Fprintln(w.table, "AGE\tTYPE\tREASON\tOBJECT\tMESSAGE")
	}
	for _, e := range events {
		if w.told[e] {
			continue
		}
		w.told[e] = true
		_, _ = fmt.Fprintf(w.table, "%s\t%s\t%s\t%s\t%s\n", eventAge(e, now), e.Type, e.Reason, e.Object, e.Message) // Flush tells
	}
	return w.table.Flush()
}
