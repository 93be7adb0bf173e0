//go:build integration

package controller

import (
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/plan"
	"kuberly.io/valkey-operator/test/apiserver"
)

// TestLabelMovesThoughTheCacheIsLate: where one change of the primary follows on another, the cache may not know yet that the pod
// before was labelled. It loses the label all the same before another has it.
func TestLabelMovesThoughTheCacheIsLate(t *testing.T) {
	server := apiserver.Shared(t)
	c, err := client.NewWithWatch(server.Config(), client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}
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

	labelled := v.PodLabels()
	labelled[v1alpha1.LabelRole] = string(v1alpha1.RolePrimary)
	watch, err := c.Watch(t.Context(), &corev1.PodList{}, client.InNamespace(v.Namespace), client.MatchingLabels(labelled))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(watch.Stop)
	next := s.node(1).pods[0]
	a := plan.Action{Kind: plan.Label, Pod: plan.Pod{UID: string(next.UID), Name: next.Name, Node: 1}, Role: v1alpha1.RolePrimary}
	if refused, err := s.do(t.Context(), a); err != nil || refused {
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
