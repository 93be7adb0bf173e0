package forward

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
)

// listen opens a loopback port that the test closes.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// serve runs a forwarder to dial and returns its address; it must end with its context.
func serve(t *testing.T, dial Dialer) string {
	t.Helper()
	l := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, l, dial) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

func dial(t *testing.T, address string) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp4", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn.(*net.TCPConn)
}

func TestBothDirectionsAreCarriedToTheirEnds(t *testing.T) {
	backend := listen(t)
	heard := make(chan string, 1)
	go func() {
		conn, err := backend.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		// Answers only after the request has ended: the forwarder must pass on that end and keep the other direction.
		request, _ := io.ReadAll(conn)
		heard <- string(request)
		_, _ = io.WriteString(conn, "answer")
	}()
	front := serve(t, func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp4", backend.Addr().String())
	})
	conn := dial(t, front)
	if _, err := io.WriteString(conn, "request"); err != nil {
		t.Fatal(err)
	}
	if err := conn.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil || string(answer) != "answer" {
		t.Fatalf("got %q and %v, want the answer", answer, err)
	}
	if got := <-heard; got != "request" {
		t.Fatalf("the backend heard %q", got)
	}
}

func TestAConnectionToNowhereIsClosed(t *testing.T) {
	front := serve(t, func(context.Context) (net.Conn, error) { return nil, errors.New("node is down") })
	if got, _ := io.ReadAll(dial(t, front)); len(got) != 0 {
		t.Fatalf("got %q from nowhere", got)
	}
}

func TestTheForwarderEndsWhileConnectionsAreOpen(t *testing.T) {
	backend := listen(t)
	l := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	opened := make(chan struct{})
	go func() {
		done <- Serve(ctx, l, func(ctx context.Context) (net.Conn, error) {
			defer close(opened)
			var d net.Dialer
			return d.DialContext(ctx, "tcp4", backend.Addr().String())
		})
	}()
	dial(t, l.Addr().String())
	<-opened
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
