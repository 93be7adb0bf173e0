package valkey

import (
	"context"
	"net"
	"strconv"

	"kuberly.io/valkey-operator/operator/valkey/tunnel"
)

// PodDialer dials the addresses of pods: for a program in the cluster's network.
type PodDialer struct{}

// Dial connects to the server's address.
func (PodDialer) Dial(ctx context.Context, t Target) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", net.JoinHostPort(t.IP, strconv.Itoa(t.Port)))
}

// Holds is true: such a connection costs little, and its end is news.
func (PodDialer) Holds() bool { return true }

// TunnelDialer reaches servers through the Kubernetes API server: for a program on a laptop.
type TunnelDialer struct {
	Tunnel *tunnel.Dialer
}

// Dial connects to the server's port by way of the API server.
func (d TunnelDialer) Dial(ctx context.Context, t Target) (net.Conn, error) {
	return d.Tunnel.Dial(ctx, t.Namespace, t.Pod, t.Port)
}

// Holds is false: a tunnel occupies the API server and the kubelet while it is open.
func (TunnelDialer) Holds() bool { return false }
