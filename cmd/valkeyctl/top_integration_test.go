//go:build integration

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// Without a server to ask it tells what the cluster knows, and that it could not ask.
func TestTopWithoutServers(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "-n", namespace, "--name", "app", "--replicas", "2").expect(t, exitOK)
	r := valkeyctl(t, kubeconfig, "top", "-n", namespace)
	const silent = "/app: cannot be asked: app-node-0 (no pod), app-node-1 (no pod)"
	r.expect(t, exitRefused, namespace+silent)
	if line := strings.Fields(r.out[strings.Index(r.out, "\n")+1:]); len(line) != 8 || line[0] != "app" || line[2] != "0/2" || line[3] != "-" {
		t.Errorf("the line is %q", line)
	}
	r = valkeyctl(t, kubeconfig, "top", "-n", namespace, "-o", "json")
	r.expect(t, exitRefused, namespace+silent)
	var lines []map[string]any
	if err := json.Unmarshal([]byte(r.out), &lines); err != nil || len(lines) != 1 || lines[0]["name"] != "app" || lines[0]["asked"] != false {
		t.Errorf("%v in:\n%s", err, r.out)
	}
	valkeyctl(t, kubeconfig, "scale", "app", "--replicas=0", "-n", namespace).expect(t, exitOK)
	valkeyctl(t, kubeconfig, "top", "-n", namespace).expect(t, exitOK, "app", "0/0")
	valkeyctl(t, kubeconfig, "top", "nope", "-n", namespace).expect(t, exitRefused, `there is no valkey "nope"`)
	valkeyctl(t, kubeconfig, "top", "app", "-A").expect(t, exitUsage, "--all-namespaces")
}
