package debs

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Unpack writes the programs and libraries of a .deb below root; documentation, locales and the like are left out. As in
// Debian's merged layout, what a package has in /bin, /sbin and /lib comes to lie in /usr. Owners are not kept.
func Unpack(ctx context.Context, deb, root string) error {
	cmd := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", deb)
	stream, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("unpack %s: %w", filepath.Base(deb), err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("unpack %s: %w", filepath.Base(deb), err)
	}
	err = extract(stream, root)
	if err == nil {
		_, err = io.Copy(io.Discard, stream) // tar's padding; dpkg-deb fails if it cannot write it
	}
	if err := errors.Join(err, cmd.Wait()); err != nil {
		return fmt.Errorf("unpack %s: %w", filepath.Base(deb), err)
	}
	return nil
}

func extract(stream io.Reader, root string) error {
	archive := tar.NewReader(stream)
	for {
		h, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name, ok := destination(h.Name)
		if !ok {
			continue
		}
		if err := extractOne(archive, h, root, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// destination maps a name in a package to its place below root; false means that nobody here needs it.
func destination(name string) (string, bool) {
	if !filepath.IsLocal(name) {
		return "", false
	}
	name = filepath.Clean(name)
	for _, dir := range []string{"bin", "sbin", "lib", "lib64"} {
		if strings.HasPrefix(name, dir+"/") {
			name = "usr/" + name
		}
	}
	for _, dir := range []string{"usr/bin/", "usr/sbin/", "usr/lib/", "usr/lib64/"} {
		if strings.HasPrefix(name, dir) {
			return name, true
		}
	}
	return "", false
}

func extractOne(content io.Reader, h *tar.Header, root, name string) error {
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeReg:
		return writeFile(path, content, h.FileInfo().Mode().Perm())
	case tar.TypeSymlink:
		return replace(path, func() error { return os.Symlink(h.Linkname, path) })
	case tar.TypeLink:
		target, ok := destination(h.Linkname)
		if !ok {
			return nil
		}
		return replace(path, func() error { return os.Link(filepath.Join(root, target), path) })
	default: // folders come with their files
		return nil
	}
}

func writeFile(path string, content io.Reader, mode os.FileMode) error {
	return replace(path, func() error {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, content)
		return errors.Join(err, f.Close())
	})
}

func replace(path string, create func() error) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return create()
}

var upstream = regexp.MustCompile(`^(?:\d+:)?(\d+\.\d+\.\d+)`)

// Version returns the upstream version (as in 9.1.2) of the package called name, which is one of the .debs.
func Version(debs []string, name string) (string, error) {
	for _, deb := range debs {
		// A file is called name_version_arch.deb, with the colon of an epoch written as %3a.
		fields := strings.Split(filepath.Base(deb), "_")
		if len(fields) != 3 || fields[0] != name {
			continue
		}
		m := upstream.FindStringSubmatch(strings.ReplaceAll(fields[1], "%3a", ":"))
		if m == nil {
			return "", fmt.Errorf("package %s has version %q, which is not of the form 1.2.3", name, fields[1])
		}
		return m[1], nil
	}
	return "", fmt.Errorf("package %s was not downloaded", name)
}
