package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/test/sandbox/cache"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/parts"
	"kuberly.io/valkey-operator/test/sandbox/progress"
)

// options are the flags of every command.
type options struct{ dir, cache string }

func command() *cobra.Command {
	o := &options{}
	root := &cobra.Command{
		Use:   "sandbox",
		Short: "A real Kubernetes from Go modules, on this machine alone",
		Args:  cobra.NoArgs, SilenceUsage: true, SilenceErrors: true,
	}
	root.PersistentFlags().StringVar(&o.dir, "dir", ".sandbox", "folder of the sandbox's state")
	root.PersistentFlags().StringVar(&o.cache, "cache", "", "folder of built parts (default valkey-operator/sandbox in the user's cache folder)")
	root.AddCommand(assetsCommand(o), buildCommand(o))
	return root
}

func assetsCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "assets",
		Short: "Build what tests without a cluster need, and print the folder that holds it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			builder, err := o.builder(progress.New(os.Stderr))
			if err != nil {
				return err
			}
			assets, err := builder.Assets(cmd.Context())
			if err != nil {
				return err
			}
			dir, err := o.state()
			if err != nil {
				return err
			}
			if err := assets.Link(dir.Assets()); err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), dir.Assets())
			return err
		},
	}
}

func buildCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "build",
		Short: "Build and install everything that a cluster needs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			builder, err := o.builder(progress.New(os.Stderr))
			if err != nil {
				return err
			}
			built, err := builder.All(cmd.Context())
			if err != nil {
				return err
			}
			dir, err := o.state()
			if err != nil {
				return err
			}
			return built.Link(dir.Bin())
		},
	}
}

func (o *options) state() (layout.Dir, error) {
	dir, err := filepath.Abs(o.dir)
	return layout.Dir(dir), err
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
