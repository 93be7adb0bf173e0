package kube

import (
	"context"
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"kuberly.io/valkey-operator/tui/clean"
)

// NamespacesAfter are the names of all namespaces, sorted, and the version of that list. Where a version is given it waits until one has come,
// gone or changed since. ClassForbidden where the user may not list them.
func (c *Client) NamespacesAfter(ctx context.Context, version string) (names []string, next string, err error) {
	if version != "" {
		c.awaitNamespace(ctx, version)
		if ctx.Err() != nil {
			return nil, "", explained(ctx.Err())
		}
	}
	bounded, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	list, err := c.connection().core.Namespaces().List(bounded, metav1.ListOptions{})
	if err != nil {
		return nil, "", c.failed(err)
	}
	for i := range list.Items {
		names = append(names, clean.Text(list.Items[i].Name))
	}
	slices.Sort(names)
	return names, list.ResourceVersion, nil
}

// awaitNamespace waits until something happens to a namespace, or until the list says better what is.
func (c *Client) awaitNamespace(ctx context.Context, version string) {
	waiting, over := context.WithCancel(ctx)
	defer over()
	f := &feed{
		client: c,
		watch: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return c.connection().core.Namespaces().Watch(ctx, o)
		},
		put:  func(runtime.Object) { over() },
		drop: func(runtime.Object) { over() },
	}
	var err error
	for delay := (&backoff{}); err == nil; {
		version, err = f.consume(waiting, version, delay)
	}
	if waiting.Err() == nil && !errors.Is(err, errExpired) {
		pause(ctx, maxDelay) // a watch may be forbidden where a list is not
	}
}
