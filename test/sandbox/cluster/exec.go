package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"kuberly.io/valkey-operator/test/sandbox/node"
)

// Exec replaces the calling process by args, run in the network of node i, or in all of the node's namespaces. So the exit
// code and the signals are the program's own.
func (c Cluster) Exec(i int, everything bool, args []string) error {
	record, err := c.node(i)
	if err != nil {
		return err
	}
	nsenter, err := exec.LookPath("nsenter")
	if err != nil {
		return err
	}
	namespaces, bin := []string{"--net"}, c.Dir.Bin()
	if everything {
		// The host's folders of the sandbox may be hidden in there; the node's own are not.
		namespaces, bin = []string{"--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"}, node.BinDir
	}
	path := bin + ":" + os.Getenv("PATH")
	kubeconfig := c.Dir.Node(i).Kubeconfig(node.Admin)
	if everything {
		kubeconfig = node.AdminKubeconfig
	}
	argv := append([]string{"nsenter", "--target", strconv.Itoa(record.PID)}, namespaces...)
	argv = append(append(argv, "--"), args...)
	if err := unix.Exec(nsenter, argv, setenv(os.Environ(), "PATH="+path, "KUBECONFIG="+kubeconfig)); err != nil {
		return fmt.Errorf("run %s: %w", args[0], err)
	}
	return nil // not reached
}

// setenv returns env with the variables set, each once.
func setenv(env []string, variables ...string) []string {
	var out []string
	for _, old := range env {
		name, _, _ := strings.Cut(old, "=")
		replaced := false
		for _, v := range variables {
			replaced = replaced || strings.HasPrefix(v, name+"=")
		}
		if !replaced {
			out = append(out, old)
		}
	}
	return append(out, variables...)
}
