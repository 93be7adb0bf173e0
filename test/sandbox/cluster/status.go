package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kuberly.io/valkey-operator/test/sandbox/kube"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/network"
	"kuberly.io/valkey-operator/test/sandbox/pki"
	"kuberly.io/valkey-operator/test/sandbox/process"
)

// Status writes what runs. The error is ErrDown, with what is missing, unless all of it does.
func (c Cluster) Status(ctx context.Context, out io.Writer) error {
	s, err := c.loadSettings()
	if err != nil {
		return err
	}
	running, err := c.running()
	if err != nil {
		return err
	}
	if len(running) == 0 {
		return ErrDown
	}
	forwarder, err := process.Load(c.Dir.Forwarder())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	nodes, err := c.askNodes(ctx, s.Port)
	problem := err
	for i := 1; i <= s.Nodes; i++ {
		words := c.describe(i, running, nodes)
		if words != "ready" && problem == nil {
			problem = fmt.Errorf("%s is %s", layout.NodeName(i), words)
		}
		if _, err := fmt.Fprintf(out, "%s\t%s\tprocess %d\n", layout.NodeName(i), words, running[i].PID); err != nil {
			return err
		}
	}
	if !forwarder.IsAlive() && problem == nil {
		problem = errors.New("the forwarder does not run")
	}
	if problem != nil {
		return fmt.Errorf("the sandbox is not whole: %w", problem)
	}
	_, err = fmt.Fprintf(out, "kubeconfig\t%s\t127.0.0.1:%d\n", c.Dir.Kubeconfig(), s.Port)
	return err
}

func (c Cluster) askNodes(ctx context.Context, port int) (map[string]kube.Node, error) {
	ca, err := pki.LoadCA(c.Dir.PKI())
	if err != nil {
		return nil, err
	}
	admin, err := ca.Client("sandbox:admin", "system:masters")
	if err != nil {
		return nil, err
	}
	api := kube.New(fmt.Sprintf("https://127.0.0.1:%d", port), ca.TLS(admin))
	defer api.Close()
	return api.Nodes(ctx)
}

func (c Cluster) describe(i int, running map[int]process.Record, nodes map[string]kube.Node) string {
	if _, runs := running[i]; !runs {
		return "down"
	}
	if cut, err := c.isCut(i); err == nil && cut {
		return "cut off"
	}
	if nodes[layout.NodeName(i)].IsReady {
		return "ready"
	}
	return "not ready"
}

func (c Cluster) isCut(i int) (bool, error) {
	s, err := c.openSwitch()
	if err != nil {
		return false, err
	}
	defer s.Close()
	return s.IsCut(i)
}

// Cut takes node i off the network, as a pulled cable does.
func (c Cluster) Cut(i int) error {
	s, err := c.switchOf(i)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Cut(i)
}

// Heal brings node i back to the network.
func (c Cluster) Heal(i int) error {
	s, err := c.switchOf(i)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Heal(i)
}

// switchOf opens the switch that node i, which must run, is plugged into.
func (c Cluster) switchOf(i int) (network.Switch, error) {
	if _, err := c.node(i); err != nil {
		return network.Switch{}, err
	}
	return c.openSwitch()
}

func (c Cluster) openSwitch() (network.Switch, error) {
	first, err := c.node(1)
	if err != nil {
		return network.Switch{}, err
	}
	return network.OpenSwitch(first.PID)
}
