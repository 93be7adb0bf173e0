package kube

import (
	"strings"
	"testing"
)

// A server-side apply that does not fit the schema is told without the value: it may be a password.
func TestTypedPatchIsToldWithoutValues(t *testing.T) {
	one := "failed to create typed patch object (shop/app; database.kuberly.io/v1alpha1, Kind=Valkey): .spec.password: expected string, got &value.valueUnstructured{Value:4711}"
	two := "failed to create typed patch object (shop/app; database.kuberly.io/v1alpha1, Kind=Valkey): errors:\n  .spec.colour: field not declared in schema\n  .spec.replicas: expected numeric (int or float), got &value.valueUnstructured{Value:\"4711\"}"
	for message, want := range map[string]string{
		one: "spec.password: expected string",
		two: "spec.colour: there is no such field; spec.replicas: expected numeric (int or float)",
		"failed to create typed patch object (a; b): 4711": "the manifest does not fit the schema",
	} {
		p := explainTypedPatch(message)
		if p == nil || p.Message != want || strings.Contains(p.Error(), "4711") {
			t.Errorf("%q is told as %+v, want %q", message, p, want)
		}
	}
	if p := explainTypedPatch("something else"); p != nil {
		t.Errorf("another message is taken for one: %+v", p)
	}
}
