//go:build integration

package v1alpha1_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
)

func TestMain(m *testing.M) { apiserver.Main(m) }

// declared is a manifest with every field that the original API has, as its users keep it in their repositories.
const declared = `
apiVersion: database.kuberly.io/v1alpha1
kind: Valkey
metadata:
  name: app-db
spec:
  image: valkey/valkey
  replicas: 1
  user: root
  password: root
  volume:
    enabled: true
    storage: 512Mi
  resource:
    memory: 512Mi
    cpu: 200m
    storage: 512Mi
`

var dryRun = []string{metav1.DryRunAll}

// change alters a manifest before it is sent.
type change func(object map[string]any)

// set sets one field, e.g. set("spec.volume.enabled", false). A name with dots cannot be reached.
func set(path string, value any) change {
	return func(object map[string]any) {
		if err := unstructured.SetNestedField(object, value, strings.Split(path, ".")...); err != nil {
			panic(fmt.Sprintf("set %s: %v", path, err))
		}
	}
}

// unset removes fields.
func unset(paths ...string) change {
	return func(object map[string]any) {
		for _, path := range paths {
			unstructured.RemoveNestedField(object, strings.Split(path, ".")...)
		}
	}
}

// all applies changes in their order.
func all(changes ...change) change {
	return func(object map[string]any) {
		for _, change := range changes {
			change(object)
		}
	}
}

// config sets spec.config.
func config(directives map[string]any) change {
	return set("spec.config", directives)
}

// secretRef takes the password from a Secret.
func secretRef(name string) change {
	return all(unset("spec.password"), set("spec.passwordSecretRef", map[string]any{"name": name}))
}

func manifest(t *testing.T, changes ...change) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(declared), &object.Object); err != nil {
		t.Fatal(err)
	}
	all(changes...)(object.Object)
	return object
}

// valkeys is a client for the Valkeys of a fresh namespace.
func valkeys(t *testing.T) dynamic.ResourceInterface {
	t.Helper()
	client, err := dynamic.NewForConfig(apiserver.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	resource := v1alpha1.GroupVersion.WithResource("valkeys")
	return client.Resource(resource).Namespace(apiserver.Shared(t).Namespace(t))
}

// checkVerdict fails the test unless the error is what was wanted: none where want is empty, else a refusal as invalid
// of which one cause reads "field: words".
func checkVerdict(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("refused: %v", err)
	case want != "" && err == nil:
		t.Errorf("accepted; want a refusal with %q", want)
	case want != "" && !apierrors.IsInvalid(err):
		t.Errorf("got %v; want a refusal as invalid", err)
	case want != "":
		if got := causes(err); !slices.Contains(got, want) {
			t.Errorf("refusal reads\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), want)
		}
	}
}

// causes lists the causes of a refusal as "field: words".
func causes(err error) []string {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	var list []string
	for _, cause := range status.Status().Details.Causes {
		list = append(list, cause.Field+": "+cause.Message)
	}
	return list
}
