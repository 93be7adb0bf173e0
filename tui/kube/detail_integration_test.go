//go:build integration

package kube_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

// awaitDetail takes details until one is as wanted.
func awaitDetail(t testing.TB, stream *kube.DetailStream, what string, wanted func(kube.Detail) bool) kube.Detail {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var last kube.Detail
	for {
		d, err := stream.Next(ctx)
		if err != nil {
			t.Fatalf("wait until %s: %v; last %+v", what, err, last)
		}
		if last = d; wanted(d) {
			return d
		}
	}
}

func TestDetailFollowsAValkey(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	v := create(t, client, namespace, "app")
	before := goleak.IgnoreCurrent()
	stream := client.Detail(t.Context(), kube.Ref{Namespace: namespace, Name: "app", UID: v.UID})
	d := awaitDetail(t, stream, "the object is there", func(d kube.Detail) bool { return d.Valkey != nil })
	if strings.Contains(d.YAML, "secret") || *d.Valkey.Spec.Password == "secret" || strings.Contains(d.YAML, "managedFields") {
		t.Errorf("the YAML tells the password or managedFields:\n%s", d.YAML)
	}

	core, err := kubernetes.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "app-node-0-x", Labels: v.PodLabels()},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "valkey", Image: "valkey"}}},
	}
	pod.Labels[v1alpha1.LabelNode], pod.Labels[v1alpha1.LabelRole] = "0", "primary"
	if _, err := core.CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	d = awaitDetail(t, stream, "the pod is there", func(d kube.Detail) bool { return len(d.Nodes) == 1 })
	if n := d.Nodes[0]; n.Name != "app-node-0" || n.Role != v1alpha1.RolePrimary || n.State != "Pending" {
		t.Errorf("the node is %+v", n)
	}

	const evil = "evil \x1b]0;pwned\x07\x1b[2J\u202e end"
	for name, object := range map[string]corev1.ObjectReference{
		"own":   {Kind: "Valkey", Namespace: namespace, Name: "app", UID: v.UID},
		"child": {Kind: "Pod", Namespace: namespace, Name: "app-node-0-x"},
		"other": {Kind: "Pod", Namespace: namespace, Name: "apple"},
	} {
		event := &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, InvolvedObject: object, Message: evil, Reason: "Tested",
			LastTimestamp: metav1.NewTime(time.Now()),
		}
		if _, err := core.CoreV1().Events(namespace).Create(t.Context(), event, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	status, err := json.Marshal(map[string]any{"status": map[string]any{"status": "failed", "error": evil, "ready_replicas": 0}})
	if err != nil {
		t.Fatal(err)
	}
	valkeys, err := dynamic.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	_, err = valkeys.Resource(v1alpha1.GroupVersion.WithResource("valkeys")).Namespace(namespace).
		Patch(t.Context(), "app", types.MergePatchType, status, metav1.PatchOptions{}, "status")
	if err != nil {
		t.Fatal(err)
	}
	d = awaitDetail(t, stream, "status and events are there", func(d kube.Detail) bool {
		return d.Valkey.Status.Status == v1alpha1.PhaseFailed && len(d.Events) == 2
	})
	if strings.ContainsAny(d.Valkey.Status.Error+d.Events[0].Message+d.YAML, "\x1b\x07\u202e") {
		t.Errorf("not cleaned: %q, %q", d.Valkey.Status.Error, d.Events[0].Message)
	}

	if err := client.Delete(t.Context(), kube.Ref{Namespace: namespace, Name: "app"}, kube.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	awaitDetail(t, stream, "it is gone", func(d kube.Detail) bool { return d.Gone && d.Valkey != nil })
	// Another one of its name is not taken for it.
	create(t, client, namespace, "app")
	stream.Close()
	goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"),
		goleak.IgnoreAnyFunction("golang.org/x/net/http2.(*clientConnReadLoop).run"), goleak.IgnoreAnyFunction("net/http.(*http2clientConnReadLoop).run"))
}
