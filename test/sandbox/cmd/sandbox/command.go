//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/test/sandbox/cache"
	"kuberly.io/valkey-operator/test/sandbox/cluster"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/parts"
	"kuberly.io/valkey-operator/test/sandbox/progress"
)

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	return 0
}

// options are the flags of every command.
type options struct{ dir, cache string }

func command() *cobra.Command {
	o := &options{}
	root := &cobra.Command{
		Use:   "sandbox",
		Short: "A real Kubernetes from Go modules, on this machine alone",
		Args:  cobra.NoArgs, SilenceUsage: true, SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().StringVar(&o.dir, "dir", ".sandbox", "folder of the sandbox's state")
	root.PersistentFlags().StringVar(&o.cache, "cache", "", "folder of built parts (default valkey-operator/sandbox in the user's cache folder)")
	root.AddCommand(
		assetsCommand(o), buildCommand(o), packManagerCommand(o),
		upCommand(o), downCommand(o), statusCommand(o), loadCommand(o), execCommand(o), cutCommand(o), healCommand(o),
		forwardCommand(o), nodeEnterCommand(), nodeRunCommand(),
	)
	return root
}

// needRoot is checked before anything is done: namespaces, mounts and packages are root's.
func needRoot(*cobra.Command, []string) error {
	if os.Geteuid() != 0 {
		return errors.New("this needs root: it makes namespaces, mounts and control groups")
	}
	return nil
}

func (o *options) state() (layout.Dir, error) {
	dir, err := filepath.Abs(o.dir)
	return layout.Dir(dir), err
}

func (o *options) cluster() (cluster.Cluster, error) {
	dir, err := o.state()
	return cluster.Cluster{Dir: dir, Progress: progress.New(os.Stderr)}, err
}

func (o *options) builder(p *progress.Printer) (parts.Builder, error) {
	source, err := findSource()
	if err != nil {
		return parts.Builder{}, err
	}
	dir := o.cache
	if dir == "" {
		if dir, err = cache.DefaultDir(); err != nil {
			return parts.Builder{}, err
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return parts.Builder{}, err
	}
	c, err := cache.Open(dir)
	return parts.Builder{Source: source, Cache: c, Progress: p}, err
}

// findSource returns the folder test/sandbox of the repository that the working directory is in.
func findSource() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		source := filepath.Join(dir, "test", "sandbox")
		if _, err := os.Stat(filepath.Join(source, "cmd", "hyper")); err == nil {
			return source, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("run this inside the repository: its folder test/sandbox is not found from here")
		}
		dir = parent
	}
}
