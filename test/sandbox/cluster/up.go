package cluster

import (
	"context"
	_ "embed"
	"fmt"
	"net"
	"os"
	"slices"
	"time"

	"kuberly.io/valkey-operator/test/sandbox/cgroup"
	"kuberly.io/valkey-operator/test/sandbox/forward"
	"kuberly.io/valkey-operator/test/sandbox/image"
	"kuberly.io/valkey-operator/test/sandbox/kube"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/network"
	"kuberly.io/valkey-operator/test/sandbox/node"
	"kuberly.io/valkey-operator/test/sandbox/parts"
	"kuberly.io/valkey-operator/test/sandbox/pki"
	"kuberly.io/valkey-operator/test/sandbox/process"
)

// patience is how long a cluster may take to come up on a machine that is busy with other things.
const patience = 5 * time.Minute

//go:embed addons.yaml
var addons string

// Up brings the cluster up with that many nodes, or with as many as it had if nodes is 0, and returns when the nodes are
// ready and names are resolved. Nodes that run already stay; those that are too many are removed.
func (c Cluster) Up(ctx context.Context, built parts.Parts, nodes int) error {
	unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("not up after %s", patience))
	defer cancel()

	s, err := c.loadSettings()
	if err != nil {
		return err
	}
	if nodes == 0 {
		nodes = max(s.Nodes, 1)
	}
	s.Nodes = nodes
	ca, err := c.makeKeys()
	if err != nil {
		return err
	}
	running, started, err := c.startNodes(ctx, built, ca, nodes)
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	go c.watchNodes(ctx, nodes, fail)
	if err := c.plug(ctx, running); err != nil {
		return err
	}
	forwarderStarted, err := c.startForwarder(ctx, &s)
	if err != nil {
		return err
	}
	if err := c.saveSettings(s); err != nil {
		return err
	}
	api, err := c.connect(ca, s.Port)
	if err != nil {
		return err
	}
	defer api.Close()
	if err := c.settle(ctx, api, nodes); err != nil {
		return err
	}
	verb := "up"
	if !started && !forwarderStarted {
		verb = "already up"
	}
	c.Progress.Say("%s: %d node(s) ready, names are resolved", verb, nodes)
	return nil
}

// startNodes starts those of the wanted nodes that do not run and removes those that are not wanted.
func (c Cluster) startNodes(ctx context.Context, built parts.Parts, ca pki.Pair, nodes int) (running map[int]process.Record, started bool, err error) {
	running, err = c.running()
	if err != nil {
		return nil, false, err
	}
	for i := layout.MaxNodes; i >= 1; i-- {
		// The network of all hangs on node 1: without it the others have to start anew.
		_, hasFirst := running[1]
		if _, runs := running[i]; runs && (i > nodes || !hasFirst) {
			c.Progress.Say("end %s", layout.NodeName(i))
			if err := c.endNode(ctx, i); err != nil {
				return nil, false, err
			}
			delete(running, i)
		}
		if i > nodes { // it would come back with pods that the cluster has long forgotten
			if err := os.RemoveAll(string(c.Dir.Node(i))); err != nil {
				return nil, false, fmt.Errorf("forget %s: %w", layout.NodeName(i), err)
			}
		}
	}
	for i := 1; i <= nodes; i++ {
		if _, runs := running[i]; runs {
			c.sayIfOutdated(i, built)
			continue
		}
		record, err := c.startNode(ctx, built, ca, i)
		if err != nil {
			return nil, false, err
		}
		running[i], started = record, true
		c.Progress.Say("%s started (logs: %s)", layout.NodeName(i), c.Dir.Node(i).Log())
	}
	return running, started, nil
}

func (c Cluster) startNode(ctx context.Context, built parts.Parts, ca pki.Pair, i int) (process.Record, error) {
	if err := c.endNode(ctx, i); err != nil { // what a node that died has left
		return process.Record{}, err
	}
	dir := c.Dir.Node(i)
	if err := os.MkdirAll(dir.State(), 0o755); err != nil {
		return process.Record{}, err
	}
	if err := writeCredentials(ca, dir, i); err != nil {
		return process.Record{}, err
	}
	group, err := cgroup.Plan(groupName(c.Dir, i))
	if err != nil {
		return process.Record{}, err
	}
	if err := group.Save(dir.Cgroups()); err != nil {
		return process.Record{}, err
	}
	if err := group.Make(); err != nil {
		return process.Record{}, err
	}
	return node.Launch(ctx, node.Config{
		Index: i, Dir: c.Dir, Hyper: built.Hyper, Provisioner: built.Provisioner, CNI: built.CNI, Images: built.Images, Group: group,
	})
}

func writeCredentials(ca pki.Pair, dir layout.NodeDir, i int) error {
	for client, who := range node.Kubeconfigs(i) {
		pair, err := ca.Client(who[0], who[1:]...)
		if err != nil {
			return err
		}
		if err := ca.Kubeconfig(dir.Kubeconfig(client), layout.APIServer(), pair); err != nil {
			return err
		}
	}
	name := layout.NodeName(i)
	serving, err := ca.Server("system:node:"+name, []string{name}, []net.IP{net.ParseIP(layout.NodeIP(i))})
	if err != nil {
		return err
	}
	return serving.Save(dir.State(), "kubelet")
}

// sayIfOutdated tells a person whose parts have changed why they see no difference.
func (c Cluster) sayIfOutdated(i int, built parts.Parts) {
	runs, err := node.Load(c.Dir.Node(i).Config())
	if err != nil || runs.Hyper != built.Hyper || runs.Provisioner != built.Provisioner || !slices.Equal(runs.Images, built.Images) {
		c.Progress.Say("%s runs parts that have been built anew since: down and up again to take them", layout.NodeName(i))
	}
}

// plug runs a cable to every node that has none. Node 1 plugs itself in.
func (c Cluster) plug(ctx context.Context, running map[int]process.Record) error {
	if len(running) == 1 {
		return nil
	}
	s, err := network.OpenSwitch(running[1].PID)
	if err != nil {
		return err
	}
	defer s.Close()
	for i := 2; i <= layout.MaxNodes; i++ {
		if r, runs := running[i]; runs {
			if err := s.Plug(ctx, i, r.PID); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle waits until the cluster works: the API server answers, the sandbox's own objects are there, nodes are ready and
// names are resolved.
func (c Cluster) settle(ctx context.Context, api *kube.Client, nodes int) error {
	err := kube.Wait(ctx, "the API server", func(ctx context.Context) (bool, error) { return api.IsReady(ctx), nil })
	if err != nil {
		return err
	}
	c.Progress.Say("API server ready")
	manifest := fmt.Sprintf(addons, image.CoreDNS, layout.DNSServiceIP)
	err = kube.Wait(ctx, "the API server to take the sandbox's objects", func(ctx context.Context) (bool, error) {
		err := api.Apply(ctx, manifest)
		return err == nil, err
	})
	if err != nil {
		return err
	}
	for i := 1; i <= nodes; i++ {
		if err := c.awaitNode(ctx, api, i); err != nil {
			return err
		}
		c.Progress.Say("%s ready", layout.NodeName(i))
	}
	for i := nodes + 1; i <= layout.MaxNodes; i++ {
		if err := api.DeleteNode(ctx, layout.NodeName(i)); err != nil {
			return fmt.Errorf("remove %s: %w", layout.NodeName(i), err)
		}
	}
	return kube.Wait(ctx, "DNS", func(ctx context.Context) (bool, error) {
		if err := c.resolve(ctx); err != nil {
			return false, err
		}
		return api.IsAvailable(ctx, "kube-system", "coredns")
	})
}

// awaitNode waits until the node says that it is ready, and has said so since its process 1 was started: after a restart
// the API server still has what it said before.
func (c Cluster) awaitNode(ctx context.Context, api *kube.Client, i int) error {
	info, err := os.Stat(c.Dir.Node(i).Record())
	if err != nil {
		return err
	}
	since := info.ModTime().Truncate(time.Second)
	return kube.Wait(ctx, layout.NodeName(i)+" to be ready", func(ctx context.Context) (bool, error) {
		nodes, err := api.Nodes(ctx)
		n := nodes[layout.NodeName(i)]
		return n.IsReady && !n.Heartbeat.Before(since), err
	})
}

// resolve asks the cluster's DNS for a name by its service address, from inside node 1's network.
func (c Cluster) resolve(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	dial := forward.Within(c.firstPID, net.JoinHostPort(layout.DNSServiceIP, "53"))
	r := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }}
	_, err := r.LookupHost(ctx, "kubernetes.default.svc.cluster.local.")
	return err
}

// watchNodes ends whatever waits for the nodes, with the reason, as soon as a node's process 1 has ended.
func (c Cluster) watchNodes(ctx context.Context, nodes int, fail context.CancelCauseFunc) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(100 * time.Millisecond):
		}
		for i := 1; i <= nodes; i++ {
			if _, err := c.node(i); err != nil {
				fail(fmt.Errorf("%s ended: %s", layout.NodeName(i), node.LastLine(c.Dir.Node(i))))
				return
			}
		}
	}
}
