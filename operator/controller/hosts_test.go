package controller

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// trimmedNodes reads nodes as the cache holds them.
type trimmedNodes []corev1.Node

func (n trimmedNodes) Get(_ context.Context, key client.ObjectKey, out client.Object, _ ...client.GetOption) error {
	for i := range n {
		if n[i].Name == key.Name {
			trimmed, err := TrimNode(&n[i])
			if err == nil {
				*out.(*corev1.Node) = *trimmed.(*corev1.Node)
			}
			return err
		}
	}
	return apierrors.NewNotFound(corev1.Resource("nodes"), key.Name)
}

func (trimmedNodes) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }

func TestHost(t *testing.T) {
	t.Parallel()
	node := func(name string, status ...corev1.ConditionStatus) corev1.Node {
		n := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionFalse}}
		for _, s := range status {
			n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: corev1.NodeReady, Status: s})
		}
		return n
	}
	cordoned := node("cordoned", corev1.ConditionTrue)
	cordoned.Spec.Unschedulable = true
	hosts := NodeHosts{Client: trimmedNodes{
		node("ready", corev1.ConditionTrue), node("not-ready", corev1.ConditionFalse), node("unheard-of", corev1.ConditionUnknown), node("new"), cordoned,
	}}
	for name, want := range map[string]Host{
		"ready": {}, "not-ready": {Down: true}, "unheard-of": {Down: true}, "new": {}, "cordoned": {Cordoned: true}, "removed": {Down: true}, "": {},
	} {
		if got := hosts.Host(t.Context(), name); got != want {
			t.Errorf("host %q: %+v, want %+v", name, got, want)
		}
	}
}
