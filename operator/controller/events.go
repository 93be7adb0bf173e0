package controller

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/plan"
	"kuberly.io/valkey-operator/operator/resources"
)

// Reasons of the events on a Valkey.
const (
	eventNodeCreated     = "NodeCreated"
	eventRestored        = "ChildRestored"
	eventPromoted        = "Promoted"
	eventPrimaryChanged  = "PrimaryChanged"
	eventHandOver        = "HandOver"
	eventHandedOver      = "HandedOver"
	eventHandOverRefused = "HandOverRefused"
	eventAborted         = "HandOverAborted"
	eventRetained        = "ClaimRetained"
	eventRunning         = "Running"
	eventStopped         = "Stopped"
	eventFailed          = "Failed"
)

func (s *scope) event(kind, reason, action, note string, args ...any) {
	s.r.Recorder.Eventf(s.v, nil, kind, reason, action, note, args...)
}

// eventApplied tells of a new node, and of children that others deleted or changed: known by that nothing was wanted
// anew and all was well.
func (s *scope) eventApplied(o resources.Object, what string) {
	settled := s.v.Status.ObservedGeneration == s.v.Generation &&
		(s.v.Status.Status == v1alpha1.PhaseRunning || s.v.Status.Status == v1alpha1.PhaseStopped)
	_, isNode := o.(*appsv1.Deployment)
	switch {
	case s.isLed(o): // it is put back by those who changed it
	case settled:
		s.event(corev1.EventTypeNormal, eventRestored, "Apply", "%s was deleted or changed by others and is as it should be again", nameOf(o))
	case isNode && what == "created":
		s.event(corev1.EventTypeNormal, eventNodeCreated, "Apply", "created node %s", o.GetName())
	}
}

func (s *scope) eventRole(a plan.Action) {
	switch a.Kind {
	case plan.Promote:
		s.event(corev1.EventTypeNormal, eventPromoted, "Promote", "%s becomes the primary: %s", s.v.NodeName(a.Pod.Node), a.Reason)
	case plan.HandOver:
		s.event(corev1.EventTypeNormal, eventHandOver, "HandOver", "%s hands over to %s: %s",
			s.v.NodeName(a.Pod.Node), s.v.NodeName(a.To.Node), a.Reason)
	case plan.Abort:
		s.event(corev1.EventTypeWarning, eventAborted, "HandOver", "%s stays the primary: %s", s.v.NodeName(a.Pod.Node), a.Reason)
	case plan.Label, plan.Unlabel, plan.Lead, plan.Depose, plan.Drop, plan.Follow, plan.Fence, plan.Unfence:
	}
}

func (s *scope) eventRetained(claim string) {
	s.event(corev1.EventTypeNormal, eventRetained, "Retain", "claim %s is kept; a Valkey of the same name takes it back", claim)
}

func (s *scope) eventStatus(before, now v1alpha1.ValkeyStatus) {
	if before.Status == now.Status {
		return
	}
	switch now.Status {
	case v1alpha1.PhaseRunning:
		s.event(corev1.EventTypeNormal, eventRunning, "Reconcile", "%d of %d servers ready, primary %s", now.ReadyReplicas, s.v.WantedReplicas(), now.Primary)
	case v1alpha1.PhaseStopped:
		s.event(corev1.EventTypeNormal, eventStopped, "Reconcile", "all servers are stopped")
	case v1alpha1.PhaseFailed:
		s.event(corev1.EventTypeWarning, eventFailed, "Reconcile", "%s", now.Error)
	case v1alpha1.PhaseInProgress:
	}
}
