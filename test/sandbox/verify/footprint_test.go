//go:build e2e

package verify

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kuberly.io/valkey-operator/test/sandbox/cgroup"
	"kuberly.io/valkey-operator/test/sandbox/layout"
)

// marks are what a sandbox could leave on the host, by kind.
type marks map[string][]string

// footprint looks at the host. Other sandboxes may come and go meanwhile, so of processes and control groups it counts only
// those that the sandbox under test would own.
func footprint() (marks, error) {
	m := marks{}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(mounts)) {
		m["mount"] = append(m["mount"], strings.Fields(line)[4])
	}
	links, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	for _, link := range links {
		m["network interface"] = append(m["network interface"], link.Name)
	}
	processes, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil, err
	}
	for _, path := range processes {
		if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), dir) && !strings.Contains(string(line), "verify.test") {
			m["process"] = append(m["process"], strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	for _, sysctl := range []string{"vm/overcommit_memory", "kernel/panic", "kernel/panic_on_oops", "net/ipv4/ip_forward"} {
		value, err := os.ReadFile("/proc/sys/" + sysctl)
		if err != nil {
			return nil, err
		}
		m["kernel setting"] = append(m["kernel setting"], sysctl+"="+strings.TrimSpace(string(value)))
	}
	for _, path := range []string{"/var/lib/kubelet", "/var/log/pods", "/var/log/containers", "/var/lib/cni"} {
		if _, err := os.Stat(path); err == nil {
			m["folder"] = append(m["folder"], path)
		}
	}
	return m, nil
}

// compare is an error that names what is there after and was not before.
func (before marks) compare(after marks) error {
	var left []string
	for kind, found := range after {
		for _, mark := range found {
			if !slices.Contains(before[kind], mark) {
				left = append(left, kind+" "+mark)
			}
		}
	}
	for _, group := range ownGroups {
		if _, err := os.Stat(group); err == nil {
			left = append(left, "control group "+group)
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("left on the host: %s", strings.Join(left, ", "))
	}
	return nil
}

// ownGroups are the control groups of the sandbox under test, as it recorded them while it was up.
var ownGroups []string

func rememberGroups() error {
	for i := 1; i <= layout.MaxNodes; i++ {
		g, err := cgroup.Load(layout.Dir(dir).Node(i).Cgroups())
		if err != nil {
			return err
		}
		ownGroups = append(ownGroups, g.Dirs...)
	}
	if len(ownGroups) == 0 {
		return errors.New("the sandbox has recorded no control group")
	}
	return nil
}
