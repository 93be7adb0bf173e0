package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
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
	s.noteMissing()
	return nil
}

// carryOut gives the servers and pods what was decided. After a promotion the rest is decided anew at once: the label
// and the other replicas must not wait for the next look.
func (s *scope) carryOut(ctx context.Context) error {
	actions := slices.Concat(s.roles.Actions, s.topology.Actions)
	promoted, err := s.carryOutAll(ctx, actions)
	if err == nil && promoted != nil {
		err = s.succeed(ctx, promoted)
	}
	if err != nil {
		return err
	}
	if s.roles.Ambiguous != "" {
		s.after(atRest)
		return problemf(v1alpha1.ReasonAmbiguousData, true, s.roles.Ambiguous)
	}
	return nil
}

// succeed carries out what follows from a promotion that held.
func (s *scope) succeed(ctx context.Context, promoted *plan.Action) error {
	server, err := s.r.Servers.Observe(ctx, s.target(s.pod(promoted.Pod.UID)), s.operatorLogin())
	if err != nil || server.Role != v1alpha1.RolePrimary {
		return nil //nolint:nilerr // the next look sees what became of it
	}
	s.seen[promoted.Pod.UID] = server
	s.state = s.stateOf(ctx)
	s.roles = plan.Assign(s.state)
	_, err = s.carryOutAll(ctx, s.roles.Actions)
	return err
}

// carryOutAll carries out actions until a server refuses one, and returns the promotion among them.
func (s *scope) carryOutAll(ctx context.Context, actions []plan.Action) (promoted *plan.Action, err error) {
	for i, action := range actions {
		refused, err := s.do(ctx, action)
		switch {
		case err != nil:
			return nil, err
		case refused:
			s.after(soon) // everything is decided anew then, from what is observed
			return nil, nil
		}
		s.changed = true
		s.after(justNow) // to see what came of it, where nothing tells
		log.FromContext(ctx).Info("carried out", "action", string(action.Kind), "pod", action.Pod.Name, "to", action.To.Name,
			"role", string(action.Role), "reason", action.Reason)
		if action.Kind == plan.Promote {
			promoted = &actions[i]
		}
		if !slices.ContainsFunc(actions[i+1:], plan.Action.Leads) { // the label does not wait for it
			s.leadAgain(ctx)
		}
	}
	return promoted, nil
}

// do carries out one action and says whether the server refused it, which is for the status.
func (s *scope) do(ctx context.Context, a plan.Action) (refused bool, err error) {
	if a.Leads() {
		if err := s.record(ctx, a.Pod); err != nil {
			return false, err
		}
	}
	pod := s.pod(a.Pod.UID)
	switch a.Kind {
	case plan.Label:
		if a.Role == v1alpha1.RolePrimary {
			if err := s.unlabelOthers(ctx, pod); err != nil {
				return false, err
			}
		}
		if err := s.setRole(ctx, pod, a.Role); err != nil {
			return false, err
		}
		if a.Role == v1alpha1.RolePrimary {
			s.noteChange(a.Pod)
		}
		return false, nil
	case plan.Unlabel:
		if err := s.setRole(ctx, pod, ""); err != nil {
			return false, err
		}
	case plan.Lead:
		s.lead(ctx, a.Pod.Node)
		return false, nil
	case plan.Depose:
		s.r.dropAgain(a.Pod.UID, s.r.Clock.Now())
		return s.r.Servers.Depose(ctx, s.target(pod), s.operatorLogin()), nil
	case plan.Promote, plan.HandOver:
		s.noteOrder(a)
	case plan.Follow, plan.Drop, plan.Abort, plan.Fence, plan.Unfence:
	}
	if err := s.order(ctx, a, pod); err != nil {
		s.beside = &conditions.Problem{Reason: v1alpha1.ReasonNodeUnreachable, Message: conditions.Text(
			fmt.Sprintf("%s did not take an order: %v", s.v.NodeName(a.Pod.Node), err))}
		return true, nil
	}
	s.eventRole(a)
	return false, nil
}

func (s *scope) order(ctx context.Context, a plan.Action, pod *corev1.Pod) error {
	servers, t, login, port := s.r.Servers, s.target(pod), s.operatorLogin(), strconv.Itoa(v1alpha1.Port)
	switch a.Kind {
	case plan.Promote:
		return servers.Promote(ctx, t, login)
	case plan.Follow:
		if err := servers.Follow(ctx, t, login, a.To.IP, port); err != nil || !a.Pod.IsPrimary() {
			return err
		}
		return servers.DropClients(ctx, t, login)
	case plan.Drop:
		s.r.dropAgain(a.Pod.UID, s.r.Clock.Now())
		return servers.DropClients(ctx, t, login)
	case plan.HandOver:
		s.handingOver = true
		return servers.HandOver(ctx, t, login, s.target(s.pod(a.To.UID)), handoverTimeout)
	case plan.Abort:
		return servers.Abort(ctx, t, login)
	case plan.Fence, plan.Unfence:
		return servers.Fence(ctx, t, login, a.Kind == plan.Fence)
	case plan.Label, plan.Unlabel, plan.Lead, plan.Depose:
		return nil
	}
	return fmt.Errorf("unknown action %q", a.Kind)
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

// unlabelOthers takes the primary's label from every pod but one, by what the API server says: where one change of the primary
// follows on another, the cache may not know yet who got the label last.
func (s *scope) unlabelOthers(ctx context.Context, but *corev1.Pod) error {
	labels := s.v.PodLabels()
	labels[v1alpha1.LabelRole] = string(v1alpha1.RolePrimary)
	var labelled corev1.PodList
	if err := s.r.Live.List(ctx, &labelled, client.InNamespace(s.v.Namespace), client.MatchingLabels(labels)); err != nil {
		return fmt.Errorf("look who has the primary's label: %w", err)
	}
	for i := range labelled.Items {
		if pod := &labelled.Items[i]; pod.UID != but.UID {
			if err := s.setRole(ctx, pod, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// setRole sets or takes the role label of this very pod, not of one of the same name that came after it. A pod that is
// gone needs none.
func (s *scope) setRole(ctx context.Context, pod *corev1.Pod, role v1alpha1.Role) error {
	var label any // null removes it
	if role != "" {
		label = string(role)
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": pod.UID, "labels": map[string]any{v1alpha1.LabelRole: label},
	}})
	if err != nil {
		return err
	}
	patched := pod.DeepCopy()
	err = s.r.Client.Patch(ctx, patched, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(FieldOwner))
	switch {
	case apierrors.IsNotFound(err) || apierrors.IsConflict(err):
		return nil
	case err != nil:
		return err
	}
	for _, n := range s.nodes { // what is decided next must not be by the label before
		if at := slices.IndexFunc(n.pods, func(p *corev1.Pod) bool { return p.UID == pod.UID }); at >= 0 {
			n.pods[at] = patched
		}
	}
	return nil
}
