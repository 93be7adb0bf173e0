//go:build integration

package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// get -w prints the list, then each change in columns of the same width, and ends when it is interrupted.
func TestGetWatch(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "app", "-n", namespace).expect(t, exitOK)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	in, out := io.Pipe()
	code := make(chan int, 1)
	go func() {
		streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: out, ErrOut: io.Discard}
		code <- run(ctx, streams, "valkeyctl", []string{"--kubeconfig", kubeconfig, "get", "-w"})
		_ = out.Close()
	}()
	lines := bufio.NewScanner(in)
	next := func() string {
		if !lines.Scan() {
			t.Fatalf("the output has ended: %v", lines.Err())
		}
		return lines.Text()
	}
	header, first := next(), next()
	column := strings.Index(header, "REPLICAS")
	if !strings.HasPrefix(header, "NAME") || !strings.HasPrefix(first, "app ") || first[column] != '1' {
		t.Fatalf("table:\n%s\n%s", header, first)
	}
	valkeyctl(t, kubeconfig, "scale", "app", "--replicas=4").expect(t, exitOK)
	if scaled := next(); !strings.HasPrefix(scaled, "app ") || scaled[column] != '4' {
		t.Errorf("the scale:\n%s\n%s", header, scaled)
	}
	valkeyctl(t, kubeconfig, "delete", "app", "--yes").expect(t, exitOK)
	if gone := next(); !strings.HasPrefix(gone, "app ") {
		t.Errorf("the deletion: %s", gone)
	}
	cancel()
	go func() { _, _ = io.Copy(io.Discard, in) }() // a write may be under way
	if got := <-code; got != exitInterrupted {
		t.Errorf("exit code %d, want %d", got, exitInterrupted)
	}
}
