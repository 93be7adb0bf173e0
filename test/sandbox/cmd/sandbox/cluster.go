//go:build linux

package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/test/sandbox/cluster"
	"kuberly.io/valkey-operator/test/sandbox/layout"
)

func upCommand(o *options) *cobra.Command {
	var nodes int
	cmd := &cobra.Command{
		Use:     "up",
		Short:   "Bring the cluster up, or to another number of nodes",
		Args:    cobra.NoArgs,
		PreRunE: needRoot,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("nodes") && (nodes < 1 || nodes > layout.MaxNodes) {
				return fmt.Errorf("--nodes is %d: it must be from 1 to %d", nodes, layout.MaxNodes)
			}
			c, err := o.cluster()
			if err != nil {
				return err
			}
			built, err := o.build(cmd.Context(), c.Progress)
			if err != nil {
				return err
			}
			if err := c.Up(cmd.Context(), built, nodes); err != nil {
				return err
			}
			c.Progress.Say("export KUBECONFIG=%s", c.Dir.Kubeconfig())
			return nil
		},
	}
	cmd.Flags().IntVar(&nodes, "nodes", 0, fmt.Sprintf("number of nodes, 1 to %d (default as many as before, at first 1)", layout.MaxNodes))
	return cmd
}

func downCommand(o *options) *cobra.Command {
	var wipe bool
	cmd := &cobra.Command{
		Use:     "down",
		Short:   "End every process of the cluster and remove what it made",
		Args:    cobra.NoArgs,
		PreRunE: needRoot,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := o.cluster()
			if err != nil {
				return err
			}
			return c.Down(cmd.Context(), wipe)
		},
	}
	cmd.Flags().BoolVar(&wipe, "wipe", false, "forget the cluster's objects and volumes too")
	return cmd
}

func statusCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Say what runs; the exit code is 0 if all of it does",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := o.cluster()
			if err != nil {
				return err
			}
			return c.Status(cmd.Context(), cmd.OutOrStdout())
		},
	}
}

func loadCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:     "load FILE.tar...",
		Short:   "Load images into every node",
		Args:    cobra.MinimumNArgs(1),
		PreRunE: needRoot,
		RunE: func(cmd *cobra.Command, files []string) error {
			c, err := o.cluster()
			if err != nil {
				return err
			}
			for _, file := range files {
				if err := c.Load(cmd.Context(), file); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func execCommand(o *options) *cobra.Command {
	var name string
	var everything bool
	cmd := &cobra.Command{
		Use:     "exec [--node NODE] [--all] -- COMMAND...",
		Short:   "Run a command in a node's network, or in all of its namespaces",
		Args:    cobra.MinimumNArgs(1),
		PreRunE: needRoot,
		RunE: func(_ *cobra.Command, args []string) error {
			i, err := parseNode(name)
			if err != nil {
				return err
			}
			c, err := o.cluster()
			if err != nil {
				return err
			}
			return c.Exec(i, everything, args)
		},
	}
	cmd.Flags().StringVar(&name, "node", "1", "the node, by number or name")
	cmd.Flags().BoolVar(&everything, "all", false, "enter the node's processes, mounts and all else, not its network alone")
	cmd.Flags().SetInterspersed(false) // what follows the command's name is the command's
	return cmd
}

func cutCommand(o *options) *cobra.Command {
	return nodeCommand(o, "cut NODE", "Cut a node off the network, as a pulled cable does", cluster.Cluster.Cut)
}

func healCommand(o *options) *cobra.Command {
	return nodeCommand(o, "heal NODE", "Bring a node that was cut off back to the network", cluster.Cluster.Heal)
}

func nodeCommand(o *options, use, short string, do func(cluster.Cluster, int) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1), PreRunE: needRoot,
		RunE: func(_ *cobra.Command, args []string) error {
			i, err := parseNode(args[0])
			if err != nil {
				return err
			}
			c, err := o.cluster()
			if err != nil {
				return err
			}
			return do(c, i)
		},
	}
}

// parseNode takes a node's number or its name.
func parseNode(s string) (int, error) {
	i, err := strconv.Atoi(strings.TrimPrefix(s, "node"))
	if err != nil || i < 1 || i > layout.MaxNodes {
		return 0, fmt.Errorf("node %q: it must be one of 1 to %d, or node1 to %s", s, layout.MaxNodes, layout.NodeName(layout.MaxNodes))
	}
	return i, nil
}
