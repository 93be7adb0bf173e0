package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// WaitGone blocks until the Valkey that ref names is gone: its UID, not only its name.
func (c *Client) WaitGone(ctx context.Context, ref Ref) error {
	return c.until(ctx, ref, func(v *v1alpha1.Valkey) (bool, error) {
		return v == nil || ref.UID != "" && v.UID != ref.UID, nil
	})
}

// WaitReady blocks until the Valkey is as its spec wants it (running, or stopped where 0 are wanted), and
// returns an error as soon as it is failed or gone. progress, where it is set, is called with every new state.
func (c *Client) WaitReady(ctx context.Context, ref Ref, progress func(*v1alpha1.Valkey)) error {
	return c.untilThere(ctx, ref, progress, func(v *v1alpha1.Valkey) (bool, error) {
		if v.Status.Status == v1alpha1.PhaseFailed && v.Status.ObservedGeneration == v.Generation {
			return false, problem(ClassFailed, "valkey "+quote(ref.Name)+" failed: "+oneLine(v.Status.Error), "")
		}
		return isAsWanted(v), nil
	})
}

// WaitRestarted blocks until none of the pods is there any more that a Valkey had before it was restarted, and it is as its spec wants it. One
// that is failed is waited for: a restart may mend it. progress is as for WaitReady.
func (c *Client) WaitRestarted(ctx context.Context, before *v1alpha1.Valkey, progress func(*v1alpha1.Valkey)) error {
	old := map[string]bool{}
	for i := range before.Status.Nodes {
		old[before.Status.Nodes[i].Pod] = true
	}
	delete(old, "")
	ref := Ref{Namespace: before.Namespace, Name: before.Name, UID: before.UID}
	return c.untilThere(ctx, ref, progress, func(v *v1alpha1.Valkey) (bool, error) {
		isOld := func(n v1alpha1.NodeStatus) bool { return old[n.Pod] }
		return !slices.ContainsFunc(v.Status.Nodes, isOld) && isAsWanted(v), nil
	})
}

// untilThere is until for a Valkey that may not go meanwhile.
func (c *Client) untilThere(ctx context.Context, ref Ref, progress func(*v1alpha1.Valkey), done func(*v1alpha1.Valkey) (bool, error)) error {
	return c.until(ctx, ref, func(v *v1alpha1.Valkey) (bool, error) {
		if v == nil || ref.UID != "" && v.UID != ref.UID {
			return false, problem(ClassNotFound, "valkey "+quote(ref.Name)+" was deleted meanwhile", "")
		}
		if progress != nil {
			progress(v)
		}
		return done(v)
	})
}

func isAsWanted(v *v1alpha1.Valkey) bool {
	switch {
	case v.Status.ObservedGeneration != v.Generation:
		return false
	case v.WantedReplicas() == 0:
		return v.Status.Status == v1alpha1.PhaseStopped
	default:
		return v.Status.Status == v1alpha1.PhaseRunning && int(v.Status.ReadyReplicas) == v.WantedReplicas()
	}
}

// until calls done with every state of one Valkey, nil when it is gone, until it returns true or an error. An outage
// of the API server is waited out; what will not mend itself ends the wait.
func (c *Client) until(ctx context.Context, ref Ref, done func(*v1alpha1.Valkey) (bool, error)) error {
	delay := &backoff{}
	var last *v1alpha1.Valkey
	seen := func(v *v1alpha1.Valkey) (bool, error) {
		last = v
		return done(v)
	}
	for {
		finished, err := c.untilBroken(ctx, ref, seen, delay)
		switch {
		case finished:
			return nil
		case ctx.Err() != nil:
			return waitEnded(ctx, ref, last)
		case err != nil && !isOutage(err):
			return c.failed(err)
		}
		pause(ctx, delay.next())
	}
}

// waitEnded ends with what was seen last: that is why the wait was too short.
func waitEnded(ctx context.Context, ref Ref, last *v1alpha1.Valkey) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return explained(ctx.Err())
	}
	message := "valkey " + quote(ref.Name) + " is not there yet, and the wait has timed out"
	hint := ""
	if last != nil {
		message += ": " + StateWords(last)
		if last.Status.ObservedGeneration < last.Generation {
			hint = "is the operator running?"
		}
	}
	return problem(ClassTimeout, message, hint)
}

func isOutage(err error) bool {
	class := Explain(err).Class
	return class == ClassUnreachable || class == ClassTimeout
}

// untilBroken lists and watches the one object until done says so or the watch ends.
func (c *Client) untilBroken(ctx context.Context, ref Ref, done func(*v1alpha1.Valkey) (bool, error), delay *backoff) (bool, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	valkeys := c.connection().dynamic.Resource(valkeyResource).Namespace(ref.Namespace)
	options := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("metadata.name", ref.Name).String()}
	list, err := valkeys.List(ctx, options)
	if err != nil {
		return false, err
	}
	var current *unstructured.Unstructured
	if len(list.Items) > 0 {
		current = &list.Items[0]
	}
	if finished, err := check(current, done); finished || err != nil {
		return finished, err
	}
	options.ResourceVersion = list.GetResourceVersion()
	stream, err := valkeys.Watch(ctx, options)
	if err != nil {
		return false, err
	}
	defer stream.Stop()
	for event := range stream.ResultChan() {
		delay.reset()
		object, ok := event.Object.(*unstructured.Unstructured)
		if event.Type == watch.Error || !ok {
			return false, nil // the next list tells
		}
		if event.Type == watch.Deleted {
			object = nil
		}
		if finished, err := check(object, done); finished || err != nil {
			return finished, err
		}
	}
	return false, nil
}

func check(object *unstructured.Unstructured, done func(*v1alpha1.Valkey) (bool, error)) (bool, error) {
	if object == nil {
		return done(nil)
	}
	v := &v1alpha1.Valkey{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, v); err != nil {
		return false, fmt.Errorf("read valkey %s: %w", object.GetName(), err)
	}
	return done(v)
}
