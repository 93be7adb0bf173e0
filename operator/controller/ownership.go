package controller

import (
	"context"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

// owned says that an object is a child of this very Valkey. A claim that is to be retained has no owner reference; it
// is known by its annotation, which also says that it may be taken back.
func owned(v *v1alpha1.Valkey, o client.Object) bool {
	if metav1.IsControlledBy(o, v) {
		return true
	}
	if _, isClaim := o.(*corev1.PersistentVolumeClaim); !isClaim || metav1.GetControllerOf(o) != nil {
		return false
	}
	return o.GetAnnotations()[v1alpha1.AnnotationOwner] == string(v.UID) || o.GetAnnotations()[v1alpha1.AnnotationRetained] == v.Name
}

// isLeftBehind says that a claim was kept when its node went, and has not been taken back.
func isLeftBehind(claim client.Object) bool {
	return claim.GetAnnotations()[v1alpha1.AnnotationRetained] != "" && claim.GetAnnotations()[v1alpha1.AnnotationOwner] == ""
}

// current finds the object that stands where wanted is to be: from the cache, or from the API server, since the cache
// holds no foreign objects. It is nil where there is none, and an error where it is not ours.
func (s *scope) current(ctx context.Context, wanted resources.Object) (resources.Object, error) {
	if cached, ok := s.live[keyOf(wanted)]; ok {
		return cached, s.claimable(cached)
	}
	found := reflect.New(reflect.TypeOf(wanted).Elem()).Interface().(resources.Object)
	err := s.r.Live.Get(ctx, client.ObjectKeyFromObject(wanted), found)
	if apierrors.IsNotFound(err) {
		return nil, nil //nolint:nilnil // absence is an answer here, not an error
	}
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", nameOf(wanted), err)
	}
	return found, s.claimable(found)
}

// claimable refuses objects that are not ours: they are never adopted, changed or deleted.
func (s *scope) claimable(o resources.Object) error {
	if owned(s.v, o) {
		return nil
	}
	if owner := metav1.GetControllerOf(o); owner != nil && owner.Kind == "Valkey" && owner.Name == s.v.Name {
		s.after(soon) // a Valkey of this name was deleted before; its children are about to go
		return problemf(v1alpha1.ReasonConflict, false,
			fmt.Sprintf("%s still belongs to a Valkey of the same name that was deleted: waiting until it is gone", nameOf(o)))
	}
	s.after(atRest) // nothing tells when a foreign object goes
	return problemf(v1alpha1.ReasonConflict, true, fmt.Sprintf("%s exists and does not belong to this Valkey: delete or"+
		" rename it, or choose another name for the Valkey", nameOf(o)))
}

func keyOf(o client.Object) childKey { return childKey{kindOf(o), o.GetName()} }

func nameOf(o client.Object) string { return kindOf(o) + " " + o.GetName() }

// kindOf is the kind by the Go type: objects from the cache carry none.
func kindOf(o client.Object) string { return reflect.TypeOf(o).Elem().Name() }
