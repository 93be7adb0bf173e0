package main

import (
	"context"
	"fmt"
	"time"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
)

// awaitReady waits until the Valkey is as wanted and tells each change on the way on standard error.
func (p *program) awaitReady(ctx context.Context, client *kube.Client, ref kube.Ref, timeout time.Duration) error {
	return p.await(ctx, ref.Name, timeout, func(ctx context.Context, progress func(*v1alpha1.Valkey)) error {
		return client.WaitReady(ctx, ref, progress)
	})
}

// await tells each change while it waits, and in the end how it is.
func (p *program) await(ctx context.Context, name string, timeout time.Duration, wait func(context.Context, func(*v1alpha1.Valkey)) error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	last := ""
	var final *v1alpha1.Valkey
	err := wait(ctx, func(v *v1alpha1.Valkey) {
		final = v
		if state := stateLine(v); state != last {
			last = state
			_, _ = fmt.Fprintln(p.ErrOut, state)
		}
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Out, "%s %s\n", objectName(name, ""), final.Status.Status)
	return err
}

func stateLine(v *v1alpha1.Valkey) string { return "  " + kube.StateWords(v) }
