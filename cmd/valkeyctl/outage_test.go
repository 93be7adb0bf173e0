package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"kuberly.io/valkey-operator/test/output"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/server"
)

// flaky is an API server with one Valkey and its events, which can be told to refuse everything.
type flaky struct {
	*httptest.Server
	mu   sync.Mutex
	down bool
	asks int
	news chan map[string]any // events that a watch tells
	drop chan struct{}       // ends a watch
}

func newFlaky(t *testing.T) *flaky {
	f := &flaky{news: make(chan map[string]any), drop: make(chan struct{})}
	f.Server = httptest.NewServer(f)
	t.Cleanup(func() { f.CloseClientConnections(); f.Close() })
	return f
}

// ServeHTTP is for http.Handler.
func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asks++
	down := f.down
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	answer := func(value any) { _ = json.NewEncoder(w).Encode(value) }
	list := func(kind, api string, items ...any) map[string]any {
		return map[string]any{"kind": kind, "apiVersion": api, "metadata": map[string]any{"resourceVersion": "7"}, "items": items}
	}
	switch path := r.URL.Path; {
	case down:
		w.WriteHeader(http.StatusServiceUnavailable)
		answer(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 503, "reason": "ServiceUnavailable", "message": "etcd is away"})
	case strings.HasSuffix(path, "/valkeys"):
		answer(list("ValkeyList", "database.kuberly.io/v1alpha1"))
	case strings.HasSuffix(path, "/valkeys/app"):
		answer(map[string]any{
			"kind": "Valkey", "apiVersion": "database.kuberly.io/v1alpha1", "spec": map[string]any{},
			"metadata": map[string]any{"namespace": "default", "name": "app", "uid": "u", "resourceVersion": "1"},
		})
	case strings.HasSuffix(path, "/events") && r.URL.Query().Get("watch") != "":
		w.(http.Flusher).Flush()
		for {
			select {
			case e := <-f.news:
				answer(map[string]any{"type": "ADDED", "object": e})
				w.(http.Flusher).Flush()
			case <-f.drop:
				return
			case <-r.Context().Done():
				return
			}
		}
	case strings.HasSuffix(path, "/events"):
		answer(list("EventList", "v1", happened("Created", 5)))
	default:
		w.WriteHeader(http.StatusForbidden)
		answer(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403, "reason": "Forbidden", "message": path})
	}
}

func happened(reason string, version int) map[string]any {
	return map[string]any{
		"kind": "Event", "apiVersion": "v1", "type": "Normal", "reason": reason, "message": "it is " + reason, "count": 1,
		"metadata":       map[string]any{"namespace": "default", "name": "app." + reason, "uid": reason, "resourceVersion": fmt.Sprint(version)},
		"involvedObject": map[string]any{"kind": "Valkey", "name": "app", "uid": "u"},
		"firstTimestamp": "2026-01-02T03:04:05Z", "lastTimestamp": "2026-01-02T03:04:05Z",
	}
}

func (f *flaky) set(down bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = down
}

func (f *flaky) asked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asks
}

func (f *flaky) kubeconfig(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	text := `{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":"` + f.URL +
		`"}}],"users":[{"name":"c","user":{}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"c","namespace":"default"}}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// becomes waits until it is so.
func becomes(t *testing.T, what string, so func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// An outage is told once and waited out, and what happened before it is not told again.
func TestEventsWatchSurvivesAnOutage(t *testing.T) {
	f := newFlaky(t)
	ctx, cancel := context.WithCancel(t.Context())
	var out, errOut output.Buffer
	code := make(chan int)
	go func() {
		streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
		code <- run(ctx, streams, "valkeyctl", []string{"--kubeconfig", f.kubeconfig(t), "events", "app", "-w"})
	}()
	becomes(t, "the list is told", func() bool { return strings.Contains(out.String(), "it is Created") })
	f.news <- happened("Scaled", 8)
	becomes(t, "what comes is told", func() bool { return strings.Contains(out.String(), "it is Scaled") })
	f.set(true)
	f.drop <- struct{}{}
	becomes(t, "the outage is told", func() bool { return strings.Contains(errOut.String(), "etcd is away") })
	asked := f.asked()
	becomes(t, "it is tried again", func() bool { return f.asked() > asked+1 })
	f.set(false)
	f.news <- happened("Healed", 9)
	becomes(t, "what comes after it is told", func() bool { return strings.Contains(out.String(), "it is Healed") })
	cancel()
	if got := <-code; got != exitInterrupted {
		t.Errorf("exit code %d, want %d", got, exitInterrupted)
	}
	if n := strings.Count(out.String(), "it is Created"); n != 1 {
		t.Errorf("the first event is told %d times:\n%s", n, out.String())
	}
	if n := strings.Count(errOut.String(), "\n"); n != 1 {
		t.Errorf("%d lines on standard error, want one:\n%s", n, errOut.String())
	}
}

// Before there was anything an outage ends it.
func TestWatchesEndWhereNothingWasKnown(t *testing.T) {
	f := newFlaky(t)
	f.set(true)
	for _, args := range [][]string{{"events", "app", "-w"}, {"top", "-w"}, {"top", "app", "-w"}} {
		valkeyctl(t, f.kubeconfig(t), args...).expect(t, exitRefused, "etcd is away")
	}
}

func TestTopWatchSurvivesAnOutage(t *testing.T) {
	f := newFlaky(t)
	path := f.kubeconfig(t)
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &path
	client, err := kube.New(flags)
	if err != nil {
		t.Fatal(err)
	}
	var out, errOut output.Buffer
	p := &program{IOStreams: genericiooptions.IOStreams{Out: &out, ErrOut: &errOut}}
	top := &topper{client: client, o: topOptions{watch: true}, every: time.Millisecond, observers: map[kube.Ref]*server.Observer{}}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- p.topAgain(ctx, top) }()
	tables := func() int { return strings.Count(errOut.String(), "no Valkeys\n") }
	becomes(t, "the first table", func() bool { return tables() > 0 })
	for n := 1; n <= 2; n++ { // each outage is told, once
		f.set(true)
		becomes(t, "the outage is told", func() bool { return strings.Count(errOut.String(), "etcd is away") == n })
		asked := f.asked()
		becomes(t, "it is tried again", func() bool { return f.asked() > asked+3 })
		f.set(false)
		before := tables()
		becomes(t, "tables come again", func() bool { return tables() > before })
	}
	cancel()
	if err := <-ended; err == nil || ctx.Err() == nil {
		t.Errorf("it ends with %v", err)
	}
	if n := strings.Count(errOut.String(), "etcd is away"); n != 2 {
		t.Errorf("2 outages are told %d times", n)
	}
}
