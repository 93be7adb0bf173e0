// Package tunnel reaches a TCP port of a pod through the Kubernetes API server, as kubectl port-forward does, for
// programs that run outside the cluster's network. It opens no local port and knows nothing of what is spoken over it.
package tunnel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/streaming/pkg/httpstream"
)

// Dialer opens connections to pods. It needs the right to create pods/portforward.
type Dialer struct {
	config *rest.Config
	client *rest.RESTClient
}

// NewDialer returns a Dialer that reaches pods through the API server of config.
func NewDialer(config *rest.Config) (*Dialer, error) {
	c := rest.CopyConfig(config)
	c.APIPath, c.GroupVersion = "/api", &corev1.SchemeGroupVersion
	c.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client, err := rest.RESTClientFor(c)
	if err != nil {
		return nil, fmt.Errorf("client for port-forward: %w", err)
	}
	return &Dialer{config: c, client: client}, nil
}

// Dial opens a connection to port of the pod. The connection ends with the pod, with a restart of the API server, or
// when it is closed.
func (d *Dialer) Dial(ctx context.Context, namespace, pod string, port int) (net.Conn, error) {
	type result struct {
		conn net.Conn
		err  error
	}
	// The library's dialers take no context, so the wait is cut here and a late connection is closed.
	done := make(chan result, 1)
	go func() {
		conn, err := d.dial(namespace, pod, port)
		done <- result{conn, err}
	}()
	select {
	case r := <-done:
		return r.conn, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.conn != nil {
				_ = r.conn.Close()
			}
		}()
		return nil, fmt.Errorf("port-forward to pod %s: %w", pod, ctx.Err())
	}
}

func (d *Dialer) dial(namespace, pod string, port int) (net.Conn, error) {
	dialer, err := d.streamDialer(namespace, pod)
	if err != nil {
		return nil, err
	}
	streams, _, err := dialer.Dial(portforward.PortForwardProtocolV1Name)
	if err != nil {
		return nil, fmt.Errorf("port-forward to pod %s: %w", pod, err)
	}
	conn, err := open(streams, pod, port)
	if err != nil {
		_ = streams.Close()
		return nil, err
	}
	return conn, nil
}

// streamDialer prefers WebSockets, which pass proxies, and falls back to SPDY for servers that do not know them.
func (d *Dialer) streamDialer(namespace, pod string) (httpstream.Dialer, error) {
	url := d.client.Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("portforward").URL()
	transport, upgrader, err := spdy.RoundTripperFor(d.config)
	if err != nil {
		return nil, fmt.Errorf("port-forward: %w", err)
	}
	overSPDY := spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: transport}, http.MethodPost, url)
	overWebSocket, err := portforward.NewSPDYOverWebsocketDialerForStreaming(url, d.config)
	if err != nil {
		return nil, fmt.Errorf("port-forward: %w", err)
	}
	return portforward.NewFallbackDialerForStreaming(overWebSocket, overSPDY, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	}), nil
}

func open(streams httpstream.Connection, pod string, port int) (net.Conn, error) {
	headers := http.Header{}
	headers.Set(corev1.PortHeader, strconv.Itoa(port))
	headers.Set(corev1.PortForwardRequestIDHeader, "0")
	headers.Set(corev1.StreamType, corev1.StreamTypeError)
	failures, err := streams.CreateStream(headers)
	if err != nil {
		return nil, fmt.Errorf("port-forward to pod %s: %w", pod, err)
	}
	_ = failures.Close() // nothing is written to this stream
	headers.Set(corev1.StreamType, corev1.StreamTypeData)
	data, err := streams.CreateStream(headers)
	if err != nil {
		return nil, fmt.Errorf("port-forward to pod %s: %w", pod, err)
	}
	c := &conn{Stream: data, streams: streams, pod: pod, failed: make(chan error, 1)}
	go c.watch(failures)
	return c.piped(), nil
}

// conn is a data stream together with what its error stream says.
type conn struct {
	httpstream.Stream
	streams httpstream.Connection
	pod     string
	failed  chan error
}

// watch ends the connection when the kubelet reports that the port cannot be reached.
func (c *conn) watch(failures io.Reader) {
	message, err := io.ReadAll(failures)
	if err == nil && len(message) > 0 {
		err = errors.New(strings.TrimSpace(string(message)))
	}
	if err != nil {
		c.failed <- err
		_ = c.Reset()
	}
}

// piped gives the stream deadlines, which it has not, by a pipe that has.
func (c *conn) piped() net.Conn {
	near, far := net.Pipe()
	go func() {
		_, _ = io.Copy(far, c.Stream) // ends with either side; the reader sees the closed pipe
		_ = far.Close()
	}()
	go func() {
		_, _ = io.Copy(c.Stream, far)
		_ = c.Reset()
		_ = far.Close()
		_ = c.streams.Close()
	}()
	return &pipe{Conn: near, conn: c}
}

type pipe struct {
	net.Conn
	conn *conn
}

// Read says what the kubelet said where the connection ended because of it.
func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
		select {
		case reason := <-p.conn.failed:
			return n, fmt.Errorf("port-forward to pod %s: %w", p.conn.pod, reason)
		default:
		}
	}
	return n, err
}
