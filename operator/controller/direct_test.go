//go:build integration

package controller_test

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/operator/controller"
	"kuberly.io/valkey-operator/operator/valkey"
)

// reconciler is one beside the manager's, for tests that count or disturb what it does. It reads from the API server.
func (w *world) reconciler(c client.Client) *controller.Reconciler {
	w.t.Helper()
	servers := valkey.NewClients(valkey.PodDialer{}, nil)
	w.t.Cleanup(servers.Close)
	return &controller.Reconciler{
		Client: c, Live: c, Servers: servers, Recorder: events.NewFakeRecorder(1000), Clock: clock.RealClock{},
	}
}

// counting is a client whose requests that are to write are counted.
func (w *world) counting() (client.Client, *atomic.Int32) {
	w.t.Helper()
	var writes atomic.Int32
	config := rest.CopyConfig(w.config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method != http.MethodGet {
				writes.Add(1)
			}
			return next.RoundTrip(r)
		})
	})
	c, err := client.New(config, client.Options{Scheme: w.client.Scheme()})
	if err != nil {
		w.t.Fatal(err)
	}
	return c, &writes
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (w *world) reconcile(r *controller.Reconciler, name string) ctrl.Result {
	w.t.Helper()
	result, err := r.Reconcile(w.t.Context(), ctrl.Request{NamespacedName: w.key(name)})
	if err != nil {
		w.t.Fatal(err)
	}
	return result
}

// named finds an object by its kind and name.
func (w *world) named(name string) client.Object {
	w.t.Helper()
	for _, o := range w.objects() {
		if reflect.TypeOf(o).Elem().Name()+" "+o.GetName() == name {
			return o
		}
	}
	w.t.Fatalf("there is no %s", name)
	return nil
}

func runtimeMap(o client.Object) (map[string]any, error) {
	return runtime.DefaultUnstructuredConverter.ToUnstructured(o)
}

// sameSpec compares what a person writes: not the status, and of the metadata the labels that are ours.
func sameSpec(a, b map[string]any) bool {
	for _, key := range []string{"spec", "data", "type"} {
		if !reflect.DeepEqual(a[key], b[key]) {
			return false
		}
	}
	return reflect.DeepEqual(ourLabels(a), ourLabels(b))
}

func ourLabels(o map[string]any) map[string]any {
	out := map[string]any{}
	m, _ := o["metadata"].(map[string]any)
	labels, _ := m["labels"].(map[string]any)
	for key, value := range labels {
		if strings.Contains(key, "kuberly.io") || strings.Contains(key, "kubernetes.io") {
			out[key] = value
		}
	}
	return out
}

func asText(t *testing.T, m map[string]any) string {
	t.Helper()
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// login is what the only server of the namespace answers a user to PING.
func (w *world) login(user, password string) string {
	w.t.Helper()
	for _, o := range w.objects() {
		if pod, ok := o.(*corev1.Pod); ok && pod.Status.PodIP != "" {
			return w.cli(pod.Status.PodIP, user, password, "PING")
		}
	}
	w.t.Fatal("there is no server")
	return ""
}

func (w *world) cli(host, user, password string, words ...string) string {
	w.t.Helper()
	line := append([]string{"-h", host, "--no-auth-warning", "--user", user, "--pass", password}, words...)
	out, err := exec.Command(filepath.Join(string(w.kubelet.bin), "valkey-cli"), line...).CombinedOutput()
	if err != nil && len(out) == 0 {
		w.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
