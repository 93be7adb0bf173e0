package kube

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// eventFeed follows the events of a Valkey and of what belongs to it: listed tells all that there are, came one that came, or came again. That
// the cluster forgets one is not told: what happened has happened.
func (c *Client) eventFeed(ref Ref, listed func([]*corev1.Event), came func(*corev1.Event)) *feed {
	isOwn := ownEvents(ref)
	return &feed{
		client: c,
		list: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return c.connection().core.Events(ref.Namespace).List(ctx, o)
		},
		watch: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return c.connection().core.Events(ref.Namespace).Watch(ctx, o)
		},
		replace: func(all []runtime.Object) {
			var own []*corev1.Event
			for _, o := range all {
				if e, ok := o.(*corev1.Event); ok && isOwn(e) {
					own = append(own, e)
				}
			}
			listed(own)
		},
		put: func(o runtime.Object) {
			// The namespace may be busy with what is none of ours.
			if e, ok := o.(*corev1.Event); ok && isOwn(e) {
				came(e)
			}
		},
		drop: func(runtime.Object) {},
	}
}

// FollowEvents tells the events of a Valkey and of what belongs to it, the oldest first, and then each that comes, or comes again; after an
// outage all that there are. A problem is told once, and waited out, unless tell returns an error: with that it ends.
func (c *Client) FollowEvents(ctx context.Context, ref Ref, tell func(events []Event, p *Problem) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pass := func(events []Event, p *Problem) {
		if ctx.Err() != nil {
			return
		}
		if err := tell(events, p); err != nil {
			cancel(err)
		}
	}
	f := c.eventFeed(ref,
		func(all []*corev1.Event) {
			events := make([]Event, len(all))
			for i, e := range all {
				events[i] = eventOf(e)
			}
			slices.SortStableFunc(events, func(a, b Event) int { return a.Last.Compare(b.Last) })
			pass(events, nil)
		},
		func(e *corev1.Event) { pass([]Event{eventOf(e)}, nil) },
	)
	f.failed = func(p *Problem) {
		if p != nil {
			pass(nil, p)
		}
	}
	_ = f.follow(ctx) // its end is that of ctx
	return context.Cause(ctx)
}
