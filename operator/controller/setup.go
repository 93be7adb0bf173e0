package controller

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// parallel is how many Valkeys are reconciled at the same time: a reconcile mostly waits for servers.
const parallel = 16

// children are the kinds that the controller watches.
func children() []client.Object {
	return []client.Object{
		&corev1.Secret{}, &corev1.ConfigMap{}, &corev1.Service{}, &corev1.PersistentVolumeClaim{}, &corev1.Pod{},
		&appsv1.Deployment{}, &policyv1.PodDisruptionBudget{},
	}
}

// CacheOptions keep only objects with our label in memory, without their managed fields.
func CacheOptions() map[client.Object]cache.ByObject {
	ours := labels.SelectorFromSet(labels.Set{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy, v1alpha1.LabelName: v1alpha1.AppName})
	out := map[client.Object]cache.ByObject{}
	for _, kind := range children() {
		out[kind] = cache.ByObject{Label: ours}
	}
	out[&corev1.Node{}] = cache.ByObject{Transform: TrimNode}
	return out
}

// SetupWithManager registers the controller. Children are found by their label, not by their owner reference: pods
// are owned by others, and retained claims by nobody.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr).
		Named("valkey").
		For(&v1alpha1.Valkey{}, builder.WithPredicates(predicate.Or(
			predicate.GenerationChangedPredicate{}, deletionStarted(), predicate.AnnotationChangedPredicate{},
		))).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: parallel,
			RateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[ctrl.Request](
				200*time.Millisecond, 30*time.Second),
		})
	for _, kind := range children() {
		b = b.Watches(kind, handler.EnqueueRequestsFromMapFunc(instanceOf))
	}
	if r.Hosts != nil {
		b = b.Watches(&corev1.Node{}, r.onHost(), builder.WithPredicates(cordonChanged()))
	}
	if r.Wake != nil {
		b = b.WatchesRawSource(source.Channel(r.Wake, &handler.EnqueueRequestForObject{}))
	}
	return b.Complete(r)
}

func deletionStarted() predicate.Predicate {
	return predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetDeletionTimestamp() != nil })
}

func instanceOf(_ context.Context, o client.Object) []ctrl.Request {
	name := o.GetLabels()[v1alpha1.LabelInstance]
	if name == "" {
		return nil
	}
	return []ctrl.Request{{NamespacedName: types.NamespacedName{Namespace: o.GetNamespace(), Name: name}}}
}
