package kube

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// podSet are the nodes by the UID of their pods.
type podSet map[types.UID]placedNode

// placedNode is a node with its index.
type placedNode struct {
	index int
	Node
}

func (p podSet) put(pod *corev1.Pod) { p[pod.UID] = placedNode{nodeIndex(pod), nodeOf(pod)} }

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
	f := s.client.podFeed(s.ref.Namespace, podSelector(s.ref),
		func(pods []*corev1.Pod) {
			s.change(func() {
				s.pods = podSet{}
				for _, pod := range pods {
					s.pods.put(pod)
				}
			})
		},
		func(pod *corev1.Pod) { s.change(func() { s.pods.put(pod) }) },
		func(pod *corev1.Pod) { s.change(func() { delete(s.pods, pod.UID) }) },
	)
	f.failed = func(p *Problem) { s.change(func() { s.state.PodsProblem = p }) }
	return f
}

func (s *DetailStream) eventFeed() *feed {
	f := s.client.eventFeed(s.ref,
		func(all []*corev1.Event) {
			s.change(func() {
				s.events = map[types.UID]Event{}
				for _, e := range all {
					s.events[e.UID] = eventOf(e)
				}
			})
		},
		func(e *corev1.Event) { s.change(func() { s.events[e.UID] = eventOf(e) }) },
	)
	f.failed = func(p *Problem) { s.change(func() { s.state.EventsProblem = p }) }
	return f
}

// sortedEvents are the newest maxEvents, the oldest first.
func sortedEvents(events map[types.UID]Event) []Event {
	sorted := slices.SortedFunc(maps.Values(events), func(a, b Event) int {
		return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Reason, b.Reason))
	})
	return sorted[max(len(sorted)-maxEvents, 0):]
}
