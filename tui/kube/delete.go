package kube

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DeleteOptions narrow a Delete.
type DeleteOptions struct {
	DryRun bool
}

// Delete starts the deletion of one Valkey. ref.UID and ref.ResourceVersion are preconditions: an object that has taken the
// name since is not touched.
func (c *Client) Delete(ctx context.Context, ref Ref, opts DeleteOptions) error {
	return c.hold(ctx, ref, func(ref Ref) error { return c.delete(ctx, ref, opts) })
}

func (c *Client) delete(ctx context.Context, ref Ref, opts DeleteOptions) error {
	background := metav1.DeletePropagationBackground
	options := metav1.DeleteOptions{PropagationPolicy: &background}
	if ref.UID != "" || ref.ResourceVersion != "" {
		options.Preconditions = &metav1.Preconditions{}
		if ref.UID != "" {
			options.Preconditions.UID = &ref.UID
		}
		if ref.ResourceVersion != "" {
			options.Preconditions.ResourceVersion = &ref.ResourceVersion
		}
	}
	if opts.DryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	err := c.connection().dynamic.Resource(valkeyResource).Namespace(ref.Namespace).Delete(ctx, ref.Name, options)
	return explainedFor(c.failed(err), ref)
}
