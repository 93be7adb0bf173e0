// Package forward carries connections from a loopback port of the host to an address inside a node's network namespace,
// which no route reaches. It never looks at what it carries.
package forward

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Dialer opens a connection inside the namespace.
type Dialer func(ctx context.Context) (net.Conn, error)

// Serve takes connections from l and carries each to what dial opens, until ctx ends.
func Serve(ctx context.Context, l net.Listener, dial Dialer) error {
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	var running sync.WaitGroup
	defer running.Wait()
	for {
		conn, err := l.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ECONNABORTED) {
			time.Sleep(10 * time.Millisecond) // as net/http does: the next may succeed
			continue
		}
		if err != nil {
			return fmt.Errorf("accept: %w", err)
		}
		running.Go(func() { carry(ctx, conn, dial) })
	}
}

func carry(ctx context.Context, client net.Conn, dial Dialer) {
	defer func() { _ = client.Close() }()
	server, err := dial(ctx)
	if err != nil {
		return // the client sees its connection close; the node may be starting
	}
	defer func() { _ = server.Close() }()
	stop := context.AfterFunc(ctx, func() { _, _ = client.Close(), server.Close() })
	defer stop()
	var both sync.WaitGroup
	both.Go(func() { pass(server, client) })
	both.Go(func() { pass(client, server) })
	both.Wait()
}

// pass copies one direction, and tells the receiver where it ends: the other direction may go on.
func pass(to, from net.Conn) {
	_, err := io.Copy(to, from)
	if half, ok := to.(*net.TCPConn); ok && err == nil {
		_ = half.CloseWrite()
		return
	}
	_, _ = to.Close(), from.Close()
}

// Within returns a Dialer that connects to address inside the network namespace of the process that pid names at the time
// of each connection.
func Within(pid func() (int, error), address string) Dialer {
	return func(ctx context.Context) (net.Conn, error) {
		p, err := pid()
		if err != nil {
			return nil, err
		}
		return dialWithin(ctx, p, address)
	}
}

func dialWithin(ctx context.Context, pid int, address string) (conn net.Conn, err error) {
	ns, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
	if err != nil {
		return nil, fmt.Errorf("open network namespace: %w", err)
	}
	defer func() { _ = ns.Close() }()
	done := make(chan struct{})
	go func() {
		defer close(done)
		// Never unlocked: the thread ends with this goroutine and takes its foreign namespace along.
		runtime.LockOSThread()
		if err = unix.Setns(int(ns.Fd()), unix.CLONE_NEWNET); err != nil {
			err = fmt.Errorf("enter network namespace: %w", err)
			return
		}
		// With a literal address nothing here moves to another thread, and a socket stays in the namespace it was made in.
		d := net.Dialer{Timeout: 10 * time.Second}
		conn, err = d.DialContext(ctx, "tcp4", address)
	}()
	<-done
	return conn, err
}
