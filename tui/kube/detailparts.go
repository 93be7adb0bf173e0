package kube

import (
	"cmp"
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// podSet are the nodes by the UID of their pods.
type podSet map[types.UID]placedNode

// placedNode is a node with its index.
type placedNode struct {
	index int
	Node
}

func (p podSet) put(o runtime.Object) {
	if pod, ok := o.(*corev1.Pod); ok {
		p[pod.UID] = placedNode{nodeIndex(pod), nodeOf(pod)}
	}
}

// nodes are in the order of Client.Nodes.
func (p podSet) nodes() []Node {
	sorted := slices.SortedFunc(maps.Values(p), func(a, b placedNode) int {
		return cmp.Or(cmp.Compare(a.index, b.index), a.Created.Compare(b.Created), cmp.Compare(a.Pod, b.Pod))
	})
	nodes := make([]Node, len(sorted))
	for i := range sorted {
		nodes[i] = sorted[i].Node
	}
	return nodes
}

func (s *DetailStream) podFeed() *feed {
	return &feed{
		client: s.client,
		list: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.LabelSelector = podSelector(s.ref)
			return s.client.connection().core.Pods(s.ref.Namespace).List(ctx, o)
		},
		watch: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.LabelSelector = podSelector(s.ref)
			return s.client.connection().core.Pods(s.ref.Namespace).Watch(ctx, o)
		},
		replace: func(all []runtime.Object) {
			s.change(func() {
				s.pods = podSet{}
				for _, o := range all {
					s.pods.put(o)
				}
			})
		},
		put: func(o runtime.Object) { s.change(func() { s.pods.put(o) }) },
		drop: func(o runtime.Object) {
			if pod, ok := o.(*corev1.Pod); ok {
				s.change(func() { delete(s.pods, pod.UID) })
			}
		},
		failed: func(p *Problem) { s.change(func() { s.state.PodsProblem = p }) },
	}
}

func (s *DetailStream) eventFeed() *feed {
	isOwn := ownEvents(s.ref)
	put := func(o runtime.Object) {
		if e, ok := o.(*corev1.Event); ok && isOwn(e) {
			s.events[e.UID] = eventOf(e)
		}
	}
	return &feed{
		client: s.client,
		list: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return s.client.connection().core.Events(s.ref.Namespace).List(ctx, o)
		},
		watch: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return s.client.connection().core.Events(s.ref.Namespace).Watch(ctx, o)
		},
		replace: func(all []runtime.Object) {
			s.change(func() {
				s.events = map[types.UID]Event{}
				for _, o := range all {
					put(o)
				}
			})
		},
		put: func(o runtime.Object) {
			// The namespace may be busy with what is none of ours.
			if e, ok := o.(*corev1.Event); ok && isOwn(e) {
				s.change(func() { put(o) })
			}
		},
		drop:   func(runtime.Object) {}, // what happened has happened, also when the cluster forgets it
		failed: func(p *Problem) { s.change(func() { s.state.EventsProblem = p }) },
	}
}

// sortedEvents are the newest maxEvents, the oldest first.
func sortedEvents(events map[types.UID]Event) []Event {
	sorted := slices.SortedFunc(maps.Values(events), func(a, b Event) int {
		return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Reason, b.Reason))
	})
	return sorted[max(len(sorted)-maxEvents, 0):]
}
