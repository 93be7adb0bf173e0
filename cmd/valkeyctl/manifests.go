package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
)

// maxManifests bounds a file of manifests, in bytes.
const maxManifests = 32 << 20

// fileManifest is a Valkey of a file, which an error about it names.
type fileManifest struct {
	*unstructured.Unstructured
	file string
}

// readManifests reads the Valkeys of files, - being standard input. One that has no namespace gets that of the flags. Nothing is asked of
// the cluster before all of them are read.
func (p *program) readManifests(files []string, namespace string) ([]fileManifest, error) {
	var all []fileManifest
	seen := map[string]string{}
	for _, file := range files {
		data, err := p.readFile(file)
		if err != nil {
			return nil, kube.Usage(fmt.Sprintf("-f %s: %s", clean.Text(file), reasonOf(err)), "")
		}
		objects, err := manifest.Read(data)
		if err != nil {
			return nil, kube.Usage(fmt.Sprintf("-f %s: %s", clean.Text(file), err), "")
		}
		for _, object := range objects {
			switch wanted := *p.flags.Namespace; {
			case object.GetNamespace() == "":
				object.SetNamespace(namespace)
			case wanted != "" && wanted != object.GetNamespace():
				return nil, kube.Usage(fmt.Sprintf("-f %s: %s is in namespace %q, and --namespace says %q", clean.Text(file),
					objectName(object.GetName(), ""), clean.Text(object.GetNamespace()), wanted), "leave --namespace out, or take the namespace out of the file")
			}
			key := object.GetNamespace() + "/" + object.GetName()
			if before, twice := seen[key]; twice {
				return nil, kube.Usage(fmt.Sprintf("-f %s: %s stands in %s already", clean.Text(file), objectName(object.GetName(), ""), clean.Text(before)), "")
			}
			seen[key] = file
			all = append(all, fileManifest{object, file})
		}
	}
	return all, nil
}

func (p *program) readFile(path string) ([]byte, error) {
	source := p.In
	if path != "-" {
		file, err := os.Open(path) //nolint:gosec // The user names it.
		if err != nil {
			return nil, err
		}
		defer file.Close() //nolint:errcheck // It was only read from.
		source = file
	}
	data, err := io.ReadAll(io.LimitReader(source, maxManifests+1))
	if err == nil && len(data) > maxManifests {
		err = errors.New("it is too long to be manifests")
	}
	return data, err
}

// reasonOf is an error of a file without the path, which stands before it.
func reasonOf(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
