package kube

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// A pod that comes later is read from its beginning; one that goes is told.
func TestLogsFollowThePods(t *testing.T) {
	api := newFakeAPI(t)
	events := make(chan map[string]any)
	api.handle(podsPath, func(w http.ResponseWriter, r *http.Request) {
		if selector := r.URL.Query().Get("labelSelector"); !strings.Contains(selector, "app.kubernetes.io/instance=app") {
			t.Errorf("selector %q", selector)
		}
		send(w, podList(pod("app-0", "0", 0)))
	}, watchOf(events))
	gone := make(chan struct{})
	api.mux.HandleFunc(podsPath+"/{pod}/log", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("pod")
		if tail := r.URL.Query().Get("tailLines"); (name == "app-0") != (tail == "3") && r.URL.Query().Get("sinceTime") == "" {
			t.Errorf("%s: tailLines %q", name, tail)
		}
		_, _ = io.WriteString(w, logLine(1, 1, name+" speaks"))
		w.(http.Flusher).Flush()
		select {
		case <-gone:
		case <-r.Context().Done():
		}
	})
	stream := api.client(t).Logs(t.Context(), appRef(), LogOptions{Follow: true, Tail: 3})
	defer stream.Close()
	readLines(t, stream, "the first pod", func(l Line) bool { return l.Text == "app-0 speaks" })
	events <- event("ADDED", pod("app-1", "1", 0))
	readLines(t, stream, "the second pod", func(l Line) bool { return l.Text == "app-1 speaks" && l.Node == "app-node-1" })
	events <- event("DELETED", pod("app-1", "1", 0))
	close(gone)
	readLines(t, stream, "its end", func(l Line) bool { return l.Kind == LineNotice && l.Pod == "app-1" && l.Text == "the pod is gone" })
}

// A pod that the API server no longer knows is gone, though its watch has not said so: nothing else is told of it.
func TestLogsKnowBeforeTheWatchThatAPodIsGone(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"none of its name": func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, http.StatusNotFound, "NotFound", `pods "app-0" not found`)
		},
		"another one of its name": func(w http.ResponseWriter, _ *http.Request) {
			other := pod("app-0", "0", 0)
			other["metadata"].(map[string]any)["uid"] = "another"
			send(w, other)
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := newFakeAPI(t)
			api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) { send(w, podList(pod("app-0", "0", 0))) }, hang)
			api.mux.HandleFunc(podsPath+"/app-0", answer)
			api.mux.HandleFunc(podsPath+"/app-0/log", func(w http.ResponseWriter, _ *http.Request) {
				refuse(w, http.StatusNotFound, "NotFound", `pods "app-0" not found`)
			})
			stream := api.client(t).Logs(t.Context(), appRef(), LogOptions{Follow: true, Tail: -1})
			defer stream.Close()
			told := readLines(t, stream, "its end", func(l Line) bool { return l.Text == "the pod is gone" })
			if len(told) != 1 {
				t.Errorf("told %v", told)
			}
		})
	}
}
