package image

import (
	"archive/tar"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is one entry of a layer. Content comes from Source, a path on this machine, or from Text.
type File struct {
	Path   string // without a leading slash
	Mode   fs.FileMode
	UID    int
	GID    int
	Link   string
	Source string
	Text   string
}

// Tree returns the files below root as entries that root owns, whoever unpacked them.
func Tree(root string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		f, err := fileOf(root, path, d)
		if err == nil {
			files = append(files, f)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", root, err)
	}
	return files, nil
}

func fileOf(root, path string, d fs.DirEntry) (File, error) {
	info, err := d.Info()
	if err != nil {
		return File{}, err
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return File{}, err
	}
	f := File{Path: rel, Mode: info.Mode()}
	switch {
	case info.Mode().IsRegular():
		f.Source = path
	case info.Mode()&fs.ModeSymlink != 0:
		f.Link, err = os.Readlink(path)
	}
	return f, err
}

// Set replaces the entries that have the paths of files, and adds those that are new.
func Set(entries []File, files ...File) []File {
	entries = slices.Clone(entries)
	for _, f := range files {
		i := slices.IndexFunc(entries, func(e File) bool { return e.Path == f.Path })
		if i < 0 {
			entries = append(entries, f)
		} else {
			entries[i] = f
		}
	}
	return entries
}

func writeLayer(out io.Writer, files []File) error {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) }) // a folder before what is in it
	w := tar.NewWriter(out)
	for _, f := range files {
		if err := f.writeTo(w); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return w.Close()
}

func (f File) writeTo(w *tar.Writer) error {
	h := &tar.Header{Name: f.Path, Mode: int64(f.Mode.Perm()), Uid: f.UID, Gid: f.GID, Format: tar.FormatPAX}
	if f.Mode&fs.ModeSticky != 0 {
		h.Mode |= 0o1000
	}
	switch {
	case f.Mode.IsDir():
		h.Typeflag, h.Name = tar.TypeDir, f.Path+"/"
		return w.WriteHeader(h)
	case f.Mode&fs.ModeSymlink != 0:
		h.Typeflag, h.Linkname = tar.TypeSymlink, f.Link
		return w.WriteHeader(h)
	case f.Source == "":
		h.Typeflag, h.Size = tar.TypeReg, int64(len(f.Text))
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		_, err := io.WriteString(w, f.Text)
		return err
	default:
		h.Typeflag = tar.TypeReg
		return f.copyTo(w, h)
	}
}

func (f File) copyTo(w *tar.Writer, h *tar.Header) error {
	source, err := os.Open(f.Source)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	h.Size = info.Size()
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	_, err = io.Copy(w, source)
	return err
}
