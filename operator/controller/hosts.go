package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// NodeHosts knows the Kubernetes nodes from the cache.
type NodeHosts struct {
	Client client.Reader
}

// Host looks a Kubernetes node up. Where nothing can be told of it, it is neither cordoned nor down.
func (h NodeHosts) Host(ctx context.Context, name string) Host {
	if name == "" {
		return Host{}
	}
	var node corev1.Node
	if err := h.Client.Get(ctx, client.ObjectKey{Name: name}, &node); err != nil {
		return Host{Down: apierrors.IsNotFound(err)}
	}
	ready := readiness(&node)
	return Host{
		Cordoned: node.Spec.Unschedulable,
		Down:     len(ready) > 0 && ready[0].Status != corev1.ConditionTrue,
	}
}

// readiness is a node's condition of that name, if it has one.
func readiness(node *corev1.Node) []corev1.NodeCondition {
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return []corev1.NodeCondition{{Type: c.Type, Status: c.Status}}
		}
	}
	return nil
}

// TrimNode leaves of a Kubernetes node in the cache only what is asked for: a node's status is large and changes often.
func TrimNode(o any) (any, error) {
	node, ok := o.(*corev1.Node)
	if !ok {
		return nil, fmt.Errorf("%T is no node", o)
	}
	trimmed := &corev1.Node{}
	trimmed.Name, trimmed.UID, trimmed.ResourceVersion = node.Name, node.UID, node.ResourceVersion
	trimmed.Spec.Unschedulable = node.Spec.Unschedulable
	trimmed.Status.Conditions = readiness(node)
	return trimmed, nil
}

// cordonChanged passes only what a drain starts and ends with.
func cordonChanged() predicate.Predicate {
	return predicate.Funcs{
		CreateFunc:  func(event.CreateEvent) bool { return false },
		DeleteFunc:  func(event.DeleteEvent) bool { return false },
		GenericFunc: func(event.GenericEvent) bool { return false },
		UpdateFunc: func(e event.UpdateEvent) bool {
			before, ok := e.ObjectOld.(*corev1.Node)
			now, ok2 := e.ObjectNew.(*corev1.Node)
			return ok && ok2 && before.Spec.Unschedulable != now.Spec.Unschedulable
		},
	}
}

// onHost finds the Valkeys that have a pod on a host.
func (r *Reconciler) onHost() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, host client.Object) []ctrl.Request {
		var pods corev1.PodList
		if err := r.Client.List(ctx, &pods, client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy}); err != nil {
			ctrl.LoggerFrom(ctx).Error(err, "pods of a host cannot be listed", "host", host.GetName())
			return nil
		}
		var out []ctrl.Request
		for i := range pods.Items {
			if pods.Items[i].Spec.NodeName == host.GetName() {
				out = append(out, instanceOf(ctx, &pods.Items[i])...)
			}
		}
		return out
	})
}
