// Package rootfs makes the root folder of an image out of unpacked packages: the programs that are asked for and the
// shared libraries that those need, nothing more. It never runs what it copies.
package rootfs

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Root is a folder that becomes the root of an image.
type Root struct {
	dir  string
	from string // unpacked packages, in Debian's merged layout
	libs map[string]bool
}

// New makes the folders that every image has in dir; programs will come from the packages unpacked in from.
func New(dir, from string) (*Root, error) {
	for _, d := range []string{"usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "usr/local/bin", "etc", "tmp", "root", "proc", "sys", "dev", "run", "var"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return nil, fmt.Errorf("make root folder: %w", err)
		}
	}
	for _, d := range []string{"bin", "sbin", "lib", "lib64"} {
		if err := os.Symlink("usr/"+d, filepath.Join(dir, d)); err != nil {
			return nil, fmt.Errorf("make root folder: %w", err)
		}
	}
	return &Root{dir: dir, from: from, libs: map[string]bool{}}, nil
}

// Program copies a program out of the packages to the path to in the root, with the libraries that it needs. Its name is
// looked up in the packages' bin and sbin.
func (r *Root) Program(name, to string) error {
	source, err := r.find(name, "usr/bin", "usr/sbin")
	if err != nil {
		return err
	}
	if err := copyFile(source, filepath.Join(r.dir, to)); err != nil {
		return fmt.Errorf("copy %s: %w", name, err)
	}
	return r.needs(source)
}

// Library copies a library that no program names but opens itself while it runs.
func (r *Root) Library(soname string) error { return r.library(soname) }

// File writes a file of the root.
func (r *Root) File(path, content string, mode os.FileMode) error {
	return os.WriteFile(filepath.Join(r.dir, path), []byte(content), mode)
}

// Link makes a symbolic link in the root unless something lies there already.
func (r *Root) Link(target, path string) error {
	err := os.Symlink(target, filepath.Join(r.dir, path))
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

// needs copies the loader and the libraries that the program or library at path names.
func (r *Root) needs(path string) error {
	f, err := elf.Open(path)
	if err != nil {
		if isScript(path) {
			return nil
		}
		return fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	defer func() { _ = f.Close() }()
	if err := r.interpreter(f); err != nil {
		return err
	}
	sonames, err := f.ImportedLibraries()
	if err != nil {
		return fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	for _, soname := range sonames {
		if err := r.library(soname); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

func (r *Root) library(soname string) error {
	if r.libs[soname] || strings.HasPrefix(soname, "ld-linux") { // the loader lies where the program looks for it
		return nil
	}
	r.libs[soname] = true
	source, err := r.find(soname, "usr/lib/*-linux-gnu*", "usr/lib")
	if err != nil {
		return err
	}
	dir, err := filepath.Rel(r.from, filepath.Dir(source))
	if err != nil {
		return err
	}
	if err := copyFile(source, filepath.Join(r.dir, dir, soname)); err != nil {
		return fmt.Errorf("copy %s: %w", soname, err)
	}
	return r.needs(source)
}

// interpreter copies the loader to the very path that the program names, as /lib64/ld-linux-x86-64.so.2.
func (r *Root) interpreter(f *elf.File) error {
	section := f.Section(".interp")
	if section == nil {
		return nil
	}
	content, err := section.Data()
	if err != nil {
		return fmt.Errorf("read the loader's name: %w", err)
	}
	path := strings.TrimRight(string(content), "\x00")
	to := filepath.Join(r.dir, "usr", path)
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	source, err := r.find(filepath.Base(path), "usr"+filepath.Dir(path), "usr/lib/*-linux-gnu*", "usr/lib")
	if err != nil {
		return err
	}
	return copyFile(source, to)
}

// find returns the file called name in the first of the folders that has it, which may be patterns.
func (r *Root) find(name string, dirs ...string) (string, error) {
	for _, dir := range dirs {
		found, err := filepath.Glob(filepath.Join(r.from, dir, name))
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			return found[0], nil
		}
	}
	return "", fmt.Errorf("the packages have no %s", name)
}

func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 2)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "#!"
}

// copyFile copies what a link leads to, so that the copy needs no other file.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}
