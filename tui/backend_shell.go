package tui

import (
	"context"

	"kuberly.io/valkey-operator/tui/kube"
)

// router leads to other contexts of the kubeconfig. Going there contacts no cluster.
type router interface {
	Contexts() []kube.Context
	Switch(name string) (backend, error)
}

// surveyor knows the namespaces: all of them, and then all of them again as soon as that has changed.
type surveyor interface {
	NamespacesAfter(ctx context.Context, version string) (names []string, next string, err error)
}

// judge knows what the user may do.
type judge interface {
	Rights(ctx context.Context, actions []kube.Action) ([]kube.Access, error)
}

// clientRouter makes backends of the client's contexts.
type clientRouter struct{ client *kube.Client }

func (r clientRouter) Contexts() []kube.Context { return r.client.Contexts() }

func (r clientRouter) Switch(name string) (backend, error) {
	c, err := r.client.WithContext(name)
	if err != nil {
		return backend{}, err
	}
	return newBackend(c), nil
}
