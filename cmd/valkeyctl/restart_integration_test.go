//go:build integration

package main

import (
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/output"
)

// It runs all the while, so that only other pods tell that it has restarted.
func TestRestartWaitsForOtherPods(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "app", "-n", namespace, "--replicas=2").expect(t, exitOK)
	runs := func(pods ...string) {
		status := v1alpha1.ValkeyStatus{Status: v1alpha1.PhaseRunning, ReadyReplicas: 2, ObservedGeneration: 1}
		for i, pod := range pods {
			status.Nodes = append(status.Nodes, v1alpha1.NodeStatus{Name: []string{"app-node-0", "app-node-1"}[i], Pod: pod, Ready: true})
		}
		setStatus(t, namespace, "app", status)
	}
	runs("a", "b")
	valkeyctl(t, kubeconfig, "restart", "app").expect(t, exitOK, "valkey/app is being restarted\n")
	valkeyctl(t, kubeconfig, "restart", "app", "--wait", "--timeout=3s").
		refuses(t, `valkey "app" is not there yet, and the wait has timed out: running, 2 of 2 ready`)

	var out, errOut output.Buffer
	code := make(chan int)
	go func() {
		streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
		code <- run(t.Context(), streams, "valkeyctl", []string{"--kubeconfig", kubeconfig, "restart", "app", "--wait", "-n", namespace})
	}()
	becomes(t, "it waits", func() bool { return strings.Contains(errOut.String(), "running, 2 of 2 ready") })
	runs("a", "c")
	runs("d", "c")
	if got := <-code; got != exitOK || !strings.HasSuffix(out.String(), "valkey/app running\n") {
		t.Errorf("code %d\n%s%s", got, out.String(), errOut.String())
	}
}
