package operator

import (
	"os"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// served is the CRD of this version, changed.
func served(t *testing.T, change func(schema *apiextensionsv1.JSONSchemaProps)) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	text, err := os.ReadFile("../config/crd/bases/database.kuberly.io_valkeys.yaml")
	if err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		t.Fatal(err)
	}
	change(crd.Spec.Versions[0].Schema.OpenAPIV3Schema)
	return crd
}

func without(schema *apiextensionsv1.JSONSchemaProps, path string) {
	first, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		delete(schema.Properties, first)
		return
	}
	inner := schema.Properties[first]
	without(&inner, rest)
	schema.Properties[first] = inner
}

// Case 14 (operator): a CRD that lacks what this manager writes is refused, with what it lacks and what to do.
func TestOlderCRDIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*apiextensionsv1.JSONSchemaProps)
		want   []string // empty: it will do
	}{
		"this version's": {func(*apiextensionsv1.JSONSchemaProps) {}, nil},
		"a later one": {func(s *apiextensionsv1.JSONSchemaProps) {
			s.Properties["spec"].Properties["later"] = apiextensionsv1.JSONSchemaProps{Type: "string"}
		}, nil},
		"one without a field of the status": {
			func(s *apiextensionsv1.JSONSchemaProps) { without(s, "status.primary") }, []string{"status.primary", "make install", "kubectl apply"},
		},
		"one without fields of the spec": {func(s *apiextensionsv1.JSONSchemaProps) {
			without(s, "spec.passwordSecretRef")
			without(s, "spec.volume.reclaim")
		}, []string{"spec.passwordSecretRef", "spec.volume.reclaim"}},
		"one without a status": {func(s *apiextensionsv1.JSONSchemaProps) { without(s, "status") }, []string{"status.conditions", "status.ready_replicas"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := checkVersion(served(t, c.change))
			if (err == nil) != (c.want == nil) {
				t.Fatalf("got %v, want words %q", err, c.want)
			}
			for _, words := range c.want {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("%q does not say %q", err, words)
				}
			}
		})
	}
}

func TestCRDOfAnotherVersionIsRefused(t *testing.T) {
	crd := served(t, func(*apiextensionsv1.JSONSchemaProps) {})
	crd.Spec.Versions[0].Name = "v1"
	if err := checkVersion(crd); err == nil || !strings.Contains(err.Error(), "does not serve database.kuberly.io/v1alpha1") {
		t.Errorf("got %v", err)
	}
}

func TestDialOfNoKindIsRefused(t *testing.T) {
	if _, err := newDialer(nil, "telepathy"); err == nil || !strings.Contains(err.Error(), `"telepathy"`) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one line that names it", err)
	}
}
