//go:build e2e

package verify

import (
	"context"
	_ "embed"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

//go:embed testdata/workload.yaml
var workload string

const patience = time.Minute

// deploy makes a namespace of its own with one Valkey in it that has a claim and a Service.
func deploy(t *testing.T, namespace string) {
	t.Helper()
	kubectl(t, "create", "namespace", namespace)
	t.Cleanup(func() {
		if _, err := tryKubectl(context.Background(), "delete", "namespace", namespace, "--wait=true", "--timeout=90s"); err != nil {
			t.Error(err)
		}
	})
	manifest := filepath.Join(t.TempDir(), "workload.yaml")
	if err := os.WriteFile(manifest, []byte(workload), 0o600); err != nil {
		t.Fatal(err)
	}
	kubectl(t, "-n", namespace, "apply", "-f", manifest)
	kubectl(t, "-n", namespace, "rollout", "status", "deploy/valkey", "--timeout=90s")
}

func TestWorkload(t *testing.T) {
	const ns = "workload"
	deploy(t, ns)
	in := func(args ...string) func() (string, error) {
		return func() (string, error) { return tryKubectl(t.Context(), append([]string{"-n", ns}, args...)...) }
	}
	inPod := func(args ...string) func() (string, error) {
		return in(append([]string{"exec", "deploy/valkey", "--"}, args...)...)
	}
	ip := kubectl(t, "-n", ns, "get", "svc", "valkey", "-o", "jsonpath={.spec.clusterIP}")
	fromNode := func(node string, args ...string) func() (string, error) {
		return func() (string, error) {
			return sandbox(t.Context(), append([]string{"exec", "--node", node, "--", "valkey-cli", "-h", ip}, args...)...)
		}
	}

	for _, c := range []struct {
		what, want string
		ask        func() (string, error)
	}{
		{"the claim is bound", "Bound", in("get", "pvc", "data", "-o", "jsonpath={.status.phase}")},
		{"a Service answers a node by its address", "OK", fromNode("1", "set", "k", "v")},
		{"a Service answers the other node", "v", fromNode("2", "get", "k")},
		{"a pod finds a Service by name", "v", inPod("valkey-cli", "-h", "valkey."+ns+".svc.cluster.local", "get", "k")},
		{"a pod reaches the API server", `"major": "1"`, inPod("wget", "-qO-", "--no-check-certificate", "https://kubernetes.default.svc/version")},
		{"a pod runs as the user valkey", "uid=999(valkey)", inPod("id")},
		{"a pod has its memory limit", "134217728", inPod("sh", "-c", "cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null || cat /sys/fs/cgroup/memory.max")},
		{"a pod has flock", "util-linux", inPod("flock", "--version")},
		{"logs are followed", "Background saving started", func() (string, error) {
			if _, err := inPod("valkey-cli", "bgsave")(); err != nil {
				return "", err
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			out, _ := tryKubectl(ctx, "-n", ns, "logs", "-f", "deploy/valkey") // ended by the context
			return out, nil
		}},
	} {
		t.Run(c.what, func(t *testing.T) { eventually(t, patience, c.want, c.ask) })
	}
	t.Run("a port is forwarded from the host", func(t *testing.T) { testPortForward(t, ns) })
	t.Run("data outlives the pod", func(t *testing.T) {
		old := kubectl(t, "-n", ns, "get", "pod", "-l", "app=valkey", "-o", "name")
		kubectl(t, "-n", ns, "delete", old, "--wait=true")
		kubectl(t, "-n", ns, "rollout", "status", "deploy/valkey", "--timeout=90s")
		if now := kubectl(t, "-n", ns, "get", "pod", "-l", "app=valkey", "-o", "name"); now == old {
			t.Fatalf("%s is still there", old)
		}
		eventually(t, patience, "v", fromNode("1", "get", "k"))
	})
	t.Run("a failing probe restarts the container", func(t *testing.T) {
		if _, err := inPod("touch", "/data/sick")(); err != nil {
			t.Fatal(err)
		}
		eventually(t, patience, "1", in("get", "pod", "-l", "app=valkey", "-o", "jsonpath={.items[0].status.containerStatuses[0].restartCount}"))
		eventually(t, patience, "v", fromNode("1", "get", "k"))
	})
	t.Run("a claim grows", func(t *testing.T) {
		kubectl(t, "-n", ns, "patch", "pvc", "data", "-p", `{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}`)
		eventually(t, patience, "2Gi", in("get", "pvc", "data", "-o", "jsonpath={.status.capacity.storage}"))
	})
	t.Run("a claim of the class fixed does not", func(t *testing.T) {
		eventually(t, patience, "Bound", in("get", "pvc", "fixed", "-o", "jsonpath={.status.phase}"))
		_, err := in("patch", "pvc", "fixed", "-p", `{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}`)()
		if err == nil || !strings.Contains(err.Error(), "must support resize") {
			t.Fatalf("got %v, want the API server's refusal", err)
		}
	})
}

// testPortForward uses the kubeconfig from the host, as the dashboard does.
func testPortForward(t *testing.T, ns string) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "bin", "kubectl"), "-n", ns, "port-forward", "svc/valkey", port+":6379")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(dir, "kubeconfig"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	eventually(t, patience, "v", func() (string, error) {
		return output(t.Context(), filepath.Join(dir, "bin", "valkey-cli"), "-h", "127.0.0.1", "-p", port, "get", "k")
	})
}

func TestEveryValkeyTagIsThere(t *testing.T) {
	for tag, version := range map[string]string{"9.1": "9.1.", "latest": "9.", "8.1": "8.1."} {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			name := "version-" + strings.ReplaceAll(tag, ".", "-")
			kubectl(t, "run", name, "--image=valkey/valkey:"+tag, "--image-pull-policy=Never", "--restart=Never", "--", "--version")
			t.Cleanup(func() {
				if _, err := tryKubectl(context.Background(), "delete", "pod", name, "--now"); err != nil {
					t.Error(err)
				}
			})
			eventually(t, patience, "v="+version, func() (string, error) { return tryKubectl(t.Context(), "logs", name) })
		})
	}
}
