package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"kuberly.io/valkey-operator/test/sandbox/image"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/node"
)

// Load takes the images of a docker-archive tar into every node, and keeps the tar for nodes that join later.
func (c Cluster) Load(ctx context.Context, tar string) error {
	tags, err := image.Tags(tar)
	if err != nil {
		return err
	}
	unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	running, err := c.running()
	if err != nil {
		return err
	}
	if len(running) == 0 {
		return ErrDown
	}
	kept, err := c.keep(tar, tags[0])
	if err != nil {
		return fmt.Errorf("keep image: %w", err)
	}
	group, ctx := errgroup.WithContext(ctx)
	for i, record := range running {
		group.Go(func() error {
			if err := importInto(ctx, record.PID, c.Dir.Node(i), kept); err != nil {
				return fmt.Errorf("load into %s: %w", layout.NodeName(i), err)
			}
			return node.MarkImported(c.Dir.Node(i), kept)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	c.Progress.Say("loaded %s into %d node(s)", strings.Join(tags, " "), len(running))
	return nil
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// keep copies the tar to the cluster's folder of images; a later one of the same name takes its place.
func (c Cluster) keep(tar, tag string) (string, error) {
	if err := os.MkdirAll(c.Dir.Images(), 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(c.Dir.Images(), unsafe.ReplaceAllString(tag, "_")+".tar")
	from, err := os.Open(tar)
	if err != nil {
		return "", err
	}
	defer func() { _ = from.Close() }()
	to, err := os.Create(path + ".tmp")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	if err := errors.Join(err, to.Close()); err != nil {
		return "", err
	}
	return path, os.Rename(path+".tmp", path)
}

func importInto(ctx context.Context, pid int, dir layout.NodeDir, tar string) error {
	command, err := node.ImportArgs(dir.State())
	if err != nil {
		return err
	}
	f, err := os.Open(tar)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	// The runtime's socket is in the node's own mounts, where the tar may be hidden: it comes by standard input.
	args := append([]string{"--target", strconv.Itoa(pid), "--mount", "--", "ctr"}, command...)
	cmd := exec.CommandContext(ctx, "nsenter", append(args, "-")...)
	var output bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = f, &output, &output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("ctr import: %w: %s", err, strings.TrimSpace(output.String()))
	}
	return nil
}
