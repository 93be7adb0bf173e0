// Package v1alpha1 holds the Valkey API: its types, their validation markers, and the names that are derived from
// an object (children, labels, condition types and reasons). It holds no logic that needs a cluster.
//
// +kubebuilder:object:generate=true
// +groupName=database.kuberly.io
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Group is the API group of the Valkey type.
const Group = "database.kuberly.io"

var (
	// GroupVersion is the group and version of the types in this package.
	GroupVersion = schema.GroupVersion{Group: Group, Version: "v1alpha1"}

	schemeBuilder = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
		s.AddKnownTypes(GroupVersion, &Valkey{}, &ValkeyList{})
		metav1.AddToGroupVersion(s, GroupVersion)
		return nil
	})

	// AddToScheme registers the types of this package.
	AddToScheme = schemeBuilder.AddToScheme
)
