package parts

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"kuberly.io/valkey-operator/test/sandbox/cache"
	"kuberly.io/valkey-operator/test/sandbox/debs"
	"kuberly.io/valkey-operator/test/sandbox/image"
	"kuberly.io/valkey-operator/test/sandbox/rootfs"
)

// release is a Valkey as a Debian suite has it. The image gets its real version's tags, whatever the suite has by now;
// the pinned tags are those that tests and samples name, and always resolve.
type release struct {
	suite  string
	pinned []string
}

var (
	current = release{suite: "forky", pinned: []string{"9.1", "latest"}}
	older   = release{suite: "trixie", pinned: []string{"8.1"}} // an upgrade needs something to start from
)

// valkeyEntry is a folder of the cache with an unpacked Valkey and its image.
type valkeyEntry string

func (e valkeyEntry) root() string  { return filepath.Join(string(e), "root") }
func (e valkeyEntry) image() string { return filepath.Join(string(e), imageFile) }

// valkey returns the release's Valkey. What is cached stays: which version a suite has today is asked once.
func (b Builder) valkey(ctx context.Context, r release) (valkeyEntry, error) {
	part := "valkey-" + r.suite
	key, err := b.valkeyKey(r)
	if err != nil {
		return "", err
	}
	if _, ok := b.Cache.Lookup(part, key); ok {
		b.Progress.Say("%s: cached", part)
	}
	dir, err := b.Cache.Get(ctx, part, key, b.waiting(part), func(ctx context.Context, dir string) error {
		return b.Progress.Step("fetch and pack Valkey of Debian "+r.suite, func() error {
			return b.packValkey(ctx, r, valkeyEntry(dir))
		})
	})
	return valkeyEntry(dir), err
}

func (b Builder) valkeyKey(r release) (cache.Key, error) {
	recipe := cache.NewRecipe().Words(r.suite, runtime.GOARCH).Words(r.pinned...).Words(rootfs.ValkeyPackages...)
	for _, pkg := range []string{"debs", "image", "rootfs"} {
		recipe.Files(filepath.Join(b.Source, pkg, "*.go"))
	}
	return recipe.Key()
}

func (b Builder) packValkey(ctx context.Context, r release, entry valkeyEntry) error {
	suite, err := debs.Open(ctx, b.Cache.Dir("apt-"+r.suite), r.suite)
	if err != nil {
		return err
	}
	archives, err := suite.Download(ctx, rootfs.ValkeyPackages...)
	if err != nil {
		return err
	}
	version, err := debs.Version(archives, "valkey-server")
	if err != nil {
		return err
	}
	unpacked := filepath.Join(string(entry), "unpacked")
	for _, deb := range archives {
		if err := debs.Unpack(ctx, deb, unpacked); err != nil {
			return err
		}
	}
	if err := rootfs.Valkey(entry.root(), unpacked); err != nil {
		return err
	}
	if err := os.RemoveAll(unpacked); err != nil {
		return err
	}
	b.Progress.Say("Debian %s has Valkey %s: %s", r.suite, version, strings.Join(image.ValkeyTags(version, r.pinned...), " "))
	return image.Valkey(entry.image(), entry.root(), version, r.pinned...)
}
