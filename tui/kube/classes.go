package kube

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kuberly.io/valkey-operator/tui/clean"
)

var classResource = schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}

// StorageClasses are the names of all storage classes, sorted; ClassForbidden where the user may not list them.
func (c *Client) StorageClasses(ctx context.Context) ([]string, error) {
	list, err := c.connection().metadata.Resource(classResource).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, c.failed(err)
	}
	names := make([]string, len(list.Items))
	for i := range list.Items {
		names[i] = clean.Text(list.Items[i].Name)
	}
	slices.Sort(names)
	return names, nil
}
