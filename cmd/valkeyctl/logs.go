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
	follow, previous, timestamps, prefix, prefixSet, operator bool
	since                                                     time.Duration
	tail                                                      int64
	nodes                                                     []string
}

func (p *program) logsCommand() *cobra.Command {
	var o logsOptions
	cmd := &cobra.Command{
		Use:   "logs {NAME | --operator}",
		Short: "Print the logs of all servers of a Valkey, or of the operator",
		Long: `Print the logs of all servers of a Valkey, merged by time; with --operator those of the operator itself.

With -f it goes on: with new servers, with a container that has restarted, and after an outage, without losing or doubling a line.
Control characters are taken out; colours stay on a terminal.`,
		Example: p.example("logs app", "logs app -f --tail=20", "logs app --node=app-node-0 --previous", "logs app --since=15m --timestamps", "logs --operator -f"),
		Args: func(cmd *cobra.Command, args []string) error {
			if o.operator {
				return noArgs(cmd, args)
			}
			return oneName(cmd, args)
		},
		ValidArgsFunction: p.completeNames(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.prefixSet = cmd.Flags().Changed("prefix")
			return p.logs(cmd.Context(), args, o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&o.follow, "follow", "f", false, "go on with what is logged from now on")
	flags.BoolVarP(&o.previous, "previous", "p", false, "the containers before the last restart; with -f those that run after them")
	flags.DurationVar(&o.since, "since", 0, "only what is younger than this, e.g. 10m")
	flags.Int64Var(&o.tail, "tail", -1, "at most so many old lines of each server; -1 for all")
	flags.StringSliceVar(&o.nodes, "node", nil, "only this server, e.g. app-node-0; several with commas")
	flags.BoolVar(&o.operator, "operator", false, "the log of the operator, not of a Valkey")
	flags.BoolVar(&o.timestamps, "timestamps", false, "begin each line with its time")
	flags.BoolVar(&o.prefix, "prefix", false, "begin each line with its server; so by default where there are several")
	mustComplete(cmd, "node", p.completeNodes)
	return cmd
}

func (p *program) logs(ctx context.Context, names []string, o logsOptions) error {
	if o.since < 0 {
		return kube.Usage("--since is below zero", "")
	}
	if o.tail < -1 {
		return kube.Usage(fmt.Sprintf("--tail=%d is no number of lines", o.tail), "0 or more, or -1 for all")
	}
	client, err := p.client()
	if err != nil {
		return err
	}
	stream, servers, err := openLogs(ctx, client, names, o)
	if err != nil {
		return err
	}
	defer stream.Close()
	if !o.prefixSet {
		o.prefix = len(o.nodes) != 1 && servers > 1
	}
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

// openLogs opens the log that is asked for. It says also how many servers are expected to speak in it.
func openLogs(ctx context.Context, client *kube.Client, names []string, o logsOptions) (stream *kube.LogStream, servers int, err error) {
	options := kube.LogOptions{Follow: o.follow, Previous: o.previous, Since: o.since, Tail: o.tail, Nodes: o.nodes, Lossless: true}
	if o.operator {
		const several = 2
		stream, err = client.OperatorLogs(ctx, options)
		return stream, several, err
	}
	v, err := client.Get(ctx, client.Namespace(), names[0])
	if err != nil {
		return nil, 0, err
	}
	if len(o.nodes) > 0 {
		if err := client.CheckNodes(ctx, v, o.nodes); err != nil {
			return nil, 0, err
		}
	}
	return client.Logs(ctx, refOf(v), options), v.WantedReplicas(), nil
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
