package controller

import (
	"context"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
	"kuberly.io/valkey-operator/operator/plan"
)

// handoverTimeout bounds how long a handover may hold writes back before it is given up.
const handoverTimeout = 5 * time.Second

// assign decides the roles. It comes before the nodes are arranged, which needs to know the primary.
func (s *scope) assign(context.Context) error {
	s.roles = plan.Assign(s.state)
	return nil
}

// carryOut gives the servers and pods what was decided. A server that refuses ends it: everything is decided anew from
// what is observed then.
func (s *scope) carryOut(ctx context.Context) error {
	for _, action := range append(s.roles.Actions, s.topology.Actions...) {
		if err := s.do(ctx, action); err != nil {
			return err
		}
		if s.beside != nil && s.beside.Reason == v1alpha1.ReasonNodeUnreachable {
			break
		}
		s.changed = true
		s.after(soon / 3) // to see what came of it
		log.FromContext(ctx).Info("carried out", "action", string(action.Kind), "pod", action.Pod.Name, "to", action.To.Name,
			"role", string(action.Role), "reason", action.Reason)
	}
	if s.roles.Ambiguous != "" {
		s.after(atRest)
		return problemf(v1alpha1.ReasonAmbiguousData, true, s.roles.Ambiguous)
	}
	return nil
}

func (s *scope) do(ctx context.Context, a plan.Action) error {
	pod := s.pod(a.Pod.UID)
	switch a.Kind {
	case plan.Unlabel:
		return s.setRole(ctx, pod, "")
	case plan.Label:
		return s.setRole(ctx, pod, a.Role)
	case plan.Promote, plan.Follow, plan.HandOver:
		s.eventRole(a)
		if err := s.order(ctx, a, pod); err != nil {
			s.after(soon)
			s.beside = &conditions.Problem{Reason: v1alpha1.ReasonNodeUnreachable, Message: conditions.Text(
				fmt.Sprintf("%s did not take an order: %v", s.v.NodeName(a.Pod.Node), err))}
		}
		return nil
	default:
		return fmt.Errorf("unknown action %q", a.Kind)
	}
}

func (s *scope) order(ctx context.Context, a plan.Action, pod *corev1.Pod) error {
	t, port := target(pod), strconv.Itoa(v1alpha1.Port)
	switch a.Kind {
	case plan.Promote:
		return s.r.Servers.Promote(ctx, t, s.operatorLogin())
	case plan.Follow:
		return s.r.Servers.Follow(ctx, t, s.operatorLogin(), a.To.IP, port)
	default:
		return s.r.Servers.HandOver(ctx, t, s.operatorLogin(), a.To.IP, port, handoverTimeout)
	}
}

func (s *scope) pod(uid string) *corev1.Pod {
	for _, n := range s.nodes {
		for _, pod := range n.pods {
			if string(pod.UID) == uid {
				return pod
			}
		}
	}
	return nil
}

// setRole sets or takes the role label of this very pod, not of one of the same name that came after it.
func (s *scope) setRole(ctx context.Context, pod *corev1.Pod, role v1alpha1.Role) error {
	changed := pod.DeepCopy()
	if role == "" {
		delete(changed.Labels, v1alpha1.LabelRole)
	} else {
		metav1.SetMetaDataLabel(&changed.ObjectMeta, v1alpha1.LabelRole, string(role))
	}
	return s.r.Client.Patch(ctx, changed, client.MergeFromWithOptions(pod, client.MergeFromWithOptimisticLock{}))
}
