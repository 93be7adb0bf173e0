package parts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"kuberly.io/valkey-operator/test/sandbox/cache"
	"kuberly.io/valkey-operator/test/sandbox/image"
)

// imageFile is the image in an entry of the cache.
const imageFile = "image.tar"

// goFlags are those of the whole project: with the same flags and versions, the compiler's cache serves the operator and
// the cluster alike.
const goFlags = "-buildvcs=false -gcflags=all=-dwarf=false"

// program is one of the commands below cmd.
type program struct {
	name string
	cost string // what a person should expect when nothing is cached
	tag  string // of the image that is made of it, if any
}

var (
	hyperProgram = program{name: "hyper", cost: "about 9 minutes on two cores when nothing is cached"}
	programs     = []program{
		hyperProgram,
		{name: "coredns", cost: "about a minute", tag: image.CoreDNS},
		{name: "provisioner", cost: "some seconds"},
		{name: "pause", cost: "some seconds", tag: image.Pause},
	}
)

// program returns the folder that holds the built program, and its image if it has one.
func (b Builder) program(ctx context.Context, p program) (string, error) {
	key, err := b.programKey(ctx, p)
	if err != nil {
		return "", err
	}
	if _, ok := b.Cache.Lookup(p.name, key); ok {
		b.Progress.Say("%s: cached", p.name)
	}
	return b.Cache.Get(ctx, p.name, key, b.waiting(p.name), func(ctx context.Context, dir string) error {
		return b.Progress.Step("compile "+p.name+" ("+p.cost+")", func() error {
			binary := filepath.Join(dir, p.name)
			if err := b.compile(ctx, p, binary); err != nil {
				return err
			}
			if p.tag == "" {
				return nil
			}
			return image.Program(filepath.Join(dir, imageFile), p.tag, p.name, binary)
		})
	})
}

func (b Builder) programKey(ctx context.Context, p program) (cache.Key, error) {
	version, err := goVersion(ctx)
	if err != nil {
		return "", err
	}
	r := cache.NewRecipe().Words(p.name, version, goFlags, runtime.GOARCH, p.tag).
		Files(filepath.Join(b.Source, "go.mod")).Files(filepath.Join(b.Source, "go.sum")).
		Files(filepath.Join(b.Source, "cmd", p.name, "*.go"))
	if p.tag != "" {
		r.Files(filepath.Join(b.Source, "image", "*.go"))
	}
	return r.Key()
}

func (b Builder) compile(ctx context.Context, p program, binary string) error {
	flags := "-s -w"
	if p == hyperProgram {
		version, err := b.kubernetesVersion()
		if err != nil {
			return err
		}
		flags += versionFlags(version)
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-p", "4", "-ldflags", flags, "-o", binary, "./cmd/"+p.name)
	cmd.Dir = b.Source
	// GOGC: the linker alone needs gigabytes, and collecting them costs a quarter of the time.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+goFlags, "GOGC=800", "GOWORK=off", "GOOS=linux", "GOARCH="+runtime.GOARCH)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("go build %s: %w\n%s", p.name, err, strings.TrimSpace(complaints.String()))
	}
	return nil
}

var kubernetesRequirement = regexp.MustCompile(`(?m)^\s*k8s\.io/kubernetes (v(\d+)\.(\d+)\.\S+)$`)

// kubernetesVersion returns the version of k8s.io/kubernetes, as in [v1.37.2 1 37].
func (b Builder) kubernetesVersion() ([3]string, error) {
	content, err := os.ReadFile(filepath.Join(b.Source, "go.mod"))
	if err != nil {
		return [3]string{}, err
	}
	m := kubernetesRequirement.FindSubmatch(content)
	if m == nil {
		return [3]string{}, errors.New("go.mod does not require k8s.io/kubernetes")
	}
	return [3]string{string(m[1]), string(m[2]), string(m[3])}, nil
}

// versionFlags set what the programs say about their version: clients and kubelets compare it.
func versionFlags(version [3]string) string {
	var flags strings.Builder
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		for name, value := range map[string]string{
			"gitVersion": version[0], "gitMajor": version[1], "gitMinor": version[2], "gitTreeState": "clean",
		} {
			fmt.Fprintf(&flags, " -X %s.%s=%s", pkg, name, value)
		}
	}
	return flags.String()
}

func goVersion(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").Output()
	if err != nil {
		return "", fmt.Errorf("ask go for its version: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
