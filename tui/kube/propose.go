package kube

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/manifest"
)

// Proposal is a change of one Valkey, or a new one, that is not made yet.
type Proposal struct {
	// Base is the object as it was when the change was thought of; nil for a new one.
	Base *unstructured.Unstructured
	// Wanted is the whole object as it shall be.
	Wanted *unstructured.Unstructured
	// Password of a new one, where it is not empty, goes into a Secret of its own.
	Password string
}

// Review is what the server says to a proposal.
type Review struct {
	// Proposal is the one that was checked: on the present version of the object.
	Proposal Proposal
	// Result is the object as the server would keep it.
	Result *unstructured.Unstructured
	// Meanwhile is what others have changed since the proposal's own base.
	Meanwhile []manifest.Change
	// NewNamespace says that the namespace would be made too, Secret which Secret for the password.
	NewNamespace bool
	Secret       string
	Warnings     []string
}

// Live reads one Valkey as it is, its password and what the server notes included, to be changed. Its text is not cleaned.
func (c *Client) Live(ctx context.Context, ref Ref) (*unstructured.Unstructured, error) {
	object, err := c.connection().dynamic.Resource(valkeyResource).Namespace(ref.Namespace).Get(ctx, ref.Name, metav1.GetOptions{})
	if err != nil {
		return nil, explainedFor(c.failed(err), ref)
	}
	if ref.UID != "" && object.GetUID() != ref.UID {
		return nil, replaced("valkey " + quote(ref.Name))
	}
	return object, nil
}

// Review has the server check a proposal, and keeps nothing. Where the object has changed since, the proposal is carried over to it.
func (c *Client) Review(ctx context.Context, p Proposal) (Review, error) {
	if p.Base == nil {
		return c.reviewNew(ctx, p)
	}
	ref := refOf(p.Base)
	live, err := c.Live(ctx, ref)
	if err != nil {
		return Review{}, err
	}
	r := Review{Meanwhile: manifest.Changes(p.Base, live)}
	if p.Wanted, err = manifest.Rebase(p.Base, p.Wanted, live); err != nil {
		return Review{}, explained(err)
	}
	p.Base = live
	r.Proposal = p
	ctx, warned := withWarnings(ctx)
	if r.Result, err = c.update(ctx, p, true); err != nil {
		return Review{Proposal: p, Meanwhile: r.Meanwhile}, explainedFor(c.failed(err), ref)
	}
	r.Warnings = *warned
	return r, nil
}

func (c *Client) reviewNew(ctx context.Context, p Proposal) (Review, error) {
	result, err := c.createProposed(ctx, p, true)
	if err != nil {
		return Review{}, err
	}
	object, err := manifest.Untyped(result.Valkey)
	if err != nil {
		return Review{}, explained(err)
	}
	return Review{Proposal: p, Result: object, NewNamespace: result.NamespaceCreated, Secret: result.Secret, Warnings: result.Warnings}, nil
}

// Commit makes a proposal true: on the version of the object that it was reviewed with, or on one that differs only in what the server and
// the operator note. Anything else is ClassConflict: review it again.
func (c *Client) Commit(ctx context.Context, p Proposal) (CreateResult, error) {
	if p.Base == nil {
		return c.createProposed(ctx, p, false)
	}
	ref := refOf(p.Base)
	ctx, warned := withWarnings(ctx)
	object, err := c.update(ctx, p, false)
	for attempt := 1; apierrors.IsConflict(err) && attempt < scaleAttempts; attempt++ {
		live, liveErr := c.Live(ctx, ref)
		if liveErr != nil {
			return CreateResult{}, liveErr
		}
		if len(manifest.Changes(p.Base, live)) > 0 {
			break
		}
		p.Base, p.Wanted = live, manifest.Restore(manifest.Visible(p.Wanted), live)
		object, err = c.update(ctx, p, false)
	}
	if err != nil {
		return CreateResult{}, explainedFor(c.failed(err), ref)
	}
	v, err := manifest.Typed(object)
	return CreateResult{Valkey: v, Warnings: *warned}, explained(err)
}

// update writes the whole object. Its resourceVersion and UID are held against what is there.
func (c *Client) update(ctx context.Context, p Proposal, dryRun bool) (*unstructured.Unstructured, error) {
	options := metav1.UpdateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	return c.connection().dynamic.Resource(valkeyResource).Namespace(p.Base.GetNamespace()).Update(ctx, p.Wanted, options)
}

func (c *Client) createProposed(ctx context.Context, p Proposal, dryRun bool) (CreateResult, error) {
	v, err := manifest.Typed(p.Wanted)
	if err != nil {
		return CreateResult{}, problem(ClassInvalid, oneLine(err.Error()), "")
	}
	return c.Create(ctx, CreateOptions{Valkey: v, Fields: p.Wanted, Password: p.Password, DryRun: dryRun})
}

func refOf(object *unstructured.Unstructured) Ref {
	return Ref{Namespace: object.GetNamespace(), Name: object.GetName(), UID: object.GetUID()}
}
