package main

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker; a build without it knows its module's version.
var version = ""

func (p *program) versionCommand() *cobra.Command {
	var clientOnly bool
	var output string
	cmd := &cobra.Command{
		Use: "version", Short: "Print the versions of this program and of the cluster", Args: noArgs,
		Example: p.example("version", "version --client -o json"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.version(cmd.Context(), clientOnly, output) },
	}
	cmd.Flags().BoolVar(&clientOnly, "client", false, "do not ask the cluster")
	addOutput(cmd, &output, "json", "yaml")
	return cmd
}

func (p *program) version(ctx context.Context, clientOnly bool, output string) error {
	versions := map[string]any{"client": clientVersion()}
	var failed error
	if !clientOnly {
		client, err := p.client()
		if err == nil {
			versions["cluster"], err = client.ServerVersion(ctx)
		}
		if err != nil {
			delete(versions, "cluster")
			failed = err
		}
	}
	if output != "" {
		if err := p.printData(versions, output); err != nil {
			return err
		}
		return failed
	}
	if _, err := fmt.Fprintf(p.Out, "valkeyctl %s\n", versions["client"]); err != nil {
		return err
	}
	if cluster, ok := versions["cluster"]; ok {
		if _, err := fmt.Fprintf(p.Out, "cluster   %s\n", cluster); err != nil {
			return err
		}
	}
	return failed
}

func clientVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
