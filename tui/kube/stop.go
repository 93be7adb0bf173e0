package kube

import (
	"context"
	"fmt"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Stop scales a Valkey to 0 and notes on it how many servers it had. ref and opts are as for Scale.
func (c *Client) Stop(ctx context.Context, ref Ref, opts ScaleOptions) (ScaleResult, error) {
	return c.rescale(ctx, ref, opts, func(_ *unstructured.Unstructured, from int32) (int32, any) {
		if from == 0 {
			return 0, nil
		}
		return 0, strconv.Itoa(int(from))
	})
}

// Start scales a Valkey that was stopped to as many servers as it had then, or to 1 where that is not known. One that runs is
// left alone.
func (c *Client) Start(ctx context.Context, ref Ref, opts ScaleOptions) (ScaleResult, error) {
	return c.rescale(ctx, ref, opts, func(object *unstructured.Unstructured, from int32) (int32, any) {
		if from > 0 {
			return from, nil
		}
		return max(remembered(object), 1), nil
	})
}

// Row is one Valkey as it is now, which a list may not know yet. It has no cells.
func (c *Client) Row(ctx context.Context, ref Ref) (*Row, error) {
	live, err := c.Live(ctx, ref)
	if err != nil {
		return nil, err
	}
	return newRow(live, &columnSet{}, time.Now()), nil
}

// remembered is how many servers a Valkey had when it was stopped; 0 where that is not known.
func remembered(object *unstructured.Unstructured) int32 {
	n, err := strconv.ParseInt(object.GetAnnotations()[v1alpha1.AnnotationStoppedReplicas], 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return int32(n)
}

// decideScale says from the object and its number of servers which number is wanted, and what to note (nil: nothing).
type decideScale func(object *unstructured.Unstructured, from int32) (to int32, note any)

// rescale sets the number of servers and the note of what it was (nil: none) in one write on exactly what was read.
func (c *Client) rescale(ctx context.Context, ref Ref, opts ScaleOptions, decide decideScale) (ScaleResult, error) {
	var result ScaleResult
	err := c.hold(ctx, ref, func(ref Ref) (err error) {
		result, err = c.rescaleHeld(ctx, ref, opts, decide)
		return err
	})
	return result, err
}

func (c *Client) rescaleHeld(ctx context.Context, ref Ref, opts ScaleOptions, decide decideScale) (ScaleResult, error) {
	for attempt := 1; ; attempt++ {
		live, err := c.Live(ctx, ref)
		if err != nil {
			return ScaleResult{}, err
		}
		spec, _ := live.Object["spec"].(map[string]any)
		result := ScaleResult{From: number(spec["replicas"], 1), ResourceVersion: live.GetResourceVersion()}
		name := "valkey " + quote(ref.Name)
		switch {
		case ref.ResourceVersion != "" && live.GetResourceVersion() != ref.ResourceVersion:
			return result, problem(ClassConflict, name+" has changed since you looked at it", "look again, then retry")
		case opts.From != nil && *opts.From != result.From:
			return result, problem(ClassConflict, fmt.Sprintf("%s has been scaled to %d meanwhile, from %d", name, result.From, *opts.From), "look again, then retry")
		}
		var note any
		if result.To, note = decide(live, result.From); result.To == result.From {
			return result, nil
		}
		err = c.write(ctx, live, result.To, note, opts.DryRun)
		if err == nil || !apierrors.IsConflict(err) || ref.ResourceVersion != "" || attempt == scaleAttempts {
			return result, explainedFor(c.failed(err), ref)
		}
	}
}

func (c *Client) write(ctx context.Context, live *unstructured.Unstructured, replicas int32, note any, dryRun bool) error {
	patch, err := mergePatch(map[string]any{
		"metadata": map[string]any{
			"uid": live.GetUID(), "resourceVersion": live.GetResourceVersion(),
			"annotations": map[string]any{v1alpha1.AnnotationStoppedReplicas: note},
		},
		"spec": map[string]any{"replicas": replicas},
	})
	if err != nil {
		return err
	}
	options := metav1.PatchOptions{FieldManager: fieldManager}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	_, err = c.connection().dynamic.Resource(valkeyResource).Namespace(live.GetNamespace()).
		Patch(ctx, live.GetName(), types.MergePatchType, patch, options)
	return err
}
