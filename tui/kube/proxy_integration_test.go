//go:build integration

package kube_test

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

// proxy stands between a client and the API server, so that a test can cut the wire.
type proxy struct {
	target, address string

	mu       sync.Mutex
	listener net.Listener
	conns    map[net.Conn]bool
}

// newProxy returns a proxy that is open, and the configuration of a client that goes through it.
func newProxy(t testing.TB, config *rest.Config) (*proxy, *rest.Config) {
	t.Helper()
	p := &proxy{target: strings.Trim(strings.TrimPrefix(config.Host, "https:"), "/"), address: "127.0.0.1:0", conns: map[net.Conn]bool{}}
	p.open(t)
	p.address = p.listener.Addr().String()
	t.Cleanup(p.cut)
	through := rest.CopyConfig(config)
	through.Host = "https://" + p.address
	return p, through
}

// open takes connections, on the same port as ever.
func (p *proxy) open(t testing.TB) {
	t.Helper()
	listener, err := net.Listen("tcp", p.address)
	if err != nil {
		t.Fatalf("proxy: %v", err)
	}
	p.mu.Lock()
	p.listener = listener
	p.mu.Unlock()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(conn)
		}
	}()
}

// cut breaks every connection and refuses new ones.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.listener.Close()
	p.breakAll()
}

// hiccup breaks every connection and takes new ones.
func (p *proxy) hiccup() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.breakAll()
}

func (p *proxy) breakAll() {
	for conn := range p.conns {
		_ = conn.Close()
		delete(p.conns, conn)
	}
}

func (p *proxy) serve(in net.Conn) {
	out, err := net.Dial("tcp", p.target)
	if err != nil {
		_ = in.Close()
		return
	}
	p.mu.Lock()
	p.conns[in], p.conns[out] = true, true
	p.mu.Unlock()
	go func() {
		_, _ = io.Copy(out, in)
		_ = out.Close()
	}()
	_, _ = io.Copy(in, out)
	_ = in.Close()
}
