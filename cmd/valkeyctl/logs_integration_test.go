//go:build integration

package main

import "testing"

func TestLogsOfNoSuchNode(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "app", "-n", namespace, "--replicas=2").expect(t, exitOK)
	for _, args := range [][]string{{"logs", "app", "--node=bogus"}, {"logs", "app", "--node=bogus", "-f"}} {
		valkeyctl(t, kubeconfig, args...).expect(t, exitRefused, `valkey "app" has no node "bogus"; it has app-node-0, app-node-1`)
	}
	valkeyctl(t, kubeconfig, "logs", "app", "--node=app-node-1").expect(t, exitOK)
}
