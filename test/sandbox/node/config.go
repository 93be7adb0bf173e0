// Package node is one node of a sandbox cluster: the namespaces that it lives in, and process 1 in them, which mounts what
// the node sees, joins its network and runs its programs. It reaches into no other node; what happens to the cluster as a
// whole is decided outside.
package node

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"kuberly.io/valkey-operator/test/sandbox/cgroup"
	"kuberly.io/valkey-operator/test/sandbox/layout"
)

// Config is what process 1 of a node is told.
type Config struct {
	Index       int          `json:"index"`
	Dir         layout.Dir   `json:"dir"`
	Hyper       string       `json:"hyper"`
	Provisioner string       `json:"provisioner"`
	CNI         string       `json:"cni"`
	Images      []string     `json:"images"`
	Group       cgroup.Group `json:"group"`
}

func (c Config) name() string           { return layout.NodeName(c.Index) }
func (c Config) folder() layout.NodeDir { return c.Dir.Node(c.Index) }
func (c Config) isControlPlane() bool   { return c.Index == 1 }

// Save writes the configuration where Load finds it.
func (c Config) Save() error {
	content, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(c.folder().Config(), append(content, '\n'), 0o644)
}

// Load reads a configuration.
func Load(path string) (Config, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return Config{}, err
	}
	var c Config
	if err := json.Unmarshal(content, &c); err != nil {
		return Config{}, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	return c, nil
}

// What the node sees of the host's files lies in one place, whatever the host's paths are: the addresses of sockets are
// short enough there, and folders that the node hides, such as /var/lib, may hold the repository.
const (
	Inside  = "/run/sandbox"
	BinDir  = Inside + "/bin"
	state   = Inside + "/state"
	logs    = Inside + "/log"
	keys    = Inside + "/pki"
	volumes = Inside + "/volumes"
	images  = Inside + "/images"
	loaded  = Inside + "/loaded"
	socket  = "/run/containerd/containerd.sock"
)

// programs are the names by which hyper is called.
var programs = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "kubectl"}
