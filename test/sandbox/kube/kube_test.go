package kube

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// serve is an API server that answers each "METHOD path" as given, and everything else with 404.
func serve(t *testing.T, answers map[string]string) (c *Client, asked *[]string) {
	t.Helper()
	asked = &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*asked = append(*asked, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+string(body)))
		answer, ok := answers[r.Method+" "+r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			answer = `{"kind": "Status", "message": "not here"}`
		}
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return New(server.URL, nil), asked
}

func TestApplySendsEachObjectToItsPlace(t *testing.T) {
	class := "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: standard}"
	service := "apiVersion: v1\nkind: Service\nmetadata: {name: dns, namespace: kube-system}"
	c, asked := serve(t, map[string]string{
		"PATCH /apis/storage.k8s.io/v1/storageclasses/standard": "{}",
		"PATCH /api/v1/namespaces/kube-system/services/dns":     "{}",
	})
	if err := c.Apply(t.Context(), class+"\n---\n"+service+"\n---\n"); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"PATCH /apis/storage.k8s.io/v1/storageclasses/standard " + class,
		"PATCH /api/v1/namespaces/kube-system/services/dns " + service,
	}
	if !slices.Equal(*asked, want) {
		t.Fatalf("got %q, want %q", *asked, want)
	}
	if err := c.Apply(t.Context(), "kind: Unheard\nmetadata: {name: x}"); err == nil {
		t.Error("applied a kind that it does not know")
	}
	if err := c.Apply(t.Context(), strings.Replace(class, "standard", "other", 1)); err == nil || !strings.Contains(err.Error(), "404: not here") {
		t.Errorf("got %v, want the server's words", err)
	}
}

func TestNodes(t *testing.T) {
	c, _ := serve(t, map[string]string{"GET /api/v1/nodes": `{"items": [
		{"metadata": {"name": "node1"}, "status": {"conditions": [
			{"type": "DiskPressure", "status": "False"},
			{"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-01-02T03:04:05Z"}]}},
		{"metadata": {"name": "node2"}, "status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}},
		{"metadata": {"name": "node3"}}]}`})
	nodes, err := c.Nodes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Node{
		"node1": {IsReady: true, Heartbeat: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, "node2": {}, "node3": {},
	}
	if fmt.Sprint(nodes) != fmt.Sprint(want) {
		t.Fatalf("got %v, want %v", nodes, want)
	}
}

func TestReadyAvailableAndGone(t *testing.T) {
	c, _ := serve(t, map[string]string{
		"GET /readyz": "ok",
		"GET /apis/apps/v1/namespaces/a/deployments/up":   `{"status": {"conditions": [{"type": "Available", "status": "True"}]}}`,
		"GET /apis/apps/v1/namespaces/a/deployments/down": `{"status": {"conditions": [{"type": "Available", "status": "False"}]}}`,
		"DELETE /api/v1/nodes/node1":                      "{}",
	})
	ctx := t.Context()
	if !c.IsReady(ctx) {
		t.Error("not ready")
	}
	for name, want := range map[string]bool{"up": true, "down": false} {
		if got, err := c.IsAvailable(ctx, "a", name); err != nil || got != want {
			t.Errorf("%s: available is %v (%v), want %v", name, got, err, want)
		}
	}
	if _, err := c.IsAvailable(ctx, "a", "none"); err == nil {
		t.Error("a deployment that is missing must be an error")
	}
	for _, name := range []string{"node1", "gone already"} {
		if err := c.DeleteNode(ctx, strings.ReplaceAll(name, " ", "-")); err != nil {
			t.Errorf("delete %s: %v", name, err)
		}
	}
	nobody, _ := serve(t, nil)
	if nobody.IsReady(ctx) {
		t.Error("a server that answers 404 is taken for ready")
	}
}

func TestWaitSaysWhatStillDidNotHold(t *testing.T) {
	tries := 0
	err := Wait(t.Context(), "a thing", func(context.Context) (bool, error) { tries++; return tries == 3, errors.New("not yet") })
	if err != nil || tries != 3 {
		t.Fatalf("got %v after %d tries, want success at the third", err, tries)
	}
	ended, why := errors.New("node1 ended"), errors.New("not yet")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ended)
	err = Wait(ctx, "a thing", func(context.Context) (bool, error) { return false, why })
	if !errors.Is(err, ended) || !errors.Is(err, why) || err.Error() != "wait for a thing: node1 ended; it was: not yet" {
		t.Fatalf("got %v, want both the reason for the end and what was missing", err)
	}
}
