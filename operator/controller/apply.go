package controller

import (
	"context"
	"encoding/json"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kuberly.io/valkey-operator/operator/resources"
)

// apply brings one child to what is wanted, and writes nothing where it is so already.
func (s *scope) apply(ctx context.Context, wanted resources.Object) error {
	current, err := s.current(ctx, wanted)
	if err != nil {
		return err
	}
	want, err := toMap(wanted)
	if err != nil {
		return err
	}
	if current == nil {
		return s.write(ctx, want, wanted, "created")
	}
	have, err := toMap(current)
	if err != nil {
		return err
	}
	d := compare(want, have)
	if d.none() {
		return nil
	}
	if len(d.extras) > 0 {
		if err := s.removeExtras(ctx, wanted, have, d.extras); err != nil {
			return err
		}
	}
	return s.write(ctx, want, wanted, "changed")
}

func (s *scope) write(ctx context.Context, want map[string]any, wanted resources.Object, what string) error {
	if err := s.send(ctx, want, wanted, what); err != nil {
		return err
	}
	s.eventApplied(wanted, what)
	return nil
}

func (s *scope) send(ctx context.Context, want map[string]any, wanted resources.Object, what string) error {
	u := &unstructured.Unstructured{Object: want}
	err := s.r.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(FieldOwner), client.ForceOwnership)
	if err != nil {
		return fmt.Errorf("apply %s: %w", nameOf(wanted), err)
	}
	s.changed = true
	log.FromContext(ctx).Info("applied a child", "child", nameOf(wanted), "what", what)
	return nil
}

type patchOp struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// removeExtras takes away what others put into lists and maps that are ours as a whole: server-side apply leaves
// those alone. It writes the object as it was seen without them, so an object that has changed since is a conflict.
func (s *scope) removeExtras(ctx context.Context, wanted resources.Object, have map[string]any, extras []extra) error {
	without, err := patched(have, opsOf(extras))
	if err != nil {
		return fmt.Errorf("remove what was added to %s: %w", nameOf(wanted), err)
	}
	u := &unstructured.Unstructured{Object: without}
	u.SetGroupVersionKind(wanted.GetObjectKind().GroupVersionKind()) // objects from the cache carry none
	if err := s.r.Client.Update(ctx, u, client.FieldOwner(FieldOwner)); err != nil {
		return fmt.Errorf("remove what was added to %s: %w", nameOf(wanted), err)
	}
	return nil
}

func opsOf(extras []extra) []patchOp {
	ops := make([]patchOp, 0, len(extras))
	for _, e := range extras {
		op := patchOp{Op: "remove", Path: e.path}
		if e.instead != nil {
			op = patchOp{Op: "replace", Path: e.path, Value: e.instead}
		}
		ops = append(ops, op)
	}
	return ops
}

func patched(object map[string]any, ops []patchOp) (map[string]any, error) {
	before, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(ops)
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, err
	}
	after, err := patch.Apply(before)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	return out, utiljson.Unmarshal(after, &out) // keeps whole numbers whole
}

// remove deletes one child that is ours. Missing is fine.
func (s *scope) remove(ctx context.Context, o resources.Object) error {
	if o.GetDeletionTimestamp() != nil || !owned(s.v, o) {
		return nil
	}
	uid := o.GetUID()
	err := s.r.Client.Delete(ctx, o, client.Preconditions{UID: &uid}, client.PropagationPolicy("Background"))
	switch {
	case apierrors.IsNotFound(err), apierrors.IsConflict(err): // gone, or another one by now
		return nil
	case err != nil:
		return fmt.Errorf("delete %s: %w", nameOf(o), err)
	}
	s.changed = true
	log.FromContext(ctx).Info("deleted a child", "child", nameOf(o))
	return nil
}

// toMap is an object as the API server sees it, without its status, which is not ours to apply.
func toMap(o resources.Object) (map[string]any, error) {
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, fmt.Errorf("convert %s: %w", nameOf(o), err)
	}
	delete(m, "status")
	return m, nil
}
