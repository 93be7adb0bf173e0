package kube

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/tui/manifest"
)

// ApplyOptions narrow an Apply.
type ApplyOptions struct {
	DryRun bool
	// Force takes over fields that another program or person has set.
	Force bool
}

// ApplyResult says what Apply did (or, in a dry run, would have done).
type ApplyResult struct {
	// Before is the object as it was; nil where there was none. After is it as it is now.
	Before, After *unstructured.Unstructured
	Warnings      []string
}

// IsCreated says that there was no such object.
func (r ApplyResult) IsCreated() bool { return r.Before == nil }

// IsUnchanged says that nothing that a person can wish is different now.
func (r ApplyResult) IsUnchanged() bool {
	return r.Before != nil && len(manifest.Changes(r.Before, r.After)) == 0
}

// Apply makes what a manifest says true, and leaves alone what it does not speak about (server-side apply). A password that the manifest
// shows as hidden stays as it is. What this program has set otherwise before is no conflict.
func (c *Client) Apply(ctx context.Context, object *unstructured.Unstructured, opts ApplyOptions) (ApplyResult, error) {
	ref := Ref{Namespace: object.GetNamespace(), Name: object.GetName()}
	live, err := c.Live(ctx, ref)
	switch {
	case IsClass(err, ClassNotFound):
		live = nil
	case err != nil:
		return ApplyResult{}, err
	}
	wanted := manifest.Visible(object)
	if !manifest.Keep(wanted, live) {
		return ApplyResult{}, problem(ClassInvalid, "spec.password: it was hidden when this manifest was printed, and there is none to keep",
			"write the password, or name a Secret in spec.passwordSecretRef")
	}
	ctx, warned := withWarnings(ctx)
	after, err := c.apply(ctx, wanted, opts)
	if !opts.Force && isOwnConflict(err) {
		opts.Force = true
		after, err = c.apply(ctx, wanted, opts)
	}
	if err != nil {
		p := Explain(explainedFor(c.failed(err), ref))
		if apierrors.IsConflict(p.Unwrap()) && !opts.Force {
			named := *p
			named.Hint = "--force-conflicts takes these fields over"
			return ApplyResult{}, &named
		}
		return ApplyResult{}, p
	}
	return ApplyResult{Before: live, After: after, Warnings: *warned}, nil
}

func (c *Client) apply(ctx context.Context, object *unstructured.Unstructured, opts ApplyOptions) (*unstructured.Unstructured, error) {
	data, err := object.MarshalJSON()
	if err != nil {
		return nil, err
	}
	options := metav1.PatchOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict, Force: &opts.Force}
	if opts.DryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	return c.connection().dynamic.Resource(valkeyResource).Namespace(object.GetNamespace()).
		Patch(ctx, object.GetName(), types.ApplyPatchType, data, options)
}

// isOwnConflict says that the fields of a manifest conflict only with what this program has set by another verb.
func isOwnConflict(err error) bool {
	var answer apierrors.APIStatus
	if !apierrors.IsConflict(err) || !errors.As(err, &answer) || answer.Status().Details == nil {
		return false
	}
	causes := answer.Status().Details.Causes
	for _, cause := range causes {
		if cause.Type != metav1.CauseTypeFieldManagerConflict || !strings.HasPrefix(cause.Message, `conflict with "`+fieldManager+`"`) {
			return false
		}
	}
	return len(causes) > 0
}
