package controller

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

// childLists are the lists of every kind that the operator makes; the pods are made by others from what it made.
func childLists() []client.ObjectList {
	return []client.ObjectList{
		&corev1.SecretList{}, &corev1.ConfigMapList{}, &corev1.ServiceList{}, &policyv1.PodDisruptionBudgetList{},
		&corev1.PersistentVolumeClaimList{}, &appsv1.DeploymentList{}, &corev1.PodList{},
	}
}

// gather reads the children from the cache.
func (s *scope) gather(ctx context.Context) error {
	for _, list := range childLists() {
		err := s.r.Client.List(ctx, list, client.InNamespace(s.v.Namespace), client.MatchingLabels(s.v.PodLabels()))
		if err != nil {
			return fmt.Errorf("list children: %w", err)
		}
		if err := meta.EachListItem(list, s.put); err != nil {
			return fmt.Errorf("list children: %w", err)
		}
	}
	s.gathered = true
	uids := map[string]bool{}
	for _, n := range s.nodes {
		slices.SortFunc(n.pods, func(a, b *corev1.Pod) int {
			return cmp.Or(b.CreationTimestamp.Compare(a.CreationTimestamp.Time), cmp.Compare(a.UID, b.UID))
		})
		for _, pod := range n.pods {
			uids[string(pod.UID)] = true
		}
	}
	s.r.remember(client.ObjectKeyFromObject(s.v), uids)
	return nil
}

func (s *scope) put(o runtime.Object) error {
	object, ok := o.(resources.Object)
	if !ok {
		return fmt.Errorf("%T is no object", o)
	}
	if _, isPod := o.(*corev1.Pod); !isPod {
		s.live[keyOf(object)] = object
	}
	i, isNode := s.nodeIndex(object)
	if !isNode {
		return nil
	}
	switch object := o.(type) {
	case *corev1.Pod:
		if object.Status.Phase != corev1.PodSucceeded && object.Status.Phase != corev1.PodFailed {
			n := s.node(i)
			n.pods = append(n.pods, object)
		}
	case *appsv1.Deployment:
		if owned(s.v, object) {
			s.node(i).deployment = object
		}
	case *corev1.PersistentVolumeClaim:
		if owned(s.v, object) {
			s.node(i).claim = object
		}
	}
	return nil
}

// nodeIndex is the index of the node that an object belongs to: by its name, which nobody can change, and of a pod by its
// label, which its Deployment selects it by.
func (s *scope) nodeIndex(o client.Object) (int, bool) {
	text := o.GetLabels()[v1alpha1.LabelNode]
	if _, isPod := o.(*corev1.Pod); !isPod {
		text = strings.TrimPrefix(o.GetName(), s.v.Name+"-node-")
	}
	i, err := strconv.Atoi(text)
	return i, err == nil && i >= 0
}

// indices of the nodes that are known, in their order.
func (s *scope) indices() []int {
	out := make([]int, 0, len(s.nodes))
	for i := range s.nodes {
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}
