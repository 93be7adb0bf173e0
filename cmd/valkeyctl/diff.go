package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
	"kuberly.io/valkey-operator/tui/theme"
)

const diffLong = `Show what an apply of manifests would change, and in words what that would do: which servers restart and in which order, which claims
grow or go, what is lost. Nothing is changed. The server checks the manifests, as it would at an apply.

On a terminal it is coloured (unless NO_COLOR is set). A password is never shown, only whether it changes.

Exit codes, as those of diff and kubectl diff:
  0    an apply would change nothing
  1    an apply would change something
  >1   an error`

// exitDiffers and exitDiffFailed are the exit codes of diff beside 0.
const (
	exitDiffers    = 1
	exitDiffFailed = 2
)

func (p *program) diffCommand() *cobra.Command {
	var files []string
	force := false
	cmd := &cobra.Command{
		Use:     "diff -f FILE",
		Short:   "Show what an apply of manifests would change, and what that would do",
		Long:    diffLong,
		Example: p.example("diff -f app.yaml", "diff -f - <app.yaml", "diff -f a.yaml -f b.yaml"),
		Args:    filesArgs(&files),
		RunE: func(cmd *cobra.Command, _ []string) error {
			differs, err := p.diff(cmd.Context(), files, force)
			switch {
			case err != nil:
				return &exitError{code: exitDiffFailed, err: err}
			case differs:
				return &exitError{code: exitDiffers}
			}
			return nil
		},
	}
	addFiles(cmd, &files)
	cmd.Flags().BoolVar(&force, "force-conflicts", false, "as if the apply took over fields that another program or person has set")
	return cmd
}

func (p *program) diff(ctx context.Context, files []string, force bool) (differs bool, err error) {
	client, err := p.client()
	if err != nil {
		return false, err
	}
	objects, err := p.readManifests(files, client.Namespace())
	if err != nil {
		return false, err
	}
	err = forEachManifest(objects, func(object *unstructured.Unstructured) error {
		result, err := client.Apply(ctx, object, kube.ApplyOptions{DryRun: true, Force: force})
		if err != nil {
			return err
		}
		for _, warning := range result.Warnings {
			_, _ = fmt.Fprintf(p.ErrOut, "warning: %s\n", warning)
		}
		if result.IsUnchanged() {
			return nil
		}
		differs = true
		return p.printChange(p.Out, result.Before, result.After)
	})
	return differs, err
}

// printChange prints what is different, and what that does; before is nil for a new Valkey.
func (p *program) printChange(out io.Writer, before, after *unstructured.Unstructured) error {
	lines, err := manifest.Diff(before, after)
	if err != nil {
		return err
	}
	look, err := lookOf(out)
	if err != nil {
		return err
	}
	name := clean.Text(after.GetNamespace()) + "/" + clean.Text(after.GetName())
	text := look.Render(theme.Strong, "--- "+name+" as it is") + "\n" + look.Render(theme.Strong, "+++ "+name+" as it would be") + "\n"
	for _, l := range lines {
		switch l.Op {
		case manifest.Added:
			text += look.Render(theme.OK, "+"+l.Text) + "\n"
		case manifest.Removed:
			text += look.Render(theme.Error, "-"+l.Text) + "\n"
		case manifest.Gap:
			text += look.Render(theme.Dim, "@@") + "\n"
		case manifest.Same:
			text += " " + l.Text + "\n"
		}
	}
	effects, err := effectsOf(before, after)
	if err != nil {
		return err
	}
	told, err := effectLines(out, "", effects)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text+told)
	return err
}

// lookOf is the theme for a stream: without colours where that is no terminal.
func lookOf(out io.Writer) (*theme.Theme, error) {
	if !isTerminal(out) {
		return &theme.Theme{}, nil
	}
	options, err := theme.FromEnv("", os.Getenv)
	if err != nil {
		return nil, err
	}
	return theme.New(options), nil
}
