package operator

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

const crdName = "valkeys." + v1alpha1.Group

// checkCRD refuses to run against a CRD that is missing or lacks a field that this manager writes: the API server
// would drop such a field without a word, and the manager would write it again for ever.
func checkCRD(ctx context.Context, config *rest.Config) error {
	scheme := runtime.NewScheme()
	if err := apiextensionsv1.AddToScheme(scheme); err != nil {
		return err
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return fmt.Errorf("reach the API server: %w", err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	err = c.Get(ctx, client.ObjectKey{Name: crdName}, crd)
	switch {
	case apierrors.IsNotFound(err):
		return fmt.Errorf("the CustomResourceDefinition %s is not installed: run make install, or kubectl apply"+
			" --server-side -f config/crd/bases", crdName)
	case apierrors.IsForbidden(err):
		ctrl.Log.Info("not allowed to read the CRD, so it is not checked: an older one would silently drop fields", "crd", crdName)
		return nil
	case err != nil:
		return fmt.Errorf("read the CustomResourceDefinition: %w", err)
	}
	return checkVersion(crd)
}

func checkVersion(crd *apiextensionsv1.CustomResourceDefinition) error {
	for _, version := range crd.Spec.Versions {
		if version.Name != v1alpha1.GroupVersion.Version || version.Schema == nil {
			continue
		}
		schema := version.Schema.OpenAPIV3Schema
		missing := lacking("spec", schema.Properties["spec"], reflect.TypeFor[v1alpha1.ValkeySpec]())
		missing = append(missing, lacking("status", schema.Properties["status"], reflect.TypeFor[v1alpha1.ValkeyStatus]())...)
		if len(missing) > 0 {
			return fmt.Errorf("the CustomResourceDefinition %s is older than this manager, it lacks %s: upgrade it with make"+
				" install, or kubectl apply --server-side -f config/crd/bases", crdName, strings.Join(missing, ", "))
		}
		return nil
	}
	return fmt.Errorf("the CustomResourceDefinition %s does not serve %s: upgrade it with make install", crdName, v1alpha1.GroupVersion)
}

// lacking are the fields of a type, and of our own types in it, that the schema does not have.
func lacking(path string, schema apiextensionsv1.JSONSchemaProps, t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property, ok := schema.Properties[name]
		if !ok {
			out = append(out, path+"."+name)
			continue
		}
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && inner.PkgPath() == t.PkgPath() {
			out = append(out, lacking(path+"."+name, property, inner)...)
		}
	}
	return out
}
