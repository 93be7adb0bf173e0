package tui

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/schema"
)

// changer changes the cluster after it has said what that would do.
type changer interface {
	Live(ctx context.Context, ref kube.Ref) (*unstructured.Unstructured, error)
	Review(ctx context.Context, p kube.Proposal) (kube.Review, error)
	Commit(ctx context.Context, p kube.Proposal) (kube.CreateResult, error)
}

// stopper stops and starts, and knows which of them is to be done.
type stopper interface {
	Row(ctx context.Context, ref kube.Ref) (*kube.Row, error)
	Stop(ctx context.Context, ref kube.Ref, opts kube.ScaleOptions) (kube.ScaleResult, error)
	Start(ctx context.Context, ref kube.Ref, opts kube.ScaleOptions) (kube.ScaleResult, error)
}

// offerer knows what a form can be filled with.
type offerer interface {
	Schema(ctx context.Context) *schema.Schema
	Namespaces(ctx context.Context) ([]string, error)
	StorageClasses(ctx context.Context) ([]string, error)
}

// formBackend is all that forms, reviews and editors ask of a cluster.
type formBackend interface {
	changer
	stopper
	offerer
	// ChildEnv is the environment by which a program that is started uses the same cluster and namespace.
	ChildEnv(dir, namespace string) ([]string, error)
}
