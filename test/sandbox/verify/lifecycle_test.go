//go:build e2e

package verify

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/process"
)

func mustSandbox(t *testing.T, args ...string) string {
	t.Helper()
	out, err := sandbox(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func nodes(ctx context.Context) (string, error) {
	return tryKubectl(ctx, "get", "nodes", "-o", `jsonpath={range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Ready")].status} {end}`)
}

func TestACutNodeIsLostAndComesBack(t *testing.T) {
	mustSandbox(t, "cut", "node2")
	t.Cleanup(func() {
		if _, err := sandbox(context.Background(), "heal", "node2"); err != nil {
			t.Error(err)
		}
	})
	if _, err := sandbox(t.Context(), "status"); err == nil || !strings.Contains(err.Error(), "node2 is cut off") {
		t.Errorf("status says %v, want that node2 is cut off", err)
	}
	eventually(t, 3*time.Minute, "node2=Unknown", func() (string, error) { return nodes(t.Context()) })
	mustSandbox(t, "heal", "2")
	eventually(t, patience, "node2=True", func() (string, error) { return nodes(t.Context()) })
}

func TestExecPassesTheExitCodeAndSeesTheNode(t *testing.T) {
	_, err := sandbox(t.Context(), "exec", "--", "sh", "-c", "exit 7")
	if err == nil || !strings.Contains(err.Error(), "exit status 7") {
		t.Errorf("got %v, want exit status 7", err)
	}
	if got := mustSandbox(t, "exec", "--all", "--node", "2", "--", "sh", "-c", "hostname; cat /proc/1/comm; kubectl config view --minify -o jsonpath={.clusters[0].cluster.server}"); got != "node2\nsandbox-node2\n"+layout.APIServer() {
		t.Errorf("inside node 2: %q", got)
	}
}

func TestKilledProgramsOfANodeComeBack(t *testing.T) {
	for _, program := range []string{"kube-controller-manager", "kube-apiserver"} {
		mustSandbox(t, "exec", "--all", "--", "sh", "-c", "kill -9 $(pgrep -f ^"+program+")")
	}
	eventually(t, patience, "configured", func() (string, error) {
		return tryKubectl(t.Context(), "create", "configmap", "after-kill", "-o", "name", "--dry-run=server", "-o", "jsonpath={.metadata.name}configured")
	})
}

// TestStateOutlivesWhateverIsKilled kills what a machine's out-of-memory killer could, an up in the middle of its work, and
// takes everything down and up again.
func TestStateOutlivesWhateverIsKilled(t *testing.T) {
	kubectl(t, "create", "configmap", "kept", "--from-literal=k=v")
	kept := func() (string, error) {
		return tryKubectl(t.Context(), "get", "configmap", "kept", "-o", "jsonpath={.data.k}")
	}

	t.Run("up again says that it is up", func(t *testing.T) {
		cmd := exec.Command(binary, "--dir", dir, "up")
		cmd.Dir = repository
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "already up: 2 node(s)") {
			t.Errorf("%v: %s", err, out)
		}
	})
	t.Run("the forwarder and a node", func(t *testing.T) {
		for _, record := range []string{layout.Dir(dir).Forwarder(), layout.Dir(dir).Node(2).Record()} {
			r, err := process.Load(record)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Kill(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		mustSandbox(t, "up")
		eventually(t, patience, "v", kept)
	})
	t.Run("an up in the middle", func(t *testing.T) {
		mustSandbox(t, "down")
		up := exec.Command(binary, "--dir", dir, "up")
		up.Dir = repository
		if err := up.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, patience, "network joined", func() (string, error) {
			log, err := os.ReadFile(filepath.Join(layout.Dir(dir).Node(1).Log(), "node.log"))
			return string(log), err
		})
		if err := up.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = up.Wait() // killed
		mustSandbox(t, "up")
		eventually(t, patience, "v", kept)
	})
	t.Run("node 1, then one node less", func(t *testing.T) {
		r, err := process.Load(layout.Dir(dir).Node(1).Record())
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Kill(t.Context()); err != nil {
			t.Fatal(err)
		}
		mustSandbox(t, "up", "--nodes", "1")
		eventually(t, patience, "v", kept)
		if got, err := nodes(t.Context()); err != nil || got != "node1=True" {
			t.Errorf("nodes are %q (%v), want node1 alone", got, err)
		}
	})
	t.Run("down twice", func(t *testing.T) {
		mustSandbox(t, "down")
		mustSandbox(t, "down")
		if _, err := sandbox(t.Context(), "status"); err == nil || !strings.Contains(err.Error(), "not up") {
			t.Errorf("status says %v, want that it is not up", err)
		}
	})
}
