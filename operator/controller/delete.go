package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

// deletionSlack is how long after the servers' grace the operator still waits for their pods. On a host that was lost
// they never end; the object goes all the same.
const deletionSlack = 30 * time.Second

// delete takes the children away in their order and then lets the object go: servers, then claims, then the rest.
// What is gone already is fine, and nothing is created.
func (s *scope) delete(ctx context.Context) error {
	if !controllerutil.ContainsFinalizer(s.v, v1alpha1.Finalizer) {
		return nil
	}
	if err := s.gather(ctx); err != nil {
		return err
	}
	pods := 0
	for _, i := range s.indices() {
		if d := s.nodes[i].deployment; d != nil {
			if err := s.remove(ctx, d); err != nil {
				return err
			}
		}
		pods += len(s.nodes[i].pods)
	}
	if overdue := s.deletionOverdue(); pods > 0 && overdue > 0 {
		s.after(overdue)
		return nil
	}
	if left, err := s.deleteRest(ctx); err != nil || left > 0 && s.deletionOverdue() > 0 {
		s.after(soon)
		return err
	}
	return s.letObjectGo(ctx)
}

// deletionOverdue is how long the pods may still take to end.
func (s *scope) deletionOverdue() time.Duration {
	limit := s.v.DeletionTimestamp.Add(resources.Grace(s.v) + deletionSlack)
	return limit.Sub(s.r.Clock.Now())
}

// deleteRest takes claims and shared children away, and says how many are left.
func (s *scope) deleteRest(ctx context.Context) (left int, err error) {
	for _, i := range s.indices() {
		if s.nodes[i].claim == nil {
			continue
		}
		if err := s.letGo(ctx, s.nodes[i]); err != nil {
			return 0, err
		}
	}
	for _, child := range s.live {
		if !owned(s.v, child) {
			continue
		}
		if _, isClaim := child.(*corev1.PersistentVolumeClaim); !isClaim {
			if err := s.remove(ctx, child); err != nil {
				return 0, err
			}
		} else if s.v.Spec.Volume.Reclaim == v1alpha1.ReclaimRetain || isLeftBehind(child) {
			continue
		}
		left++
	}
	return left, nil
}

// letObjectGo removes our finalizer; others' stay.
func (s *scope) letObjectGo(ctx context.Context) error {
	before := s.v.DeepCopy()
	controllerutil.RemoveFinalizer(s.v, v1alpha1.Finalizer)
	err := s.r.Client.Patch(ctx, s.v, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	s.r.known.Delete(s.v.UID)
	log.FromContext(ctx).Info("deleted")
	return nil
}
