package kube

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// roled is a pod of a node with a role that runs.
func roled(name, node, role string) map[string]any {
	p := pod(name, node, 0)
	meta := p["metadata"].(map[string]any)
	meta["labels"].(map[string]any)["database.kuberly.io/role"] = role
	p["status"].(map[string]any)["phase"] = "Running"
	return p
}

// echo is a server that says which pod it is, and then repeats what it hears.
func echo(_ context.Context, _, pod string, port int) (net.Conn, error) {
	if strings.HasPrefix(pod, "broken") {
		return nil, errors.New("the pod does not answer")
	}
	near, far := net.Pipe()
	go func() {
		defer func() { _ = far.Close() }()
		if _, err := fmt.Fprintf(far, "%s:%d\n", pod, port); err == nil {
			_, _ = io.Copy(far, far)
		}
	}()
	return near, nil
}

func awaitForward(t *testing.T, f *Forward, what string, wanted func(ForwardStatus) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	for s := f.Status(); ; {
		if wanted(s) {
			return
		}
		var err error
		if s, err = f.Next(ctx); err != nil {
			t.Fatalf("wait until %s: %v; it is %+v", what, err, s)
		}
	}
}

func connect(t *testing.T, f *Forward) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.DialTimeout("tcp", f.Status().Local, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn, bufio.NewReader(conn)
}

func line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	text, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text)
}

func TestForwardFollowsThePrimary(t *testing.T) {
	api := newFakeAPI(t)
	before := goleak.IgnoreCurrent()
	events := make(chan map[string]any)
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) {
		send(w, podList(roled("app-node-0-a", "0", "primary"), roled("app-node-1-b", "1", "replica")))
	}, watchOf(events))
	f, err := api.client(t).forward(t.Context(), appRef(), ForwardOptions{Local: -1}, echo)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(f.Status().Local, "127.0.0.1:") {
		t.Errorf("it listens at %s", f.Status().Local)
	}
	old, r := connect(t, f)
	if got := line(t, r); got != "app-node-0-a:6379" {
		t.Errorf("it leads to %s", got)
	}
	if _, err := io.WriteString(old, "hello\n"); err != nil || line(t, r) != "hello" {
		t.Errorf("nothing comes back: %v", err)
	}
	awaitForward(t, f, "bytes are counted", func(s ForwardStatus) bool { return s.In == 6 && s.Out > 6 && s.Open == 1 && s.Total == 1 })

	events <- event("MODIFIED", roled("app-node-0-a", "0", "replica"))
	awaitForward(t, f, "there is no primary", func(s ForwardStatus) bool { return s.Target == "" && strings.Contains(s.Said, "no primary") })
	if _, err := r.ReadString('\n'); err == nil {
		t.Error("the connection to the old primary stays")
	}
	waiting, r := connect(t, f)
	defer func() { _ = waiting.Close() }()
	events <- event("MODIFIED", roled("app-node-1-b", "1", "primary"))
	if got := line(t, r); got != "app-node-1-b:6379" {
		t.Errorf("a connection that waited leads to %s", got)
	}
	awaitForward(t, f, "the move is told", func(s ForwardStatus) bool { return s.Said == "moved from app-node-0 to app-node-1" })
	events <- event("ADDED", roled("broken", "1", "primary"))
	events <- event("DELETED", roled("app-node-1-b", "1", "primary"))
	awaitForward(t, f, "the new pod is told", func(s ForwardStatus) bool { return s.Said == "app-node-1 has a new pod" })
	_, r = connect(t, f)
	if _, err := r.ReadString('\n'); err == nil {
		t.Error("a connection to a pod that does not answer stays")
	}
	awaitForward(t, f, "the failure is told", func(s ForwardStatus) bool { return s.Failures == 1 && s.Problem == "the pod does not answer" })
	f.Close()
	if _, err := f.Next(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	api.settle(t, before)
}

func TestForwardPorts(t *testing.T) {
	api := newFakeAPI(t)
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) { send(w, podList()) }, hang)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	port := taken.Addr().(*net.TCPAddr).Port
	client := api.client(t)
	if _, err := client.Forward(t.Context(), appRef(), ForwardOptions{Local: port}); err == nil || !strings.Contains(err.Error(), "is taken") {
		t.Errorf("a port that is taken: %v", err)
	}
	f, err := client.Forward(t.Context(), appRef(), ForwardOptions{Port: port})
	if err != nil {
		t.Fatalf("where the usual port is taken: %v", err)
	}
	f.Close()
}

func TestForwardEndsWhereTheUserMayNot(t *testing.T) {
	api := newFakeAPI(t)
	f, err := api.client(t).Forward(t.Context(), appRef(), ForwardOptions{Local: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for {
		if _, err = f.Next(t.Context()); err != nil {
			break
		}
	}
	if !IsClass(err, ClassForbidden) {
		t.Errorf("it ends with %v", err)
	}
}
