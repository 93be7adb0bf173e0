package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/goleak"
	"k8s.io/client-go/rest"
)

// limit is how long a test waits for something that should take a moment.
const limit = 30 * time.Second

// fakeAPI is an API server that answers what a test makes up: errors and ends of streams that a real one gives only in bad hours.
type fakeAPI struct {
	*httptest.Server
	mux *http.ServeMux
}

const (
	valkeysPath = "/apis/database.kuberly.io/v1alpha1/valkeys"
	crdPath     = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
)

func newFakeAPI(t testing.TB) *fakeAPI { return startFakeAPI(t, httptest.NewServer) }

// newSecureFakeAPI is for what client-go does only over TLS: to send credentials of a kubeconfig.
func newSecureFakeAPI(t testing.TB) *fakeAPI { return startFakeAPI(t, httptest.NewTLSServer) }

func startFakeAPI(t testing.TB, start func(http.Handler) *httptest.Server) *fakeAPI {
	t.Helper()
	api := &fakeAPI{mux: http.NewServeMux()}
	api.Server = start(api.mux)
	t.Cleanup(func() {
		api.CloseClientConnections()
		api.Close()
	})
	api.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusForbidden, "Forbidden", r.Method+" "+r.URL.Path+" is not of this test")
	})
	return api
}

func (a *fakeAPI) client(t testing.TB) *Client {
	t.Helper()
	client, err := NewForConfig(&rest.Config{Host: a.URL}, "default")
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// list answers lists of a path with one function and watches of it with another.
func (a *fakeAPI) handle(path string, list, watch http.HandlerFunc) {
	a.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") == "true" {
			watch(w, r)
			return
		}
		list(w, r)
	})
}

func send(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
	w.(http.Flusher).Flush()
}

func encode(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(status(code, reason, message))
}

func status(code int, reason, message string) map[string]any {
	return map[string]any{
		"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message,
	}
}

// hang keeps a watch open until the client leaves or the server closes.
func hang(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func valkeyList(version, next string, items ...map[string]any) map[string]any {
	return map[string]any{
		"kind": "ValkeyList", "apiVersion": "database.kuberly.io/v1alpha1",
		"metadata": map[string]any{"resourceVersion": version, "continue": next}, "items": items,
	}
}

// object is a Valkey as the API server sends it.
func object(name, version string) map[string]any {
	return map[string]any{
		"kind": "Valkey", "apiVersion": "database.kuberly.io/v1alpha1",
		"metadata": map[string]any{
			"namespace": "default", "name": name, "uid": "uid-" + name, "resourceVersion": version,
			"creationTimestamp": "2026-01-02T03:04:05Z", "managedFields": []any{map[string]any{"manager": "x"}},
		},
		"spec": map[string]any{
			"image": "valkey/valkey:9.1", "user": "root", "replicas": 1, "resource": map[string]any{"cpu": "200m", "memory": "512Mi"},
			"volume": map[string]any{"enabled": false},
		},
		"status": map[string]any{"status": "running", "ready_replicas": 1},
	}
}

func event(kind string, object any) map[string]any {
	return map[string]any{"type": kind, "object": object}
}

// await takes snapshots until one is as wanted.
func await(t testing.TB, store *Store, what string, wanted func(Snapshot) bool) Snapshot {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	last := "none"
	for {
		snapshot, err := store.Next(ctx)
		if err != nil {
			t.Fatalf("wait until %s: %v; last: %s", what, err, last)
		}
		if wanted(snapshot) {
			return snapshot
		}
		last = fmt.Sprintf("%v, synced %t, stale %t, error %v", names(snapshot), snapshot.Synced, snapshot.Stale, snapshot.Err)
	}
}

func names(s Snapshot) []string {
	list := make([]string, len(s.Rows))
	for i, row := range s.Rows {
		list[i] = row.Name
	}
	return list
}

// settle fails where goroutines that were started since are still there after a while, those of pooled connections aside.
func (a *fakeAPI) settle(t testing.TB, before goleak.Option) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for {
		a.CloseClientConnections() // also one that was just being made
		err := goleak.Find(before) // waits a little itself
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
