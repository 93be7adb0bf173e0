package manifest

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

const (
	// Kind is the only kind that there are manifests of.
	Kind = "Valkey"
	// Hidden stands for a password that is not shown. It ends in a newline, which no password may hold: so what was printed
	// with it cannot become the password.
	Hidden = "<hidden>\n"
	// lastApplied is where kubectl apply keeps a copy of the manifest, its password included.
	lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
)

// own are the fields that the server writes itself, of the metadata.
var own = []string{"managedFields", "resourceVersion", "uid", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}

// Visible is a copy of the object without what the server or the operator writes: what a person may wish otherwise. The password is in it.
func Visible(object *unstructured.Unstructured) *unstructured.Unstructured {
	seen := object.DeepCopy()
	delete(seen.Object, "status")
	for _, field := range own {
		unstructured.RemoveNestedField(seen.Object, "metadata", field)
	}
	if annotations := seen.GetAnnotations(); annotations[lastApplied] != "" {
		delete(annotations, lastApplied)
		seen.SetAnnotations(annotations)
	}
	return seen
}

// Restore puts back what Visible left out, from the object as it is.
func Restore(seen, live *unstructured.Unstructured) *unstructured.Unstructured {
	whole := seen.DeepCopy()
	for _, field := range own {
		if value, found, _ := unstructured.NestedFieldCopy(live.Object, "metadata", field); found {
			_ = unstructured.SetNestedField(whole.Object, value, "metadata", field) // the metadata is a map: the object has a name
		}
	}
	if status, found := live.Object["status"]; found {
		whole.Object["status"] = runtime.DeepCopyJSONValue(status)
	}
	if copied := live.GetAnnotations()[lastApplied]; copied != "" {
		annotations := whole.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[lastApplied] = copied
		whole.SetAnnotations(annotations)
	}
	return whole
}

// Password is that of the spec; ok says that there is one. Somebody may have written a number.
func Password(object *unstructured.Unstructured) (password string, ok bool) {
	value, ok, err := unstructured.NestedFieldNoCopy(object.Object, "spec", "password")
	if !ok || err != nil {
		return "", false
	}
	return fmt.Sprint(value), true
}

// IsHidden says that the password of the object is the mark for one that is not shown.
func IsHidden(object *unstructured.Unstructured) bool {
	password, ok := Password(object)
	return ok && strings.TrimSpace(password) == strings.TrimSpace(Hidden)
}

// SetPassword sets that of the spec; an empty one takes it away.
func SetPassword(object *unstructured.Unstructured, password string) {
	if password == "" {
		unstructured.RemoveNestedField(object.Object, "spec", "password")
		return
	}
	_ = unstructured.SetNestedField(object.Object, password, "spec", "password") // only called where there is a spec
}

// Keep puts the present password in the place of the mark; it is false where there is a mark and no password.
func Keep(object, live *unstructured.Unstructured) bool {
	if !IsHidden(object) {
		return true
	}
	present, ok := "", false
	if live != nil {
		present, ok = Password(live)
	}
	SetPassword(object, present)
	return ok
}

// Typed is the object as the API's own type, as far as that knows its fields. Numbers and texts in the wrong place are an error.
func Typed(object *unstructured.Unstructured) (*v1alpha1.Valkey, error) {
	v := &v1alpha1.Valkey{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, v); err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	return v, nil
}

// Untyped is the inverse of Typed, without a status.
func Untyped(v *v1alpha1.Valkey) (*unstructured.Unstructured, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(v)
	if err != nil {
		return nil, fmt.Errorf("write the object: %w", err)
	}
	object := &unstructured.Unstructured{Object: fields}
	object.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(Kind))
	delete(fields, "status")
	unstructured.RemoveNestedField(fields, "metadata", "creationTimestamp")
	return object, nil
}

// Complete adds the fields of the spec of whole, which may be nil, that the object lacks: those that the API's own type does not know.
// The password is none of them: whoever left it out did so on purpose.
func Complete(object, whole *unstructured.Unstructured) {
	if whole == nil {
		return
	}
	from, _ := whole.Object["spec"].(map[string]any)
	to, _ := object.Object["spec"].(map[string]any)
	if to != nil {
		complete(to, from, "password")
	}
}

func complete(to, from map[string]any, except string) {
	for key, value := range from {
		present, found := to[key]
		switch {
		case !found && key != except:
			to[key] = runtime.DeepCopyJSONValue(value)
		case found:
			a, isA := present.(map[string]any)
			b, isB := value.(map[string]any)
			if isA && isB {
				complete(a, b, "")
			}
		}
	}
}

// text is the object in YAML.
func text(object *unstructured.Unstructured) (string, error) {
	if object == nil {
		return "", nil
	}
	data, err := yaml.Marshal(object.Object)
	if err != nil {
		return "", fmt.Errorf("write the object: %w", err)
	}
	return string(data), nil
}
