package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/kube"
)

type logsOptions struct {
	follow, previous, timestamps, prefix, prefixSet bool
	since                                           time.Duration
	tail                                            int64
	node                                            string
}

func (p *program) logsCommand() *cobra.Command {
	var o logsOptions
	cmd := &cobra.Command{
		Use:   "logs NAME",
		Short: "Print the logs of all servers of a Valkey",
		Long: `Print the logs of all servers of a Valkey, merged by time.

With -f it goes on: with new servers, with a container that has restarted, and after an outage, without losing or doubling a line.
Control characters are taken out; colours stay on a terminal.`,
		Example:           p.example("logs app", "logs app -f --tail=20", "logs app --node=app-node-0 --previous"),
		Args:              oneName,
		ValidArgsFunction: p.completeNames(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.prefixSet = cmd.Flags().Changed("prefix")
			return p.logs(cmd.Context(), args[0], o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&o.follow, "follow", "f", false, "go on with what is logged from now on")
	flags.BoolVarP(&o.previous, "previous", "p", false, "the container before the last restart")
	flags.DurationVar(&o.since, "since", 0, "only what is younger than this, e.g. 10m")
	flags.Int64Var(&o.tail, "tail", -1, "at most so many old lines of each server; -1 for all")
	flags.StringVar(&o.node, "node", "", "only this server, e.g. app-node-0")
	flags.BoolVar(&o.timestamps, "timestamps", false, "begin each line with its time")
	flags.BoolVar(&o.prefix, "prefix", false, "begin each line with its server; so by default where there are several")
	return cmd
}

func (p *program) logs(ctx context.Context, name string, o logsOptions) error {
	if o.since < 0 {
		return kube.Usage("--since is below zero", "")
	}
	client, err := p.client()
	if err != nil {
		return err
	}
	v, err := client.Get(ctx, client.Namespace(), name)
	if err != nil {
		return err
	}
	if !o.prefixSet {
		o.prefix = o.node == "" && v.WantedReplicas() > 1
	}
	stream := client.Logs(ctx, refOf(v), kube.LogOptions{
		Follow: o.follow, Previous: o.previous, Since: o.since, Tail: o.tail, Node: o.node, Lossless: true,
	})
	defer stream.Close()
	out := bufio.NewWriter(p.Out)
	colours := isTerminal(p.Out) && os.Getenv("NO_COLOR") == ""
	for {
		lines, err := stream.Next(ctx)
		for i := range lines {
			if err := p.printLine(out, &lines[i], o, colours); err != nil {
				return err
			}
		}
		if flushErr := out.Flush(); flushErr != nil {
			return flushErr
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// printLine writes lines of a log to standard output, and what the stream has to say itself to standard error.
func (p *program) printLine(out *bufio.Writer, l *kube.Line, o logsOptions, colours bool) error {
	if l.Kind != kube.LineLog {
		text := l.Text
		if l.Kind == kube.LineDropped {
			text = fmt.Sprintf("%d lines dropped", l.Dropped)
		}
		if l.Node != "" {
			text = l.Node + ": " + text
		}
		_, err := fmt.Fprintf(p.ErrOut, "%s: %s\n", p.errorName(), text)
		return err
	}
	text := l.Text
	if !colours {
		text = ansi.Strip(text)
	}
	if o.prefix {
		text = "[" + l.Node + "] " + text
	}
	if o.timestamps {
		text = l.Time.UTC().Format(time.RFC3339Nano) + " " + text
	}
	_, err := out.WriteString(text + "\n")
	return err
}
