//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/test/sandbox/image"
	"kuberly.io/valkey-operator/test/sandbox/parts"
	"kuberly.io/valkey-operator/test/sandbox/progress"
)

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
		Use:     "build",
		Short:   "Build and install everything that a cluster needs",
		Args:    cobra.NoArgs,
		PreRunE: needRoot,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := o.build(cmd.Context(), progress.New(os.Stderr))
			return err
		},
	}
}

// build builds every part and links the programs.
func (o *options) build(ctx context.Context, p *progress.Printer) (parts.Parts, error) {
	builder, err := o.builder(p)
	if err != nil {
		return parts.Parts{}, err
	}
	built, err := builder.All(ctx)
	if err != nil {
		return parts.Parts{}, err
	}
	dir, err := o.state()
	if err != nil {
		return parts.Parts{}, err
	}
	if err := built.Assets.Link(dir.Assets()); err != nil {
		return parts.Parts{}, err
	}
	return built, built.Link(dir.Bin())
}

func packManagerCommand(o *options) *cobra.Command {
	var binary, tag, out string
	var load bool
	cmd := &cobra.Command{
		Use:   "pack-manager --binary FILE --image NAME:TAG [--out FILE] [--load]",
		Short: "Pack the manager as an image with the Dockerfile's layout",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" && !load {
				return errors.New("say where the image goes: --out FILE, --load or both")
			}
			if out == "" {
				dir, err := os.MkdirTemp("", "manager-image-")
				if err != nil {
					return err
				}
				defer func() { _ = os.RemoveAll(dir) }()
				out = filepath.Join(dir, "manager.tar")
			}
			if err := image.Manager(out, tag, binary); err != nil {
				return err
			}
			if !load {
				return nil
			}
			c, err := o.cluster()
			if err != nil {
				return err
			}
			return c.Load(cmd.Context(), out)
		},
	}
	cmd.Flags().StringVar(&binary, "binary", "", "the manager, built for Linux without cgo")
	cmd.Flags().StringVar(&tag, "image", "", "the image's name and tag")
	cmd.Flags().StringVar(&out, "out", "", "docker-archive tar to write")
	cmd.Flags().BoolVar(&load, "load", false, "load it into every node of the running sandbox")
	for _, name := range []string{"binary", "image"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is declared above
		}
	}
	return cmd
}
