package kube

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// scaleAttempts is how often a scale is tried again that lost against another writer, where the caller does not mind.
const scaleAttempts = 5

// ScaleOptions narrow a Scale.
type ScaleOptions struct {
	// From, where it is set, is what the user saw: another current value is ClassConflict.
	From *int32
	// DryRun changes nothing.
	DryRun bool
}

// ScaleResult says what Scale did.
type ScaleResult struct {
	From, To        int32
	ResourceVersion string
}

// Scale sets the number of servers through the scale subresource; to 0 as Stop does, so that Start brings back as many, but
// by who may do no more than scale without that note. ref.UID and ref.ResourceVersion are held against the object. Pass
// ref.Key() and ScaleOptions.From where a mere change of status is no reason to refuse.
func (c *Client) Scale(ctx context.Context, ref Ref, replicas int32, opts ScaleOptions) (ScaleResult, error) {
	if replicas == 0 {
		if result, err := c.Stop(ctx, ref, opts); !IsClass(err, ClassForbidden) {
			return result, err
		}
	}
	var result ScaleResult
	err := c.hold(ctx, ref, func(ref Ref) (err error) {
		result, err = c.scale(ctx, ref, replicas, opts)
		for attempt := 1; apierrors.IsConflict(err) && ref.ResourceVersion == "" && attempt < scaleAttempts; attempt++ {
			result, err = c.scale(ctx, ref, replicas, opts)
		}
		return explainedFor(c.failed(err), ref)
	})
	return result, err
}

// scale reads the current number, holds it against what the caller knows, and writes the new one on exactly what was read.
func (c *Client) scale(ctx context.Context, ref Ref, replicas int32, opts ScaleOptions) (ScaleResult, error) {
	valkeys := c.connection().dynamic.Resource(valkeyResource).Namespace(ref.Namespace)
	scale, err := valkeys.Get(ctx, ref.Name, metav1.GetOptions{}, "scale")
	if err != nil {
		return ScaleResult{}, err
	}
	name := "valkey " + quote(ref.Name)
	if ref.UID != "" && scale.GetUID() != ref.UID {
		return ScaleResult{}, replaced(name)
	}
	if ref.ResourceVersion != "" && scale.GetResourceVersion() != ref.ResourceVersion {
		return ScaleResult{}, problem(ClassConflict, name+" has changed since you looked at it", "look again, then retry")
	}
	spec, _ := scale.Object["spec"].(map[string]any)
	from := number(spec["replicas"], 0)
	if opts.From != nil && *opts.From != from {
		return ScaleResult{From: from}, problem(ClassConflict, fmt.Sprintf("%s has been scaled to %d meanwhile, from %d", name, from, *opts.From), "look again, then retry")
	}
	result := ScaleResult{From: from, To: replicas, ResourceVersion: scale.GetResourceVersion()}
	if from == replicas {
		return result, nil
	}
	if err := unstructured.SetNestedField(scale.Object, int64(replicas), "spec", "replicas"); err != nil {
		return ScaleResult{}, err
	}
	options := metav1.UpdateOptions{FieldManager: fieldManager}
	if opts.DryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	written, err := valkeys.Update(ctx, scale, options, "scale")
	if err != nil {
		return ScaleResult{}, err
	}
	result.ResourceVersion = written.GetResourceVersion()
	return result, nil
}
