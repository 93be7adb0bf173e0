package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/kube"
)

type portForwardOptions struct{ node, address string }

func (p *program) portForwardCommand() *cobra.Command {
	var o portForwardOptions
	cmd := &cobra.Command{
		Use:   "port-forward NAME [[LOCAL]:[PORT]]",
		Short: "Lead a port of this machine to the primary of a Valkey",
		Long: `Lead a port of this machine to the primary of a Valkey, or to one server, through the API server.

It goes on until ctrl-c. After a failover it leads to the new primary, and after a restart to the new pod: connections to the old one are closed,
so that clients connect again.

Without LOCAL it is the port of Valkey, or where that is taken a free one; with ":" alone a free one. PORT is a port of the server.`,
		Example:           p.example("port-forward app", "port-forward app 7000", "port-forward app :", "port-forward app 7001: --node=app-node-1"),
		Args:              portForwardArgs,
		ValidArgsFunction: p.completeNames(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.portForward(cmd.Context(), args, o)
		},
	}
	cmd.Flags().StringVar(&o.node, "node", "", "lead to this server, e.g. app-node-1; to the primary by default")
	cmd.Flags().StringVar(&o.address, "address", "", "the address to listen at; 127.0.0.1 by default, which this machine alone reaches")
	mustComplete(cmd, "node", p.completeNodes)
	return cmd
}

func portForwardArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 2 {
		return kube.Usage("one Valkey and one pair of ports at a time", seeHelp(cmd))
	}
	return nameArgs(1)(cmd, args[:min(len(args), 1)])
}

// ports reads LOCAL:PORT. LOCAL alone, :PORT, LOCAL: and : are fine too.
func ports(text string) (local, port int, err error) {
	const highest = 65535
	number := func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > highest {
			return 0, kube.Usage(fmt.Sprintf("%q is no port", s), "want 1 to 65535, as in 7000:6379")
		}
		return n, nil
	}
	before, after, both := strings.Cut(text, ":")
	local = -1
	if before != "" {
		if local, err = number(before); err != nil {
			return 0, 0, err
		}
	} else if !both {
		return 0, 0, kube.Usage(`"" is no port`, "want 1 to 65535, as in 7000:6379")
	}
	if after != "" {
		port, err = number(after)
	}
	return local, port, err
}

func (p *program) portForward(ctx context.Context, args []string, o portForwardOptions) error {
	options := kube.ForwardOptions{Node: o.node, Address: o.address}
	var err error
	if len(args) > 1 {
		if options.Local, options.Port, err = ports(args[1]); err != nil {
			return err
		}
	}
	client, err := p.client()
	if err != nil {
		return err
	}
	v, err := client.Get(ctx, client.Namespace(), args[0])
	if err != nil {
		return err
	}
	if err := hasNode(ctx, client, refOf(v), o.node); err != nil {
		return err
	}
	forward, err := client.Forward(ctx, refOf(v), options)
	if err != nil {
		return err
	}
	defer forward.Close()
	status := forward.Status()
	if _, err := fmt.Fprintf(p.Out, "Forwarding from %s\n%s\n", status.Local, kube.OpenURI(v.Spec.User, status.Local)); err != nil {
		return err
	}
	said, problem := "", ""
	for {
		status, err := forward.Next(ctx)
		switch {
		case errors.Is(err, kube.ErrClosed) && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		}
		if status.Said != said {
			said = status.Said
			_, _ = fmt.Fprintln(p.ErrOut, said)
		}
		if status.Problem != problem {
			problem = status.Problem
			_, _ = fmt.Fprintf(p.ErrOut, "%s: %s\n", p.errorName(), problem)
		}
	}
}

// hasNode refuses a node that there is not, before anything waits for it.
func hasNode(ctx context.Context, client *kube.Client, ref kube.Ref, node string) error {
	if node == "" {
		return nil
	}
	servers, err := client.Servers(ctx, ref)
	if err != nil {
		return err
	}
	names := make([]string, len(servers))
	for i, s := range servers {
		if names[i] = s.Name; s.Name == node {
			return nil
		}
	}
	return kube.Usage(fmt.Sprintf("valkey %q has no node %q", ref.Name, node), "it has "+strings.Join(names, ", "))
}
