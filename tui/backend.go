package tui

import (
	"context"

	"kuberly.io/valkey-operator/tui/kube"
)

// lister is a live list of Valkeys: a kube.Store, or a test's.
type lister interface {
	Next(ctx context.Context) (kube.Snapshot, error)
	Retry()
	Close()
}

// liner is a log: a kube.LogStream, or a test's.
type liner interface {
	Next(ctx context.Context) ([]kube.Line, error)
	Close()
}

// watcher opens what goes on and on.
type watcher interface {
	Watch(ctx context.Context, scope kube.Scope) lister
	Logs(ctx context.Context, ref kube.Ref, opts kube.LogOptions) liner
}

// actor changes the cluster.
type actor interface {
	Scale(ctx context.Context, ref kube.Ref, replicas int32, opts kube.ScaleOptions) (kube.ScaleResult, error)
	Delete(ctx context.Context, ref kube.Ref, opts kube.DeleteOptions) error
}

// asker asks once.
type asker interface {
	ServerVersion(ctx context.Context) (string, error)
	Children(ctx context.Context, ref kube.Ref) (children []kube.Child, missing []string, err error)
}

// backend is all that the dashboard asks of a cluster.
type backend struct {
	watcher
	actor
	asker
	router
	surveyor
	judge
	visitor
	physician
	inspector
	discloser
	mover
	formBackend
	context   kube.Context
	namespace string
}

func newBackend(c *kube.Client) backend {
	return backend{
		visitor: clientVisitor{c}, formBackend: c,
		watcher: clientWatcher{c}, actor: c, asker: c, router: clientRouter{c}, surveyor: c, judge: c, physician: c,
		inspector: clientInspector{c}, discloser: c, mover: c,
		context: c.Context(), namespace: c.Namespace(),
	}
}

// clientWatcher hands out the client's stores and streams as interfaces.
type clientWatcher struct{ client *kube.Client }

func (w clientWatcher) Watch(ctx context.Context, scope kube.Scope) lister {
	return w.client.Watch(ctx, scope)
}

func (w clientWatcher) Logs(ctx context.Context, ref kube.Ref, opts kube.LogOptions) liner {
	return w.client.Logs(ctx, ref, opts)
}
