// Command valkeyctl shows and changes the Valkeys of a cluster: with no argument as a dashboard, with a verb for scripts. Installed
// under the name kubectl-valkey it is `kubectl valkey`.
//
// It owns flags, output formats and exit codes, one file for each verb. What a verb does is in tui/kube, what the dashboard does in tui.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	code := run(ctx, streams, os.Args[0], os.Args[1:])
	stop()
	os.Exit(code)
}
