//go:build integration

package tui

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

// onCluster is the dashboard on a real API server, in a namespace of its own.
func onCluster(t *testing.T, width, height int, env ...string) (p *program, client *kube.Client, namespace string) {
	t.Helper()
	server := apiserver.Shared(t)
	namespace = server.Namespace(t)
	client, err := kube.NewForConfig(server.Config(), namespace)
	if err != nil {
		t.Fatal(err)
	}
	env = append(env, "KUBECONFIG="+apiserver.Kubeconfig(t, server.Config(), namespace))
	p = startScene(t, "cluster", width, height, env...)
	p.sees("There is no Valkey in the namespace " + namespace)
	return p, client, namespace
}

// patchStatus does what an operator would.
func patchStatus(t *testing.T, namespace, name string, status map[string]any) {
	t.Helper()
	client, err := dynamic.NewForConfig(apiserver.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Resource(v1alpha1.GroupVersion.WithResource("valkeys")).Namespace(namespace).
		Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	if err != nil {
		t.Fatalf("patch the status: %v", err)
	}
}

func TestDashboardOnARealAPIServer(t *testing.T) {
	p, _, namespace := onCluster(t, 140, 40)
	p.types("c")
	p.sees("Create a Valkey")
	p.types("app\x13") // ctrl-s
	p.sees("starts 1 server, alone")
	p.types("\r")
	p.sees(namespace + "/app is created; its password is in the Secret")
	p.sees("▌  app")
	p.types("c")
	p.sees("Create a Valkey")
	p.types("app\x13")
	p.until("the server's refusal stands beside the name", func() bool {
		return strings.Contains(p.plain(), "not created") && strings.Contains(p.plain(), "exist")
	})
	p.types("\x1b")
	p.sees("1 Valkey")
	patchStatus(t, namespace, "app", map[string]any{"status": "running", "ready_replicas": 1})
	p.sees("● running")
	p.types("s3\r")
	p.sees("1 → 3 servers")
	p.until("the row has 3 servers", func() bool { return regexp.MustCompile(`512Mi +3 +1`).MatchString(p.plain()) })
	p.types(ctrlD)
	p.sees("Type app to delete")
	p.types("app\r")
	p.sees("its deletion has begun")
	p.sees("There is no Valkey in the namespace " + namespace)
	p.types("q")
	if code := p.exits(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.checkRestored()
}

// case 2 (dashboard), on a real API server: the object is replaced while its name is being typed.
func TestDeleteHitsNoOtherOnARealAPIServer(t *testing.T) {
	p, client, namespace := onCluster(t, 120, 30)
	made := newValkey(namespace, "app")
	create := func() *v1alpha1.Valkey {
		result, err := client.Create(t.Context(), kube.CreateOptions{Valkey: made.DeepCopy()})
		if err != nil {
			t.Fatal(err)
		}
		return result.Valkey
	}
	first := create()
	p.sees("▌  app")
	p.types(ctrlD)
	p.sees("Type app to delete")
	p.types("app")
	if err := client.Delete(t.Context(), kube.Ref{Namespace: namespace, Name: "app", UID: first.UID}, kube.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	second := create()
	p.sees("It is gone. What has its name now is another one.")
	p.types("\r")
	p.sees("it is gone already")
	left, err := client.Get(t.Context(), namespace, "app")
	if err != nil || left.UID != second.UID || left.DeletionTimestamp != nil {
		t.Errorf("the new object of that name: %v, %v; want it untouched", left, err)
	}
}

// case 12 (dashboard): text from the cluster cannot drive the terminal.
func TestTextFromTheClusterDrivesNothing(t *testing.T) {
	p, client, namespace := onCluster(t, 120, 30)
	if _, err := client.Create(t.Context(), kube.CreateOptions{Valkey: newValkey(namespace, "app")}); err != nil {
		t.Fatal(err)
	}
	p.sees("▌  app")
	evil := "evil \x1b]0;pwned\x07\x1b[2J\x1b[H\r\n\u009b31mred\u202e drow \x1b[?1049l end-of-evil"
	patchStatus(t, namespace, "app", map[string]any{"status": "failed", "ready_replicas": 0, "error": evil})
	p.sees("end-of-evil")
	p.sees("✗ failed")
	p.until("the screen is whole", p.isWhole)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.title != "" || !p.alt {
		t.Errorf("the title is %q, the other screen %v", p.title, p.alt)
	}
	if strings.ContainsAny(p.raw.String(), "\u009b\u202e") {
		t.Error("a control character of the text reached the terminal")
	}
}

func newValkey(namespace, name string) *v1alpha1.Valkey {
	password := "secret"
	return &v1alpha1.Valkey{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: v1alpha1.ValkeySpec{
			Image: "valkey/valkey:9.1", User: "root", Password: &password,
			Resource: v1alpha1.ResourceSpec{CPU: "100m", Memory: "64Mi"},
		},
	}
}
