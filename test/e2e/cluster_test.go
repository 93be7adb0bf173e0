//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator"
)

// patience is how long anything may take. It bounds a hang and asserts no speed: machines are noisy.
const patience = 2 * time.Minute

var (
	config *rest.Config
	kube   client.Client
)

func TestMain(m *testing.M) {
	if err := connect(); err != nil {
		fmt.Fprintf(os.Stderr, "no cluster for the end-to-end tests: %v\nrun them by: make test-e2e\n", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func connect() error {
	var err error
	if config, err = ctrl.GetConfig(); err != nil {
		return err
	}
	config.QPS, config.Burst = 200, 400
	scheme, err := operator.Scheme()
	if err != nil {
		return err
	}
	if kube, err = client.New(config, client.Options{Scheme: scheme}); err != nil {
		return err
	}
	return kube.List(context.Background(), &v1alpha1.ValkeyList{})
}

// binary is a program that make builds before the tests.
func binary(name string) string { return filepath.Join("..", "..", "bin", name) }

// run runs a program and returns what it printed, both streams together.
func run(t testing.TB, name string, args ...string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	return string(out), err
}

func valkeyctl(t testing.TB, args ...string) string {
	t.Helper()
	out, err := run(t, binary("valkeyctl"), args...)
	if err != nil {
		t.Fatalf("valkeyctl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// newNamespace makes a namespace that goes with the test.
func newNamespace(t testing.TB) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "e2e-"}}
	if err := kube.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			dump(t, ns.Name)
		}
		if err := client.IgnoreNotFound(kube.Delete(context.Background(), ns)); err != nil {
			t.Errorf("delete namespace: %v", err)
		}
	})
	return ns.Name
}

// dump prints what a person would look at after a failure.
func dump(t testing.TB, namespace string) {
	var list v1alpha1.ValkeyList
	if err := kube.List(context.Background(), &list, client.InNamespace(namespace)); err == nil {
		for _, v := range list.Items {
			t.Logf("valkey %s: %+v", v.Name, v.Status)
		}
	}
	var pods corev1.PodList
	if err := kube.List(context.Background(), &pods, client.InNamespace(namespace)); err == nil {
		for _, p := range pods.Items {
			t.Logf("pod %s: %s role %q host %s", p.Name, p.Status.Phase, p.Labels[v1alpha1.LabelRole], p.Spec.NodeName)
		}
	}
	var events corev1.EventList
	if err := kube.List(context.Background(), &events, client.InNamespace(namespace)); err == nil {
		for _, e := range events.Items {
			if e.InvolvedObject.Kind == "Valkey" || e.Type == corev1.EventTypeWarning {
				t.Logf("event %s %s/%s %s: %s", e.Type, e.InvolvedObject.Kind, e.InvolvedObject.Name, e.Reason, e.Message)
			}
		}
	}
}

// eventually waits until check says nothing; what it says last is the failure.
func eventually(t testing.TB, what string, check func() string) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		said := check()
		if said == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: still not after %s: %s", what, patience, said)
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("%s: %s", what, said)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
