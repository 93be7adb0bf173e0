package manifest

import (
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Rebase carries a change over to a newer version of the object: what changed from base to wanted is done to live (RFC 7396). Where others
// have changed the same field, the change wins.
func Rebase(base, wanted, live *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	a, err := Visible(base).MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("write the object: %w", err)
	}
	b, err := Visible(wanted).MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("write the object: %w", err)
	}
	patch, err := jsonpatch.CreateMergePatch(a, b)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	now, err := Visible(live).MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("write the object: %w", err)
	}
	merged, err := jsonpatch.MergePatch(now, patch)
	if err != nil {
		return nil, fmt.Errorf("merge: %w", err)
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(merged); err != nil {
		return nil, fmt.Errorf("read the merged object: %w", err)
	}
	return Restore(object, live), nil
}
