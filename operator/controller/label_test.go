//go:build integration

package controller

import (
	"context"
	"errors"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/plan"
	"kuberly.io/valkey-operator/test/apiserver"
)

// labelScene is a Valkey with two pods, the first of which came to have the primary's label behind the cache's back.
func labelScene(t *testing.T, failures interceptor.Funcs) (*scope, client.WithWatch) {
	t.Helper()
	server := apiserver.Shared(t)
	plain, err := client.NewWithWatch(server.Config(), client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	c := interceptor.NewClient(plain, failures)
	v := &v1alpha1.Valkey{}
	v.Name, v.Namespace = "x", server.Namespace(t)
	s := newScope(&Reconciler{Client: c, Live: c, Clock: clock.RealClock{}}, v)
	for i := range 2 {
		pod := &corev1.Pod{}
		pod.Name, pod.Namespace, pod.Labels = "x-node-"+strconv.Itoa(i), v.Namespace, v.PodLabels()
		pod.Spec.Containers = []corev1.Container{{Name: v1alpha1.ContainerName, Image: "valkey/valkey"}}
		if err := c.Create(t.Context(), pod); err != nil {
			t.Fatal(err)
		}
		s.node(i).pods = []*corev1.Pod{pod}
	}
	other := s.node(0).pods[0].DeepCopy()
	other.Labels[v1alpha1.LabelRole] = string(v1alpha1.RolePrimary)
	if err := c.Update(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	return s, c
}

// moveTo are the actions that make a pod the primary for clients.
func moveTo(pod *corev1.Pod) []plan.Action {
	to := plan.Pod{UID: string(pod.UID), Name: pod.Name, Node: 1}
	return []plan.Action{{Kind: plan.Lead, Pod: to}, {Kind: plan.Label, Pod: to, Role: v1alpha1.RolePrimary}}
}

// Where the Service cannot be made to lead to the new primary it follows the label, which moves all the same.
func TestLabelMovesThoughTheServiceDoesNot(t *testing.T) {
	refused := 0
	s, c := labelScene(t, interceptor.Funcs{Apply: func(context.Context, client.WithWatch, runtime.ApplyConfiguration, ...client.ApplyOption) error {
		refused++
		return errors.New("a webhook refuses it")
	}})
	next := s.node(1).pods[0]
	if _, err := s.carryOutAll(t.Context(), moveTo(next)); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(next), next); err != nil || next.Labels[v1alpha1.LabelRole] != string(v1alpha1.RolePrimary) {
		t.Errorf("the new primary has the label %q, %v", next.Labels[v1alpha1.LabelRole], err)
	}
	if refused != 1 {
		t.Errorf("%d changes of the Service were refused, want 1", refused)
	}
}

// TestLabelMovesThoughTheCacheIsLate: where one change of the primary follows on another, the cache may not know yet that the pod
// before was labelled. It loses the label all the same before another has it.
func TestLabelMovesThoughTheCacheIsLate(t *testing.T) {
	s, c := labelScene(t, interceptor.Funcs{})
	v := s.v
	labelled := v.PodLabels()
	labelled[v1alpha1.LabelRole] = string(v1alpha1.RolePrimary)
	watch, err := c.Watch(t.Context(), &corev1.PodList{}, client.InNamespace(v.Namespace), client.MatchingLabels(labelled))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(watch.Stop)
	next := s.node(1).pods[0]
	if refused, err := s.do(t.Context(), moveTo(next)[1]); err != nil || refused {
		t.Fatalf("refused %t, %v", refused, err)
	}

	// A watch by label tells who comes to have it and who ceases to: the first, its loss, the second.
	for i, want := range []string{"ADDED x-node-0", "DELETED x-node-0", "ADDED x-node-1"} {
		e := <-watch.ResultChan()
		pod, isPod := e.Object.(*corev1.Pod)
		if !isPod {
			t.Fatalf("the watch says %s %v", e.Type, e.Object)
		}
		if got := string(e.Type) + " " + pod.Name; got != want {
			t.Fatalf("change %d of who has the label is %s, want %s", i, got, want)
		}
	}
}
