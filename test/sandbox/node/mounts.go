package node

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// mountAll gives the node its own view of the host's files. All of it goes with the mount namespace.
func mountAll(c Config) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("part from the host's mounts: %w", err)
	}
	run := filepath.Join(string(c.folder()), "run")
	if err := mountRun(c, run); err != nil {
		return err
	}
	// Process, device and control group files of the node's own namespaces.
	if err := mount("proc", "/proc", "proc"); err != nil {
		return err
	}
	if err := os.WriteFile("/proc/1/comm", []byte("sandbox-"+c.name()), 0o644); err != nil { // else it is called exe
		return fmt.Errorf("name process 1: %w", err)
	}
	if err := mount("sysfs", "/sys", "sysfs"); err != nil {
		return err
	}
	if err := c.Group.Mount("/sys/fs/cgroup"); err != nil {
		return err
	}
	// The kubelet insists on some paths here; on the host it must leave nothing behind.
	for _, dir := range []string{"/var/lib", "/var/log"} {
		if err := mount("tmpfs", dir, "tmpfs"); err != nil {
			return err
		}
	}
	if err := unix.Mount(run, "/run", "", unix.MS_MOVE, ""); err != nil {
		return fmt.Errorf("mount /run: %w", err)
	}
	if err := fakeSysctls(); err != nil {
		return err
	}
	if err := nameFiles(c); err != nil {
		return err
	}
	// What the kubelet mounts for a pod must be seen by the runtime's own namespaces.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, ""); err != nil {
		return fmt.Errorf("share mounts: %w", err)
	}
	return nil
}

// mountRun prepares the node's /run aside, since the one that it replaces may hide what is to be bound into it.
func mountRun(c Config, run string) error {
	if err := mount("tmpfs", run, "tmpfs"); err != nil {
		return err
	}
	at := func(inside string) string { return filepath.Join(run, inside[len("/run"):]) }
	bin := at(BinDir)
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	for inside, source := range map[string]string{
		state: c.folder().State(), logs: c.folder().Log(), keys: c.Dir.PKI(), volumes: c.Dir.Volumes(), loaded: c.Dir.Images(),
	} {
		if err := os.MkdirAll(at(inside), 0o755); err != nil {
			return err
		}
		if err := bind(source, at(inside)); err != nil {
			return err
		}
	}
	if err := bindFile(c.Hyper, filepath.Join(bin, "hyper")); err != nil {
		return err
	}
	if err := bindFile(c.Provisioner, filepath.Join(bin, "provisioner")); err != nil {
		return err
	}
	for _, name := range programs {
		if err := os.Symlink("hyper", filepath.Join(bin, name)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(at(images), 0o755); err != nil {
		return err
	}
	for i, image := range c.Images {
		if err := bindFile(image, filepath.Join(at(images), strconv.Itoa(i)+".tar")); err != nil {
			return err
		}
	}
	return nil
}

// fakeSysctls lets the kubelet find the kernel settings that it wants without changing the host's: they belong to no
// namespace (setupKernelTunables in the kubelet's container manager).
func fakeSysctls() error {
	dir := filepath.Join(Inside, "sysctl")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for path, value := range map[string]string{
		"vm/overcommit_memory": "1", "vm/panic_on_oom": "0", "kernel/panic": "10", "kernel/panic_on_oops": "1",
		"kernel/keys/root_maxkeys": "1000000", "kernel/keys/root_maxbytes": "25000000",
	} {
		target := "/proc/sys/" + path
		if _, err := os.Stat(target); err != nil {
			continue // a kernel without it: the kubelet will say what it misses
		}
		source := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(source, []byte(value+"\n"), 0o644); err != nil {
			return err
		}
		if err := bind(source, target); err != nil {
			return err
		}
	}
	return nil
}

// nameFiles gives the node its name, and a resolver that answers "refused" at once: there is nothing to resolve outside.
func nameFiles(c Config) error {
	if err := unix.Sethostname([]byte(c.name())); err != nil {
		return fmt.Errorf("set host name: %w", err)
	}
	for path, content := range map[string]string{
		"/etc/hosts":       hosts(c.Index),
		"/etc/resolv.conf": resolvConf(c.Index),
	} {
		source := filepath.Join(Inside, filepath.Base(path))
		if err := os.WriteFile(source, []byte(content), 0o644); err != nil {
			return err
		}
		if _, err := os.Stat(path); err != nil {
			continue // a link into the host's /run, say, which the node does not see
		}
		if err := bind(source, path); err != nil {
			return err
		}
	}
	return nil
}

func mount(what, where, kind string) error {
	options := ""
	if kind == "tmpfs" {
		options = "mode=755"
	}
	if err := unix.Mount(what, where, kind, 0, options); err != nil {
		return fmt.Errorf("mount %s: %w", where, err)
	}
	return nil
}

func bind(source, target string) error {
	if err := unix.Mount(source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind %s: %w", target, err)
	}
	return nil
}

func bindFile(source, target string) error {
	if err := os.WriteFile(target, nil, 0o755); err != nil {
		return err
	}
	return bind(source, target)
}
