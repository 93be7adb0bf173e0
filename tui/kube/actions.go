package kube

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// CreateOptions is what Create needs.
type CreateOptions struct {
	// Valkey is what to create: namespace, name and spec.
	Valkey *v1alpha1.Valkey
	// Password, where it is not empty, goes into a Secret of its own that spec.passwordSecretRef is made to name.
	Password string
	// DryRun asks the server to check everything and keep nothing.
	DryRun bool
}

// CreateResult says what Create made (or, in a dry run, would have made).
type CreateResult struct {
	Valkey           *v1alpha1.Valkey
	NamespaceCreated bool
	Secret           string // name of the Secret with the password; empty where none was made
	Warnings         []string
}

// Create makes a Valkey; first its namespace where it is missing, and the Secret of its password. The Secret goes away with the
// Valkey, and at once where the Valkey is refused.
func (c *Client) Create(ctx context.Context, opts CreateOptions) (CreateResult, error) {
	return CreateResult{}, nil
}

// Get reads one Valkey. Its text is not cleaned: clean what is drawn.
func (c *Client) Get(ctx context.Context, namespace, name string) (*v1alpha1.Valkey, error) {
	return nil, nil
}

// YAML is one Valkey as YAML, managedFields hidden and cleaned. The password is masked unless reveal is set.
func (c *Client) YAML(ctx context.Context, ref Ref, reveal bool) (string, error) { return "", nil }

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

// Scale sets the number of servers through the scale subresource. ref.UID and ref.ResourceVersion are held against the object.
// Pass ref.Key() and ScaleOptions.From where a mere change of status is no reason to refuse.
func (c *Client) Scale(ctx context.Context, ref Ref, replicas int32, opts ScaleOptions) (ScaleResult, error) {
	return ScaleResult{}, nil
}

// DeleteOptions narrow a Delete.
type DeleteOptions struct {
	DryRun bool
}

// Delete starts the deletion of one Valkey. ref.UID and ref.ResourceVersion are preconditions.
func (c *Client) Delete(ctx context.Context, ref Ref, opts DeleteOptions) error { return nil }

// WaitGone blocks until the Valkey that ref names is gone: its UID, not only its name.
func (c *Client) WaitGone(ctx context.Context, ref Ref) error { return nil }

// WaitReady blocks until the Valkey is as its spec wants it (running, or stopped where 0 are wanted), and
// returns an error as soon as it is failed or gone. progress, where it is set, is called with every new state.
func (c *Client) WaitReady(ctx context.Context, ref Ref, progress func(*v1alpha1.Valkey)) error {
	return nil
}

// Child is an object that belongs to a Valkey.
type Child struct {
	Kind, Name string
	// Kept says that it stays when the Valkey is deleted (a claim with reclaim: Retain).
	Kept bool
	// Detail is a short word more: the size of a claim, the host of a pod.
	Detail string
}

// Children are the objects that belong to the Valkey: claims first, then pods and the rest. Kinds that the user
// may not list are named in missing.
func (c *Client) Children(ctx context.Context, ref Ref) (children []Child, missing []string, err error) {
	return nil, nil, nil
}

// Event is one Kubernetes event, cleaned.
type Event struct {
	Type    string // Normal or Warning
	Reason  string
	Message string
	Object  string // Kind/name
	Count   int32
	First   time.Time
	Last    time.Time
}

// Events of the Valkey and of what belongs to it, oldest first.
func (c *Client) Events(ctx context.Context, ref Ref) ([]Event, error) { return nil, nil }

// Pods of the Valkey, by node index and start.
func (c *Client) Pods(ctx context.Context, ref Ref) ([]corev1.Pod, error) { return nil, nil }
