package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/reaper"
)

// importedFile records which images the runtime has taken in already: it keeps them over a restart of the node.
const importedFile = state + "/imported.json"

// importImages takes in the cluster's own images, then those that were loaded into the cluster before this node started.
func importImages(ctx context.Context, r *reaper.Reaper) error {
	own, _ := filepath.Glob(images + "/*.tar") // the patterns are well-formed
	extra, _ := filepath.Glob(loaded + "/*.tar")
	done := map[string]string{}
	content, err := os.ReadFile(importedFile)
	if err == nil {
		err = json.Unmarshal(content, &done)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("import images: %w", err)
	}
	for _, tar := range append(own, extra...) {
		mark, err := markOf(tar)
		if err != nil {
			return fmt.Errorf("import images: %w", err)
		}
		if done[tar] == mark {
			continue
		}
		if err := importImage(ctx, r, tar); err != nil {
			return err
		}
		done[tar] = mark
	}
	content, err = json.Marshal(done)
	if err != nil {
		return err
	}
	return os.WriteFile(importedFile, content, 0o644)
}

// MarkImported records that the running node has taken in the image of the cluster's folder, so that its next start need not.
func MarkImported(dir layout.NodeDir, tar string) error {
	mark, err := markOf(tar)
	if err != nil {
		return err
	}
	path := filepath.Join(dir.State(), filepath.Base(importedFile))
	done := map[string]string{}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, &done); err != nil {
		return fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	done[filepath.Join(loaded, filepath.Base(tar))] = mark
	if content, err = json.Marshal(done); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// markOf tells two contents of a file apart.
func markOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano()), nil
}

func importImage(ctx context.Context, r *reaper.Reaper, tar string) error {
	ctr, err := exec.LookPath("ctr")
	if err != nil {
		return fmt.Errorf("import images: %w", err)
	}
	args, err := ImportArgs(state)
	if err != nil {
		return fmt.Errorf("import images: %w", err)
	}
	if err := r.Run(ctx, command(ctr, "ctr", append(args, tar)...)); err != nil {
		return fmt.Errorf("import %s: %w (see ctr.log)", filepath.Base(tar), err)
	}
	return nil
}

// ImportArgs are the arguments of ctr, but for the file, that import an image for the kubelet of the node to see whose state
// folder is given.
func ImportArgs(state string) ([]string, error) {
	snapshotter, err := snapshotterFor(state)
	return []string{"--address", socket, "--namespace", "k8s.io", "images", "import", "--snapshotter", snapshotter}, err
}

// awaitAddress waits until something takes connections there.
func awaitAddress(ctx context.Context, network, address string) error {
	for {
		conn, err := net.DialTimeout(network, address, time.Second)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(30 * time.Millisecond):
		}
	}
}
