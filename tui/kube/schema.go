package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/config/crd"
	"kuberly.io/valkey-operator/tui/schema"
)

// kept is the schema that one connection was answered with.
type kept struct {
	mu     sync.Mutex
	schema *schema.Schema
}

// Schema is what the API takes: by the CRD where it may be read, else by the server's OpenAPI document, else by the CRD that this program
// was built with. What the server said is kept for as long as the connection.
func (c *Client) Schema(ctx context.Context) *schema.Schema {
	conn := c.connection()
	conn.kept.mu.Lock()
	defer conn.kept.mu.Unlock()
	if conn.kept.schema != nil {
		return conn.kept.schema
	}
	for _, read := range []func(context.Context, *connection) (*schema.Schema, error){schemaOfCRD, schemaOfOpenAPI} {
		if s, err := read(ctx, conn); err == nil {
			conn.kept.schema = s
			return s
		}
	}
	return BuiltinSchema()
}

// BuiltinSchema is that of the CRD that this program was built with.
var BuiltinSchema = sync.OnceValue(func() *schema.Schema {
	object := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(crd.Valkeys, object); err != nil {
		panic(err) // a fault of the program, which any test finds
	}
	s, err := schemaOf(object)
	if err != nil {
		panic(err)
	}
	return s
})

func schemaOfCRD(ctx context.Context, conn *connection) (*schema.Schema, error) {
	object, err := conn.dynamic.Resource(crdResource).Get(ctx, crdName, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	typed := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed); err != nil {
		return nil, fmt.Errorf("read the CRD: %w", err)
	}
	return schemaOf(typed)
}

func schemaOf(object *apiextensionsv1.CustomResourceDefinition) (*schema.Schema, error) {
	for i := range object.Spec.Versions {
		v := &object.Spec.Versions[i]
		if v.Name == v1alpha1.GroupVersion.Version && v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			return schema.New(v.Schema.OpenAPIV3Schema)
		}
	}
	return nil, errors.New("the CRD has no schema of " + v1alpha1.GroupVersion.String())
}

// schemaOfOpenAPI reads the document of our group alone (https://kubernetes.io/docs/concepts/overview/kubernetes-api/#openapi-v3),
// which every user who is logged in may.
func schemaOfOpenAPI(ctx context.Context, conn *connection) (*schema.Schema, error) {
	path := "/openapi/v3/apis/" + v1alpha1.GroupVersion.String()
	data, err := conn.core.RESTClient().Get().AbsPath(path).SetHeader("Accept", "application/json").Do(ctx).Raw()
	if err != nil {
		return nil, err
	}
	var document struct {
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	for name, raw := range document.Components.Schemas {
		if !strings.HasSuffix(name, "."+v1alpha1.GroupVersion.Version+".Valkey") {
			continue
		}
		props := &apiextensionsv1.JSONSchemaProps{}
		if err := json.Unmarshal(raw, props); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		return schema.New(props)
	}
	return nil, fmt.Errorf("%s has no schema of the kind", path)
}
