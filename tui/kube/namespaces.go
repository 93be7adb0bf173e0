package kube

import (
	"context"
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kuberly.io/valkey-operator/tui/clean"
)

// NamespacesAfter are the names of all namespaces, sorted, and the version of that list. Where a version is given it waits until one has come
// or gone since. ClassForbidden where the user may not list them.
func (c *Client) NamespacesAfter(ctx context.Context, version string) (names []string, next string, err error) {
	for version != "" {
		err := c.namespaceChange(ctx, version)
		if ctx.Err() != nil {
			return nil, "", explained(ctx.Err())
		}
		if !errors.Is(err, errNothingYet) {
			break // a change, or something that the list says better
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

var errNothingYet = errors.New("no namespace has changed")

// namespaceChange waits until a namespace comes or goes.
func (c *Client) namespaceChange(ctx context.Context, version string) error {
	stream, err := c.connection().core.Namespaces().Watch(ctx, metav1.ListOptions{ResourceVersion: version})
	if err != nil {
		pause(ctx, maxDelay) // a watch may be forbidden where a list is not
		return err
	}
	defer stream.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event, open := <-stream.ResultChan():
			switch {
			case !open:
				return errNothingYet
			case event.Type == watch.Added, event.Type == watch.Deleted, event.Type == watch.Error:
				return nil
			}
		}
	}
}
