//go:build integration

package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/dynamic"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/test/output"
)

// setStatus writes a status as the operator would.
func setStatus(t testing.TB, namespace, name string, status v1alpha1.ValkeyStatus) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		t.Fatal(err)
	}
	valkeys := dynamic.NewForConfigOrDie(apiserver.Start(t)).Resource(v1alpha1.GroupVersion.WithResource("valkeys")).Namespace(namespace)
	if _, err := valkeys.Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{}, "status"); err != nil {
		t.Fatal(err)
	}
}

// A failover that nobody waits for any more does not happen some day.
func TestFailoverThatIsGivenUpIsTakenBack(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "app", "-n", namespace, "--replicas=2").expect(t, exitOK)
	valkeyctl(t, kubeconfig, "create", "one", "-n", namespace).expect(t, exitOK)
	setStatus(t, namespace, "app", v1alpha1.ValkeyStatus{
		Status: v1alpha1.PhaseRunning, ReadyReplicas: 2, ObservedGeneration: 1, Primary: "app-node-0", Error: "no replica is in sync",
		Nodes: []v1alpha1.NodeStatus{{Name: "app-node-0"}, {Name: "app-node-1"}},
	})
	asked := func() bool {
		_, is := getValkey(t, kubeconfig, namespace, "app").Annotations[v1alpha1.AnnotationFailover]
		return is
	}

	valkeyctl(t, kubeconfig, "failover", "app", "--timeout=3s").
		expect(t, exitRefused, `valkey "app" has not failed over in time (running, 2 of 2 ready: no replica is in sync); the request is taken back`)
	if asked() {
		t.Error("the request stays after a timeout")
	}

	ctx, cancel := context.WithCancel(t.Context())
	var out, errOut output.Buffer
	code := make(chan int)
	go func() {
		streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
		code <- run(ctx, streams, "valkeyctl", []string{"--kubeconfig", kubeconfig, "failover", "app", "-n", namespace})
	}()
	becomes(t, "the request is there", asked)
	cancel()
	if got := <-code; got != exitInterrupted || !strings.Contains(errOut.String(), "the request is taken back") || asked() {
		t.Errorf("an interrupted one: code %d, it is asked for: %v\n%s", got, asked(), errOut.String())
	}

	valkeyctl(t, kubeconfig, "failover", "app", "--to=app-node-1", "--wait=false").expect(t, exitOK, "valkey/app is asked to fail over")
	if !asked() {
		t.Error("the request does not stay with --wait=false")
	}
	valkeyctl(t, kubeconfig, "failover", "app", "--cancel").expect(t, exitOK, "the request is taken back")
	if asked() {
		t.Error("the request stays after --cancel")
	}
	valkeyctl(t, kubeconfig, "failover", "app", "--cancel").expect(t, exitOK, "has no request for a failover that waits")
	valkeyctl(t, kubeconfig, "failover", "app", "--cancel", "--to=app-node-1").expect(t, exitUsage, "cancel", "to")
	valkeyctl(t, kubeconfig, "failover", "one").expect(t, exitRefused, "wants 1 server: there is nobody to fail over to")
}
