package parts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kuberly.io/valkey-operator/test/sandbox/rootfs"
)

// Link makes dir hold what tests without a cluster run: etcd, kube-apiserver, kubectl, valkey-server and valkey-cli.
func (a Assets) Link(dir string) error {
	return a.link(dir, "etcd", "kube-apiserver", "kubectl")
}

// Link makes dir hold every program of a cluster under its own name.
func (p Parts) Link(dir string) error {
	err := p.link(dir, "etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "kubectl")
	if err != nil {
		return err
	}
	return place(filepath.Join(dir, "provisioner"), func(tmp string) error { return os.Symlink(p.Provisioner, tmp) })
}

func (a Assets) link(dir string, names ...string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("link programs: %w", err)
	}
	for _, name := range names {
		if err := place(filepath.Join(dir, name), func(tmp string) error { return os.Symlink(a.Hyper, tmp) }); err != nil {
			return err
		}
	}
	for _, name := range []string{"valkey-server", "valkey-cli"} {
		script, err := rootfs.Launcher(a.Valkey, name)
		if err != nil {
			return err
		}
		err = place(filepath.Join(dir, name), func(tmp string) error { return os.WriteFile(tmp, []byte(script), 0o755) })
		if err != nil {
			return err
		}
	}
	return nil
}

// place puts a file in its place at once, so that a test that runs meanwhile finds either the old or the new one.
func place(path string, create func(tmp string) error) error {
	tmp := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	if err := os.Remove(tmp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("link programs: %w", err)
	}
	if err := create(tmp); err != nil {
		return fmt.Errorf("link programs: %w", err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("link programs: %w", err)
	}
	return nil
}
