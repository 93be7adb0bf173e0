// Package layout says where everything of a sandbox lies: the files of its state folder, and the addresses of its
// network. It touches neither.
package layout

import (
	"fmt"
	"path/filepath"
)

// MaxNodes is how many nodes a sandbox may have.
const MaxNodes = 3

// Dir is the state folder of a sandbox, an absolute path.
type Dir string

// Assets is the folder of the programs that tests without a cluster run.
func (d Dir) Assets() string { return d.path("assets") }

// Bin is the folder of all programs under their own names.
func (d Dir) Bin() string { return d.path("bin") }

// Kubeconfig is the file that works from the host.
func (d Dir) Kubeconfig() string { return d.path("kubeconfig") }

// Lock is the file that whoever changes the sandbox holds.
func (d Dir) Lock() string { return d.path("lock") }

// Forwarder is the record of the forwarder's process; its log lies beside it.
func (d Dir) Forwarder() string { return d.path("forwarder.json") }

// ForwarderLog is where the forwarder complains.
func (d Dir) ForwarderLog() string { return d.path("forwarder.log") }

// Config is what outlives the cluster's processes: its number of nodes and its port.
func (d Dir) Config() string { return d.path("cluster.json") }

// PKI is the folder of the cluster's keys and certificates.
func (d Dir) PKI() string { return d.path("pki") }

// Volumes is the folder of the claims' data, one for all nodes.
func (d Dir) Volumes() string { return d.path("volumes") }

// Images is the folder of the images that were loaded, so that a node that joins later gets them too.
func (d Dir) Images() string { return d.path("images") }

// Node is the folder of node i, counted from 1.
func (d Dir) Node(i int) NodeDir { return NodeDir(d.path(NodeName(i))) }

func (d Dir) path(name string) string { return filepath.Join(string(d), name) }

// NodeDir is the folder of one node.
type NodeDir string

// Record is the record of the node's process 1.
func (n NodeDir) Record() string { return n.path("process.json") }

// Cgroups is the record of the cgroups that were made for the node.
func (n NodeDir) Cgroups() string { return n.path("cgroups.json") }

// Config is what process 1 of the node is told.
func (n NodeDir) Config() string { return n.path("node.json") }

// Kubeconfig is the file of one of the node's clients; it works inside the nodes' network.
func (n NodeDir) Kubeconfig(client string) string {
	return filepath.Join(n.State(), client+".kubeconfig")
}

// Log is the folder of the logs of the node's programs.
func (n NodeDir) Log() string { return n.path("log") }

// State is the folder that the node sees as its own.
func (n NodeDir) State() string { return n.path("state") }

func (n NodeDir) path(name string) string { return filepath.Join(string(n), name) }

// Addresses of the cluster. They exist in the nodes' own network namespaces only, from which nothing leads out.
const (
	APIPort      = 6443
	APIServiceIP = "10.96.0.1"
	DNSServiceIP = "10.96.0.10"
	ServiceCIDR  = "10.96.0.0/16"
	PodCIDR      = "10.244.0.0/16"
	NodeBits     = 24
	PodBits      = 24
)

// NodeName is the name of node i, counted from 1.
func NodeName(i int) string { return fmt.Sprintf("node%d", i) }

// NodeIP is the address of node i on the nodes' bridge.
func NodeIP(i int) string { return fmt.Sprintf("10.88.0.%d", i) }

// NodePodCIDR is the network of the pods on node i.
func NodePodCIDR(i int) string { return fmt.Sprintf("10.244.%d.0/24", i) }

// APIServer is the address of the API server inside the nodes' network.
func APIServer() string { return fmt.Sprintf("https://%s:%d", NodeIP(1), APIPort) }
