package kube

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"kuberly.io/valkey-operator/tui/clean"
)

const (
	podsPath = "/api/v1/namespaces/default/pods"
	logStart = "2026-01-02T03:04:05"
)

func pod(name, node string, restarts int) map[string]any {
	return map[string]any{
		"kind": "Pod", "apiVersion": "v1",
		"metadata": map[string]any{
			"namespace": "default", "name": name, "uid": "uid-" + name, "resourceVersion": "1",
			"labels": map[string]any{
				"app.kubernetes.io/name": "valkey", "app.kubernetes.io/instance": "app", "app.kubernetes.io/managed-by": "valkey-operator",
				"database.kuberly.io/node": node,
			},
		},
		"status": map[string]any{"containerStatuses": []any{map[string]any{"name": "valkey", "restartCount": restarts}}},
	}
}

func podList(pods ...map[string]any) map[string]any {
	return map[string]any{"kind": "PodList", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": "5"}, "items": pods}
}

// watchOf sends the events that come over the channel.
func watchOf(events chan map[string]any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		for {
			select {
			case <-r.Context().Done():
				return
			case e := <-events:
				send(w, e)
			}
		}
	}
}

func logLine(second, nano int, text string) string {
	return fmt.Sprintf("2026-01-02T03:04:%02d.%09dZ %s\n", second, nano, text)
}

func appRef() Ref { return Ref{Namespace: "default", Name: "app"} }

// readLines reads until a line as wanted has come, and returns all up to then.
func readLines(t testing.TB, stream *LogStream, what string, wanted func(Line) bool) []Line {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var all []Line
	for {
		lines, err := stream.Next(ctx)
		all = append(all, lines...)
		for _, line := range lines {
			if wanted(line) {
				return all
			}
		}
		if err != nil {
			t.Fatalf("wait for %s: %v; got %v", what, err, all)
		}
	}
}

func texts(lines []Line) []string {
	var all []string
	for _, line := range lines {
		if line.Kind == LineLog {
			all = append(all, line.Text)
		}
	}
	return all
}

// case 10 (dashboard): a pod's stream ends and the container has restarted. It is read on from its last time: what the ended container
// still wrote first, nothing twice and nothing left out.
func TestLogsGoOnWithoutDoubles(t *testing.T) {
	api := newFakeAPI(t)
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) { send(w, podList(pod("app-0", "0", 0))) }, hang)
	api.mux.HandleFunc(podsPath+"/app-0", func(w http.ResponseWriter, _ *http.Request) { send(w, pod("app-0", "0", 1)) })
	var mu sync.Mutex
	streams := 0
	firstEnds := make(chan struct{})
	api.mux.HandleFunc(podsPath+"/app-0/log", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		streams++
		stream := streams
		mu.Unlock()
		query := r.URL.Query()
		// The kubelet's times have whole seconds here: each answer repeats lines of the second that it begins with.
		switch {
		case stream == 1:
			_, _ = io.WriteString(w, logLine(1, 1, "one")+logLine(2, 1, "two")+logLine(2, 2, "three")+logLine(2, 2, "three again"))
			w.(http.Flusher).Flush()
			<-firstEnds
		case query.Get("sinceTime") != logStart[:17]+"02Z":
			t.Errorf("stream %d begins at %q", stream, query.Get("sinceTime"))
		case query.Get("previous") == "true":
			_, _ = io.WriteString(w, logLine(2, 1, "two")+logLine(2, 2, "three")+logLine(2, 2, "three again")+logLine(2, 2, "and again")+logLine(2, 3, "last words"))
		default:
			_, _ = io.WriteString(w, logLine(2, 3, "last words")+logLine(7, 1, "hello"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	})
	stream := api.client(t).Logs(t.Context(), appRef(), LogOptions{Follow: true, Tail: -1})
	defer stream.Close()
	first := readLines(t, stream, "the first lines", func(l Line) bool { return l.Text == "three again" })
	if first[0].Node != "app-node-0" || first[0].Pod != "app-0" || first[0].Time.IsZero() {
		t.Errorf("line %+v", first[0])
	}
	close(firstEnds) // the watch says nothing of the restart
	all := slices.Concat(first, readLines(t, stream, "the new container", func(l Line) bool { return l.Text == "hello" }))
	want := []string{"one", "two", "three", "three again", "and again", "last words", "hello"}
	if diff := cmp.Diff(want, texts(all)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// case 9 (dashboard): a flood is not waited for: the oldest lines give way, their number is told where they are missing, and the newest are there.
func TestLogsDropAndCount(t *testing.T) {
	const total = 50_000
	api := newFakeAPI(t)
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) { send(w, podList(pod("app-0", "0", 0))) }, hang)
	written := make(chan struct{})
	api.mux.HandleFunc(podsPath+"/app-0/log", func(w http.ResponseWriter, r *http.Request) {
		out := bufio.NewWriter(w)
		for i := range total {
			_, _ = out.WriteString(logLine(1, i+1, fmt.Sprintf("line %d", i)))
		}
		_ = out.Flush()
		w.(http.Flusher).Flush()
		close(written)
		<-r.Context().Done()
	})
	const budget = 64 << 10
	stream := api.client(t).Logs(t.Context(), appRef(), LogOptions{Follow: true, Tail: -1, BufferBytes: budget})
	defer stream.Close()
	<-written // nobody reads meanwhile
	all := readLines(t, stream, "the last line", func(l Line) bool { return l.Text == fmt.Sprintf("line %d", total-1) })
	next, dropped := 0, 0
	for _, line := range all {
		if line.Kind == LineDropped {
			if line.Dropped == 0 || line.Node != "app-node-0" {
				t.Errorf("dropped line %+v", line)
			}
			dropped += line.Dropped
			next += line.Dropped
			continue
		}
		if want := fmt.Sprintf("line %d", next); line.Text != want {
			t.Fatalf("%q where %q is due: lines are missing unsaid", line.Text, want)
		}
		next++
	}
	if next != total || dropped == 0 {
		t.Errorf("%d lines accounted for of %d, %d dropped", next, total, dropped)
	}
	if held := len(all) * lineOverhead; held > 4*budget {
		t.Errorf("%d lines were held by a buffer of %d bytes", len(all), budget)
	}
}

// case 11 and case 12 (dashboard): a line of 90,000 characters is cut, and says so; nothing in a line drives the terminal, colours stay.
func TestLogsAreCleanAndBounded(t *testing.T) {
	api := newFakeAPI(t)
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) { send(w, podList(pod("app-0", "0", 0))) }, hang)
	api.mux.HandleFunc(podsPath+"/app-0/log", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, logLine(1, 1, strings.Repeat("x", 90_000))+logLine(1, 2, "\x1b]0;owned\x07\x1b[31mred\x1b[2J\u202e\rx")+
			logLine(1, 3, "")+"no time at all\n"+strings.TrimSuffix(logLine(1, 4, "no newline at the end"), "\n"))
	})
	stream := api.client(t).Logs(t.Context(), appRef(), LogOptions{Tail: -1})
	defer stream.Close()
	var all []Line
	for {
		lines, err := stream.Next(t.Context())
		all = append(all, lines...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		strings.Repeat("x", clean.MaxLine) + fmt.Sprintf(" … (%d bytes more)", 90_000-clean.MaxLine),
		"\x1b[31mred x\x1b[0m", "", "no time at all", "no newline at the end",
	}
	if diff := cmp.Diff(want, texts(all)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Without Follow the pods' lines are merged by time, whatever comes first, and none is dropped.
func TestLogsMerge(t *testing.T) {
	const each = 3000
	api := newFakeAPI(t)
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) {
		send(w, podList(pod("app-0", "0", 0), pod("app-1", "1", 0), pod("app-2", "2", 0)))
	}, hang)
	api.mux.HandleFunc(podsPath+"/{pod}/log", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("pod")
		if name == "app-2" {
			refuse(w, http.StatusBadRequest, "BadRequest", `container "valkey" in pod "app-2" is waiting to start: ContainerCreating`)
			return
		}
		for i := range each {
			_, _ = io.WriteString(w, logLine(1, 2*i+int(name[4]-'0'), fmt.Sprintf("%s %d", name, i)))
		}
	})
	stream := api.client(t).Logs(t.Context(), appRef(), LogOptions{Tail: -1, BufferBytes: 1024})
	defer stream.Close()
	var logged, noted []string
	var err error
	for err == nil {
		var lines []Line
		lines, err = stream.Next(t.Context())
		logged = append(logged, texts(lines)...)
		for _, line := range lines {
			if line.Kind == LineNotice {
				noted = append(noted, line.Pod+": "+line.Text)
			}
		}
	}
	if !IsClass(err, ClassInvalid) {
		t.Errorf("the end is %v, want the refusal of the third pod", err)
	}
	want := make([]string, 0, 2*each)
	for i := range each {
		want = append(want, fmt.Sprintf("app-0 %d", i), fmt.Sprintf("app-1 %d", i))
	}
	if diff := cmp.Diff(want, logged); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{`app-2: container "valkey" in pod "app-2" is waiting to start: ContainerCreating`}, noted); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// The log of one pod opens late: what is older in it than the lines of the others still stands before them.
func TestLogsBeginMerged(t *testing.T) {
	api := newFakeAPI(t)
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) {
		send(w, podList(pod("app-0", "0", 0), pod("app-1", "1", 0)))
	}, hang)
	opens := make(chan struct{})
	log := func(name string, seconds ...int) {
		api.mux.HandleFunc(podsPath+"/"+name+"/log", func(w http.ResponseWriter, r *http.Request) {
			if name == "app-1" {
				<-opens
			}
			for _, second := range seconds {
				_, _ = io.WriteString(w, logLine(second, 0, fmt.Sprint(second)))
			}
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
	}
	log("app-0", 1, 3)
	log("app-1", 2, 4)
	stream := api.client(t).Logs(t.Context(), appRef(), LogOptions{Follow: true, Tail: -1})
	defer stream.Close()
	b := stream.buffer
	waitFor := func(n int) {
		t.Helper()
		for have := 0; have < n; {
			select {
			case <-b.filled:
			case <-time.After(limit):
				t.Fatalf("%d lines have come, want %d", have, n)
			}
			b.mu.Lock()
			have = len(b.lines)
			b.mu.Unlock()
		}
	}
	waitFor(2)
	b.readyIn(b.until.Add(-2 * batch))
	if _, ready := b.readyIn(b.until.Add(-time.Millisecond)); ready {
		t.Error("the lines of one pod do not wait for those of the other")
	}
	b.readyIn(b.until)
	if _, ready := b.readyIn(b.until.Add(batch)); !ready {
		t.Error("they wait for ever")
	}
	close(opens)
	waitFor(4)
	if _, ready := b.readyIn(time.Now().Add(batch)); !ready {
		t.Error("they wait longer than for one another")
	}
	got := readLines(t, stream, "all lines", func(l Line) bool { return l.Text == "4" })
	if diff := cmp.Diff([]string{"1", "2", "3", "4"}, texts(got)); diff != "" {
		t.Errorf("the lines (-want +got):\n%s", diff)
	}
}

func TestLogsForbidden(t *testing.T) {
	for name, follow := range map[string]bool{"follow": true, "once": false} {
		t.Run(name, func(t *testing.T) {
			stream := newFakeAPI(t).client(t).Logs(t.Context(), appRef(), LogOptions{Follow: follow})
			defer stream.Close()
			if _, err := stream.Next(t.Context()); !IsClass(err, ClassForbidden) {
				t.Errorf("got %v, want forbidden", err)
			}
		})
	}
}

func TestLogsLeaveNothingBehind(t *testing.T) {
	api := newFakeAPI(t)
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) {
		send(w, podList(pod("app-0", "0", 0), pod("app-1", "1", 0)))
	}, hang)
	api.mux.HandleFunc(podsPath+"/{pod}/log", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, logLine(1, 1, "x"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	client := api.client(t)
	before := goleak.IgnoreCurrent()
	for range 20 {
		stream := client.Logs(t.Context(), appRef(), LogOptions{Follow: true, Tail: -1})
		readLines(t, stream, "a line", func(l Line) bool { return l.Text == "x" })
		stream.Close()
	}
	api.settle(t, before)
}

// BenchmarkLogFlood takes 10,000 lines through the buffer, cleaned.
func BenchmarkLogFlood(b *testing.B) {
	source := &logSource{node: "app-node-0", pod: "app-0"}
	line := rawLine{source: source, at: time.Unix(1, 0), text: "1:M 02 Jan 2026 03:04:05.000 \x1b[32m*\x1b[0m Ready to accept connections tcp"}
	b.ReportAllocs()
	for b.Loop() {
		buffer := newLineBuffer(defaultLogBuffer, true, true)
		for range 10_000 {
			_ = buffer.put(b.Context(), line)
		}
		buffer.take()
	}
}
