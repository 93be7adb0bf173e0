// Package cluster brings the nodes of a sandbox up as one Kubernetes cluster, changes their number, and ends every process
// that it started. It decides from what runs and what is recorded, so each of its commands can be killed and run again.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"kuberly.io/valkey-operator/test/sandbox/cache"
	"kuberly.io/valkey-operator/test/sandbox/kube"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/pki"
	"kuberly.io/valkey-operator/test/sandbox/process"
	"kuberly.io/valkey-operator/test/sandbox/progress"
	"kuberly.io/valkey-operator/test/sandbox/record"
)

// ErrDown says that a command needs a running cluster.
var ErrDown = errors.New("the sandbox is not up: run sandbox up")

// Cluster is the sandbox whose state lies in Dir.
type Cluster struct {
	Dir      layout.Dir
	Progress *progress.Printer
}

// settings outlive the cluster's processes.
type settings struct {
	Nodes int `json:"nodes"`
	Port  int `json:"port"`
}

func (c Cluster) loadSettings() (settings, error) { return record.Load[settings](c.Dir.Config()) }

func (c Cluster) saveSettings(s settings) error { return record.Save(c.Dir.Config(), s) }

// lock makes the caller the only one who changes the sandbox.
func (c Cluster) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(string(c.Dir), 0o755); err != nil {
		return nil, err
	}
	return cache.Lock(ctx, c.Dir.Lock(), func() {
		c.Progress.Say("waiting: another command is at work on this sandbox")
	})
}

// running returns the records of the nodes whose process 1 lives, by number.
func (c Cluster) running() (map[int]process.Record, error) {
	nodes := map[int]process.Record{}
	for i := 1; i <= layout.MaxNodes; i++ {
		r, err := process.Load(c.Dir.Node(i).Record())
		if err != nil {
			return nil, err
		}
		if r.IsAlive() {
			nodes[i] = r
		}
	}
	return nodes, nil
}

// node returns the record of a node that runs.
func (c Cluster) node(i int) (process.Record, error) {
	r, err := process.Load(c.Dir.Node(i).Record())
	if err != nil {
		return r, err
	}
	if !r.IsAlive() {
		return r, fmt.Errorf("%s does not run: %w", layout.NodeName(i), ErrDown)
	}
	return r, nil
}

// makeKeys makes the cluster's authority and its API server's certificate, which names every way to it: by service, by
// node address, and from the host.
func (c Cluster) makeKeys() (pki.Pair, error) {
	names := []string{"kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local", "localhost", layout.NodeName(1)}
	addresses := []net.IP{net.IPv4(127, 0, 0, 1), net.ParseIP(layout.APIServiceIP), net.ParseIP(layout.NodeIP(1))}
	if err := pki.Create(c.Dir.PKI(), names, addresses); err != nil {
		return pki.Pair{}, err
	}
	return pki.LoadCA(c.Dir.PKI())
}

// connect writes the kubeconfig for the host and returns a client that uses the same way.
func (c Cluster) connect(ca pki.Pair, port int) (*kube.Client, error) {
	admin, err := ca.Client("sandbox:admin", "system:masters")
	if err != nil {
		return nil, err
	}
	server := fmt.Sprintf("https://127.0.0.1:%d", port)
	if err := ca.Kubeconfig(c.Dir.Kubeconfig(), server, admin); err != nil {
		return nil, err
	}
	return kube.New(server, ca.TLS(admin)), nil
}
