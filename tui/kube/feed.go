package kube

import (
	"context"
	"errors"
	"math/rand/v2"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// feed follows the objects of one kind by a list and a watch, and tells what happens to them. It keeps none itself.
type feed struct {
	client *Client
	list   func(context.Context, metav1.ListOptions) (runtime.Object, error)
	watch  func(context.Context, metav1.ListOptions) (watch.Interface, error)

	replace   func([]runtime.Object)
	put, drop func(runtime.Object)
	// failed, where it is set, is told of each error that is not the one before, and of nil when all is well again.
	failed func(*Problem)
	told   string
	// ends, where it is set, says which errors are not waited out.
	ends func(*Problem) bool
}

// follow goes on until ctx ends, or with an error that is not waited out.
func (f *feed) follow(ctx context.Context) error {
	delay := &backoff{}
	for ctx.Err() == nil {
		version, err := f.relist(ctx)
		for err == nil {
			f.tell(nil)
			version, err = f.consume(ctx, version, delay)
		}
		if ctx.Err() != nil {
			break
		}
		if !errors.Is(err, errExpired) {
			p := Explain(f.client.failed(err))
			if f.ends != nil && f.ends(p) {
				return p
			}
			f.tell(p)
		}
		pause(ctx, delay.next())
	}
	return ctx.Err()
}

// tell tells what is new of how it fares.
func (f *feed) tell(p *Problem) {
	text := ""
	if p != nil {
		text = p.Error()
	}
	if text != f.told && f.failed != nil {
		f.failed(p)
	}
	f.told = text
}

// relist reads all pages.
func (f *feed) relist(ctx context.Context) (version string, err error) {
	var all []runtime.Object
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := f.page(ctx, options)
		if err != nil {
			return "", err
		}
		items, err := meta.ExtractList(page)
		if err != nil {
			return "", err
		}
		all = append(all, items...)
		list, err := meta.ListAccessor(page)
		if err != nil {
			return "", err
		}
		if options.Continue = list.GetContinue(); options.Continue == "" {
			f.replace(all)
			return list.GetResourceVersion(), nil
		}
	}
}

func (f *feed) page(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return f.list(ctx, options)
}

// consume applies what happens after version until the watch ends, and returns the version to go on from.
func (f *feed) consume(ctx context.Context, version string, delay *backoff) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	seconds := int64(watchTimeout.Seconds()) + rand.Int64N(int64(watchTimeout.Seconds()/2)) //nolint:gosec // Only spreads load.
	stream, err := f.watch(ctx, metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
	if isExpired(err) {
		return version, errExpired
	}
	if err != nil {
		return version, err
	}
	defer stream.Stop()
	events := 0
	for {
		select {
		case <-ctx.Done():
			return version, ctx.Err()
		case event, open := <-stream.ResultChan():
			switch {
			case !open && events == 0:
				return version, errExpired // a watch that ends at once is tried again with a pause
			case !open:
				return version, nil
			case event.Type == watch.Error:
				if err := apierrors.FromObject(event.Object); !isExpired(err) {
					return version, err
				}
				return version, errExpired
			}
			events++
			delay.reset()
			if accessor, err := meta.Accessor(event.Object); err == nil {
				version = accessor.GetResourceVersion()
			}
			f.apply(event)
		}
	}
}

func (f *feed) apply(event watch.Event) {
	switch event.Type {
	case watch.Added, watch.Modified:
		f.put(event.Object)
	case watch.Deleted:
		f.drop(event.Object)
	default: // a bookmark
	}
}
