//go:build integration

package kube_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

func TestMain(m *testing.M) { apiserver.Main(m) }

// limit is how long a test waits for something that should take a moment.
const limit = 60 * time.Second

func newClient(t testing.TB, config *rest.Config) *kube.Client {
	t.Helper()
	client, err := kube.NewForConfig(config, "default")
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func newValkey(namespace, name string) *v1alpha1.Valkey {
	password := "secret"
	return &v1alpha1.Valkey{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: v1alpha1.ValkeySpec{
			Image: "valkey/valkey:9.1", User: "root", Password: &password,
			Volume:   v1alpha1.VolumeSpec{Enabled: true, Storage: "512Mi"},
			Resource: v1alpha1.ResourceSpec{CPU: "200m", Memory: "512Mi", Storage: "512Mi"},
		},
	}
}

func create(t testing.TB, client *kube.Client, namespace, name string) *v1alpha1.Valkey {
	t.Helper()
	result, err := client.Create(t.Context(), kube.CreateOptions{Valkey: newValkey(namespace, name)})
	if err != nil {
		t.Fatalf("create %s: %v", name, err)
	}
	return result.Valkey
}

// await takes snapshots until one is as wanted.
func await(t testing.TB, store *kube.Store, what string, wanted func(kube.Snapshot) bool) kube.Snapshot {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var last kube.Snapshot
	for {
		snapshot, err := store.Next(ctx)
		if err != nil {
			t.Fatalf("wait until %s: %v; last: %s", what, err, describe(last))
		}
		if wanted(snapshot) {
			return snapshot
		}
		last = snapshot
	}
}

func describe(s kube.Snapshot) string {
	return fmt.Sprintf("%d rows, synced %t, stale %t, error %v", len(s.Rows), s.Synced, s.Stale, s.Err)
}

func find(s kube.Snapshot, name string) *kube.Row {
	for _, row := range s.Rows {
		if row.Name == name {
			return row
		}
	}
	return nil
}

func isOK(s kube.Snapshot) bool { return s.Synced && s.Err == nil }
