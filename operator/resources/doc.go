// Package resources builds the Kubernetes objects that a Valkey becomes. It is pure: it takes values and returns
// objects, never speaks to a cluster and reads no clock and no random source. The controller package applies what is
// built here with server-side apply, so an object holds just the fields that the operator owns.
package resources

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Object is any Kubernetes object.
type Object interface {
	metav1.Object
	runtime.Object
}

// meta is what every child of v has in common; the owner reference is what tells our objects from foreign ones.
func meta(v *v1alpha1.Valkey, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name:      name,
		Namespace: v.Namespace,
		Labels:    v.PodLabels(),
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion:         v1alpha1.GroupVersion.String(),
			Kind:               "Valkey",
			Name:               v.Name,
			UID:                v.UID,
			Controller:         ptr.To(true),
			BlockOwnerDeletion: ptr.To(true),
		}},
	}
}

// selector selects the pods of v; it stays the same for the life of v, since selectors of Deployments are immutable.
func selector(v *v1alpha1.Valkey) map[string]string {
	return map[string]string{v1alpha1.LabelName: v1alpha1.AppName, v1alpha1.LabelInstance: v.Name}
}

func with(m map[string]string, key, value string) map[string]string {
	m[key] = value
	return m
}
