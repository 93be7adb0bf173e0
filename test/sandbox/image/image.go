// Package image packs folders into container images and writes them as docker-archive tars, which containerd imports. It
// never speaks to a registry.
package image

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Spec is what an image says about itself.
type Spec struct {
	Tags       []string
	Entrypoint []string
	Cmd        []string
	Env        []string // beside PATH
	User       string
	WorkingDir string
	Ports      []string // as in 6379/tcp
	Volumes    []string
}

// Write packs the files into one layer and writes the image to file. The same files give the same bytes.
func Write(file string, spec Spec, files []File) error {
	img, err := build(spec, files)
	if err != nil {
		return fmt.Errorf("pack image: %w", err)
	}
	tags := map[name.Tag]v1.Image{}
	for _, t := range spec.Tags {
		tag, err := name.NewTag(t, name.WeakValidation)
		if err != nil {
			return fmt.Errorf("pack image: %w", err)
		}
		tags[tag] = img
	}
	tmp := file + ".tmp"
	if err := tarball.MultiWriteToFile(tmp, tags); err != nil {
		return errors.Join(fmt.Errorf("write image %s: %w", filepath.Base(file), err), os.RemoveAll(tmp))
	}
	return os.Rename(tmp, file)
}

func build(spec Spec, files []File) (v1.Image, error) {
	var layer bytes.Buffer
	if err := writeLayer(&layer, files); err != nil {
		return nil, err
	}
	// Not compressed: the tar never leaves this machine, and importing it is part of every cold start.
	img, err := mutate.AppendLayers(mutate.MediaType(empty.Image, types.DockerManifestSchema2),
		static.NewLayer(layer.Bytes(), types.DockerUncompressedLayer))
	if err != nil {
		return nil, err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", runtime.GOARCH
	config.Created = v1.Time{Time: time.Unix(0, 0).UTC()}
	config.Config = v1.Config{
		Entrypoint: spec.Entrypoint, Cmd: spec.Cmd, Env: append([]string{path}, spec.Env...),
		User: spec.User, WorkingDir: spec.WorkingDir, ExposedPorts: set(spec.Ports), Volumes: set(spec.Volumes),
	}
	return mutate.ConfigFile(img, config)
}

func set(words []string) map[string]struct{} {
	if len(words) == 0 {
		return nil
	}
	m := map[string]struct{}{}
	for _, w := range words {
		m[w] = struct{}{}
	}
	return m
}

// Tags returns the tags of the images in a docker-archive tar.
func Tags(file string) ([]string, error) {
	manifest, err := tarball.LoadManifest(func() (io.ReadCloser, error) { return os.Open(file) })
	if err != nil {
		return nil, fmt.Errorf("%s is no docker-archive tar: %w", file, err)
	}
	var tags []string
	for _, m := range manifest {
		tags = append(tags, m.RepoTags...)
	}
	if len(tags) == 0 {
		return nil, fmt.Errorf("%s has no image with a tag", file)
	}
	return tags, nil
}
