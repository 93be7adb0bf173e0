package kube

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/manifest"
)

// Get reads one Valkey. Its text is not cleaned: clean what is drawn.
func (c *Client) Get(ctx context.Context, namespace, name string) (*v1alpha1.Valkey, error) {
	v := &v1alpha1.Valkey{}
	if err := c.connection().valkeys.Get().Namespace(namespace).Resource(plural).Name(name).Do(ctx).Into(v); err != nil {
		return nil, explainedFor(c.failed(err), Ref{Namespace: namespace, Name: name})
	}
	return v, nil
}

// Object reads one Valkey with every field that the cluster has, also those that we do not know; managedFields left out. The
// password is hidden unless reveal is set. Its text is not cleaned.
func (c *Client) Object(ctx context.Context, ref Ref, reveal bool) (*unstructured.Unstructured, error) {
	object, err := c.connection().dynamic.Resource(valkeyResource).Namespace(ref.Namespace).Get(ctx, ref.Name, metav1.GetOptions{})
	if err != nil {
		return nil, explainedFor(c.failed(err), ref)
	}
	Tidy(object, reveal)
	return object, nil
}

// Tidy removes managedFields, and hides the password unless reveal is set: in the spec and in the copy of the manifest
// that kubectl apply keeps in an annotation.
func Tidy(object *unstructured.Unstructured, reveal bool) {
	object.SetManagedFields(nil)
	if reveal {
		return
	}
	if _, found, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", "password"); !found {
		return
	}
	// It was found, so its parents are maps and setting it cannot fail.
	_ = unstructured.SetNestedField(object.Object, manifest.Hidden, "spec", "password")
	annotations := object.GetAnnotations()
	delete(annotations, "kubectl.kubernetes.io/last-applied-configuration")
	if len(annotations) == 0 {
		annotations = nil // rather than an empty map
	}
	object.SetAnnotations(annotations)
}

// YAML is one Valkey as YAML, managedFields left out, cleaned. The password is hidden unless reveal is set.
func (c *Client) YAML(ctx context.Context, ref Ref, reveal bool) (string, error) {
	object, err := c.Object(ctx, ref, reveal)
	if err != nil {
		return "", err
	}
	text, err := yaml.Marshal(object.Object)
	if err != nil {
		return "", explained(err)
	}
	return clean.Block(string(text)), nil
}

func mergePatch(fields map[string]any) ([]byte, error) { return json.Marshal(fields) }
