//go:build integration

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/test/apiserver"
)

// plugin is a PATH on which a real kubectl finds the program as its plugin, and as what completes it.
func plugin(t *testing.T) (kubectl func(args ...string) string) {
	t.Helper()
	dir := t.TempDir()
	binary := filepath.Join(dir, "kubectl-valkey")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	if err := os.Symlink(binary, filepath.Join(dir, "kubectl_complete-valkey")); err != nil {
		t.Fatal(err)
	}
	return func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl"), args...)
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "KUBECONFIG=/does/not/exist", "HOME="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Logf("kubectl %s: %v", strings.Join(args, " "), err)
		}
		return string(out)
	}
}

// case 23 (dashboard): what runs as a child takes the context and the namespace that were chosen.
func TestKubectlPlugin(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	server := apiserver.Shared(t)
	other := server.Namespace(t)
	valkeyctl(t, kubeconfig, "create", "alpha", "-n", namespace).expect(t, exitOK)
	valkeyctl(t, kubeconfig, "create", "beta", "-n", other).expect(t, exitOK)
	kubectl := plugin(t)
	for _, c := range []struct {
		want, not string
		args      []string
	}{
		{"kubectl-valkey", "warning", []string{"plugin", "list"}},
		{"kubectl valkey get", "valkeyctl get", []string{"valkey", "get", "--help"}},
		{"alpha", "beta", []string{"valkey", "get", "--kubeconfig", kubeconfig}},
		{"beta", "alpha", []string{"valkey", "get", "--kubeconfig", kubeconfig, "-n", other}},
		{"nowhere", "alpha", []string{"valkey", "get", "--kubeconfig", kubeconfig, "--context", "nowhere"}},
		{"beta", "alpha", []string{"__complete", "valkey", "describe", "--kubeconfig", kubeconfig, "-n", other, ""}},
	} {
		out := kubectl(c.args...)
		if !strings.Contains(out, c.want) || strings.Contains(out, c.not) {
			t.Errorf("kubectl %s says, in namespace %s:\n%s", strings.Join(c.args, " "), namespace, out)
		}
	}
}

func TestEvents(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "app", "-n", namespace).expect(t, exitOK)
	r := valkeyctl(t, kubeconfig, "events", "app")
	r.expect(t, exitOK)
	if r.err != "no events\n" {
		t.Errorf("without events it says %q", r.err)
	}
	valkeyctl(t, kubeconfig, "events", "none").expect(t, exitRefused, "there is no valkey")
	valkeyctl(t, kubeconfig, "port-forward", "app", "--node=app-node-7").expect(t, exitUsage, "has no node")
	valkeyctl(t, kubeconfig, "cli", "app", "--", "PING").expect(t, exitRefused, "has no server now")
	valkeyctl(t, kubeconfig, "logs", "--operator").expect(t, exitRefused, "no pod of the operator")
}
