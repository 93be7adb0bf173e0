package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
)

// Read reads the Valkeys of a file: documents of YAML or JSON, lists of them included. Anything that is no Valkey is an error that
// names its place, and then none is returned.
func Read(data []byte) ([]*unstructured.Unstructured, error) {
	var all []*unstructured.Unstructured
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for document := 1; ; document++ {
		part, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", document, err)
		}
		objects, err := readDocument(part)
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", document, err)
		}
		all = append(all, objects...)
	}
	if len(all) == 0 {
		return nil, errors.New("there is no Valkey in it")
	}
	return all, nil
}

func readDocument(data []byte) ([]*unstructured.Unstructured, error) {
	fields, err := decode(data)
	if err != nil || len(fields) == 0 {
		return nil, err
	}
	object := &unstructured.Unstructured{Object: fields}
	items, isList := fields["items"].([]any)
	if !isList || !strings.HasSuffix(object.GetKind(), "List") {
		return []*unstructured.Unstructured{object}, checkKind(object)
	}
	objects := make([]*unstructured.Unstructured, 0, len(items))
	for i, item := range items {
		fields, isObject := item.(map[string]any)
		if !isObject {
			return nil, fmt.Errorf("item %d of the list is no object", i+1)
		}
		object := &unstructured.Unstructured{Object: fields}
		if err := checkKind(object); err != nil {
			return nil, fmt.Errorf("item %d of the list: %w", i+1, err)
		}
		objects = append(objects, object)
	}
	return objects, nil
}

func decode(data []byte) (map[string]any, error) {
	converted, err := yaml.YAMLToJSONStrict(data)
	if err != nil {
		text := strings.TrimPrefix(strings.TrimPrefix(clean.Text(err.Error()), "yaml: "), "unmarshal errors:")
		return nil, errors.New(strings.Join(strings.Fields(text), " "))
	}
	if string(converted) == "null" {
		return nil, nil
	}
	fields := map[string]any{}
	if err := utiljson.Unmarshal(converted, &fields); err != nil {
		return nil, errors.New("it is no object: a manifest begins with apiVersion and kind")
	}
	return fields, nil
}

func checkKind(object *unstructured.Unstructured) error {
	named := clean.Text(object.GetName())
	kind, group, _ := strings.Cut(object.GetAPIVersion(), "/")
	switch {
	case object.GetKind() == "":
		return errors.New("it has no kind: a manifest begins with apiVersion and kind")
	case object.GetKind() != Kind || kind != v1alpha1.Group:
		return fmt.Errorf("%s %q is no Valkey: only manifests of kind %s (apiVersion %s) are taken", clean.Text(object.GetKind()), named, Kind, v1alpha1.GroupVersion)
	case group != v1alpha1.GroupVersion.Version:
		return fmt.Errorf("the Valkey %q has the apiVersion %s, and only %s is known", named, clean.Text(object.GetAPIVersion()), v1alpha1.GroupVersion)
	}
	if metadata, isMap := object.Object["metadata"].(map[string]any); !isMap || metadata["name"] == nil {
		return errors.New("a Valkey without a name: metadata.name is missing")
	}
	if _, isText := object.Object["metadata"].(map[string]any)["name"].(string); !isText {
		return errors.New("metadata.name is no text")
	}
	if _, isMap := object.Object["spec"].(map[string]any); !isMap {
		return fmt.Errorf("the Valkey %q has no spec", named)
	}
	return nil
}
