// Package parts builds everything that a sandbox cluster is made of and keeps it in the cache: the programs, the images
// and the host's packages. It knows what each part is built from, and never how a cluster runs.
package parts

import (
	"context"
	"fmt"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"kuberly.io/valkey-operator/test/sandbox/cache"
	"kuberly.io/valkey-operator/test/sandbox/debs"
	"kuberly.io/valkey-operator/test/sandbox/progress"
)

// Builder builds parts from the sources in Source, the folder test/sandbox.
type Builder struct {
	Source   string
	Cache    cache.Cache
	Progress *progress.Printer
}

// Assets are what tests need that have no cluster: etcd, API server and kubectl in one binary, and a Valkey root folder.
type Assets struct {
	Hyper  string
	Valkey string
}

// Parts are all that a cluster needs.
type Parts struct {
	Assets

	Provisioner string
	Images      []string // docker-archive tars, the ones that a cluster cannot start without first
	CNI         string   // the folder of the network plugins
}

// Assets builds what tests need that have no cluster. It needs no root.
func (b Builder) Assets(ctx context.Context) (Assets, error) {
	var hyper string
	var valkey valkeyEntry
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) { hyper, err = b.program(ctx, hyperProgram); return err })
	group.Go(func() (err error) { valkey, err = b.valkey(ctx, current); return err })
	if err := group.Wait(); err != nil {
		return Assets{}, err
	}
	return Assets{Hyper: filepath.Join(hyper, hyperProgram.name), Valkey: valkey.root()}, nil
}

// All builds every part and installs the host's packages that are missing, which needs root.
func (b Builder) All(ctx context.Context) (Parts, error) {
	dirs := map[string]string{}
	var newest, previous valkeyEntry
	var cni string
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		for _, p := range programs { // one after the other: each uses every core
			dir, err := b.program(ctx, p)
			if err != nil {
				return err
			}
			dirs[p.name] = dir
		}
		return nil
	})
	group.Go(func() (err error) {
		if cni, err = b.system(ctx); err != nil {
			return err
		}
		if newest, err = b.valkey(ctx, current); err != nil {
			return err
		}
		previous, err = b.valkey(ctx, older)
		return err
	})
	if err := group.Wait(); err != nil {
		return Parts{}, err
	}
	return Parts{
		Assets:      Assets{Hyper: filepath.Join(dirs["hyper"], "hyper"), Valkey: newest.root()},
		Provisioner: filepath.Join(dirs["provisioner"], "provisioner"),
		Images: []string{
			filepath.Join(dirs["pause"], imageFile), filepath.Join(dirs["coredns"], imageFile),
			newest.image(), previous.image(),
		},
		CNI: cni,
	}, nil
}

// waiting says why nothing seems to happen.
func (b Builder) waiting(part string) func() {
	return func() { b.Progress.Say("waiting: another process builds %s", part) }
}

// Needs are the programs that a node takes from the host.
var Needs = []debs.Need{
	{Program: "containerd", Package: "containerd"},
	{Program: "ctr", Package: "containerd"},
	{Program: "containerd-shim-runc-v2", Package: "containerd"},
	{Program: "runc", Package: "runc", Paths: []string{"/usr/sbin/runc"}},
	{Program: "nft", Package: "nftables", Paths: []string{"/usr/sbin/nft"}},
	{Program: "ip", Package: "iproute2", Paths: []string{"/usr/sbin/ip"}},
	{Program: "nsenter", Package: "util-linux"},
	{Program: "mount", Package: "mount"},
	{Program: "ps", Package: "procps"},
	bridgePlugin,
}

var bridgePlugin = debs.Need{
	Program: "no-program-on-the-path/bridge", Package: "containernetworking-plugins",
	Paths: []string{"/usr/lib/cni/bridge", "/opt/cni/bin/bridge", "/usr/libexec/cni/bridge"},
}

// system installs what the host lacks and returns the folder of the network plugins.
func (b Builder) system(ctx context.Context) (string, error) {
	missing := debs.Missing(Needs)
	if len(missing) == 0 {
		b.Progress.Say("host packages: there already")
		return filepath.Dir(bridgePlugin.Find()), nil
	}
	err := b.Progress.Step(fmt.Sprintf("install host packages %v", missing), func() error { return debs.Install(ctx, missing) })
	if err != nil {
		return "", err
	}
	if still := debs.Missing(Needs); len(still) > 0 {
		return "", fmt.Errorf("packages %v are installed, but their programs are not found", still)
	}
	return filepath.Dir(bridgePlugin.Find()), nil
}
