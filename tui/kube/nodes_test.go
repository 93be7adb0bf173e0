package kube

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestNodeOfAPod(t *testing.T) {
	pod := func(change func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "app-node-1-x", Labels: map[string]string{
				"app.kubernetes.io/instance": "app", "database.kuberly.io/node": "1", "database.kuberly.io/role": "replica",
			}},
			Spec: corev1.PodSpec{NodeName: "host-1", Containers: []corev1.Container{{
				Name: "valkey", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}},
			}}},
			Status: corev1.PodStatus{
				Phase: corev1.PodRunning, PodIP: "10.0.0.1", Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
				ContainerStatuses: []corev1.ContainerStatus{{Name: "sidecar", RestartCount: 9}, {Name: "valkey", RestartCount: 2}},
			},
		}
		change(p)
		return p
	}
	node := func(change func(*Node)) Node {
		n := Node{Name: "app-node-1", Pod: "app-node-1-x", Host: "host-1", IP: "10.0.0.1", Role: "replica", Ready: true, Restarts: 2, Memory: 64 << 20}
		change(&n)
		return n
	}
	for name, test := range map[string]struct {
		pod  *corev1.Pod
		want Node
	}{
		"one that serves": {pod(func(*corev1.Pod) {}), node(func(*Node) {})},
		"one that waits says for what": {
			pod(func(p *corev1.Pod) {
				p.Status.ContainerStatuses[1].State.Waiting = &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff\x1b[2J"}
				p.Status.Conditions[0].Status = corev1.ConditionFalse
			}),
			node(func(n *Node) { n.State, n.Ready = "CrashLoopBackOff", false }),
		},
		"one that is to be placed": {
			pod(func(p *corev1.Pod) { p.Status = corev1.PodStatus{Phase: corev1.PodPending} }),
			node(func(n *Node) { n.State, n.Ready, n.IP, n.Restarts = "Pending", false, "", 0 }),
		},
		"one that ends": {
			pod(func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }),
			node(func(n *Node) { n.State, n.Ending = "ending", true }),
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, nodeOf(test.pod)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
