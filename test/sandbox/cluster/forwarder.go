package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"

	"golang.org/x/sys/unix"

	"kuberly.io/valkey-operator/test/sandbox/forward"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/process"
)

// ForwardCommand is the hidden command that the forwarder is started with.
const ForwardCommand = "forward"

// listenerFD is where the forwarder finds the port that it was given.
const listenerFD = 3

// startForwarder starts the forwarder unless it runs, on the port of before if nobody has taken it since.
func (c Cluster) startForwarder(ctx context.Context, s *settings) (started bool, err error) {
	record, err := process.Load(c.Dir.Forwarder())
	if err != nil {
		return false, err
	}
	if record.IsAlive() {
		return false, nil
	}
	l, err := listen(s.Port)
	if err != nil {
		return false, fmt.Errorf("open a loopback port: %w", err)
	}
	defer func() { _ = l.Close() }()
	file, err := l.File()
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()
	output, err := os.Create(c.Dir.ForwarderLog())
	if err != nil {
		return false, err
	}
	defer func() { _ = output.Close() }()

	cmd := exec.Command("/proc/self/exe", ForwardCommand, "--dir", string(c.Dir))
	cmd.Args[0] = "sandbox-forwarder"
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = output, output, []*os.File{file}
	if _, err := process.Detach(ctx, cmd, c.Dir.Forwarder()); err != nil {
		return false, fmt.Errorf("start forwarder: %w", err)
	}
	s.Port = l.Addr().(*net.TCPAddr).Port
	return true, nil
}

func listen(port int) (*net.TCPListener, error) {
	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}
	l, err := net.ListenTCP("tcp4", address)
	if errors.Is(err, unix.EADDRINUSE) {
		address.Port = 0
		return net.ListenTCP("tcp4", address)
	}
	return l, err
}

// Forward is the forwarder itself: it carries connections to node 1's API server until ctx ends.
func (c Cluster) Forward(ctx context.Context) error {
	if err := process.Settle(c.Dir.Forwarder()); err != nil {
		return err
	}
	l, err := net.FileListener(os.NewFile(listenerFD, "listener"))
	if err != nil {
		return fmt.Errorf("take over the port: %w", err)
	}
	address := net.JoinHostPort(layout.NodeIP(1), fmt.Sprint(layout.APIPort))
	return forward.Serve(ctx, l, forward.Within(c.firstPID, address))
}

func (c Cluster) firstPID() (int, error) {
	r, err := c.node(1)
	return r.PID, err
}
