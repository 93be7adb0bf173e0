package controller

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
	"kuberly.io/valkey-operator/operator/plan"
)

// requestedNode is the node that the failover annotation names.
func (s *scope) requestedNode() int {
	wanted := s.v.Annotations[v1alpha1.AnnotationFailover]
	for i := range s.v.WantedReplicas() {
		if wanted == s.v.NodeName(i) {
			return i
		}
	}
	return plan.NoNode
}

// answerRequest resolves a request for a failover to a node, and takes it away once that node is the primary. The
// resolved name is written before anything is done, so that an operator that dies meanwhile does not hand over twice.
func (s *scope) answerRequest(ctx context.Context) error {
	wanted, asked := s.v.Annotations[v1alpha1.AnnotationFailover]
	if !asked {
		return nil
	}
	primary := s.roles.Primary
	switch {
	case primary == nil:
		return nil
	case wanted == s.v.NodeName(primary.Node), wanted == v1alpha1.FailoverAny && s.isChange(*primary):
		s.event(corev1.EventTypeNormal, eventHandedOver, "HandOver", "%s is the primary, as asked for", s.v.NodeName(primary.Node))
		return s.setRequest(ctx, "")
	case wanted == v1alpha1.FailoverAny:
		if node, ok := s.bestReplica(*primary); ok {
			s.after(justNow)
			return s.setRequest(ctx, s.v.NodeName(node))
		}
		s.beside = cannotHandOver("no replica is in sync to hand over to")
		return nil
	case s.requestedNode() == plan.NoNode:
		s.event(corev1.EventTypeWarning, eventHandOverRefused, "HandOver",
			"there is no node %q to hand over to: name one of status.nodes, or any", conditions.Text(wanted))
		return s.setRequest(ctx, "")
	case s.topology.NoSuccessor:
		s.beside = cannotHandOver(wanted + " is not in sync, so it cannot become the primary yet")
	}
	return nil
}

// isChange says that another node was the primary on record when this look began: whoever asked for any other has it, whatever
// it came of, and must not get a second change.
func (s *scope) isChange(primary plan.Pod) bool {
	return s.state.Recorded != plan.NoNode && primary.Node != s.state.Recorded
}

func cannotHandOver(why string) *conditions.Problem {
	return &conditions.Problem{Reason: v1alpha1.ReasonHandoverBlocked, Message: why + "; to take the request back, remove the" +
		" annotation " + v1alpha1.AnnotationFailover}
}

func (s *scope) bestReplica(primary plan.Pod) (int, bool) {
	target, ok := plan.Successor(s.state, primary)
	return target.Node, ok
}

// setRequest writes the request anew, or takes it away where the node is empty; one that a person has changed meanwhile stays.
func (s *scope) setRequest(ctx context.Context, node string) error {
	at := "/metadata/annotations/" + escape(v1alpha1.AnnotationFailover)
	ops := []map[string]any{
		{"op": "test", "path": "/metadata/uid", "value": s.v.UID},
		{"op": "test", "path": at, "value": s.v.Annotations[v1alpha1.AnnotationFailover]},
		{"op": "remove", "path": at},
	}
	if node != "" {
		ops[2] = map[string]any{"op": "replace", "path": at, "value": node}
	}
	patch, err := json.Marshal(ops)
	if err != nil {
		return err
	}
	s.changed = true
	err = s.r.Client.Patch(ctx, s.v.DeepCopy(), client.RawPatch(types.JSONPatchType, patch), client.FieldOwner(FieldOwner))
	if apierrors.IsInvalid(err) || apierrors.IsNotFound(err) {
		s.after(soon)
		return nil
	}
	return err
}
