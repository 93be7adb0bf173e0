//go:build linux

package main

import (
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/test/sandbox/cluster"
	"kuberly.io/valkey-operator/test/sandbox/node"
)

// The commands in this file are no person's: the program starts itself with them.

func forwardCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use: cluster.ForwardCommand, Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := o.cluster()
			if err != nil {
				return err
			}
			return c.Forward(cmd.Context())
		},
	}
}

// From the start on, the main goroutine keeps the main thread, which node.Enter asks for.
func init() { runtime.LockOSThread() }

func nodeEnterCommand() *cobra.Command {
	return &cobra.Command{
		Use: node.EnterCommand, Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := node.Load(args[0])
			if err != nil {
				return err
			}
			return node.Enter(c)
		},
	}
}

func nodeRunCommand() *cobra.Command {
	return &cobra.Command{
		Use: node.RunCommand, Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := node.Load(args[0])
			if err != nil {
				return err
			}
			return node.Run(cmd.Context(), c, os.Stdout)
		},
	}
}
