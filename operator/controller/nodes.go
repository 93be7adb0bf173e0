package controller

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
	"kuberly.io/valkey-operator/operator/plan"
	"kuberly.io/valkey-operator/operator/resources"
)

const templatePath = "/spec/template/"

// applyNodes makes, rolls, stops and removes nodes as the plan says.
func (s *scope) applyNodes(ctx context.Context) error {
	if err := s.findOutdated(); err != nil {
		return err
	}
	s.arrange()
	for _, wish := range s.topology.Nodes {
		if err := s.applyNode(ctx, wish); err != nil {
			return err
		}
	}
	return s.letClaimsGo(ctx)
}

// arrange decides what is to become of the nodes.
func (s *scope) arrange() {
	s.topology = plan.Arrange(s.state, s.roles)
	if s.topology.Unrecorded {
		s.after(soon)
	}
}

// findOutdated compares the pod templates: those changes are rolled, one node after the other.
func (s *scope) findOutdated() error {
	for at := range s.state.Nodes {
		n := s.nodes[s.state.Nodes[at].Index]
		want, err := toMap(resources.Deployment(s.v, n.index, false))
		if err != nil {
			return err
		}
		have, err := toMap(n.deployment)
		if err != nil {
			return err
		}
		d := compare(want, have)
		n.outdated, n.asWanted = d.within(templatePath), d.none()
		s.state.Nodes[at].Outdated = n.outdated
	}
	return nil
}

func (s *scope) applyNode(ctx context.Context, wish plan.NodeWish) error {
	n := s.node(wish.Index)
	switch wish.Wish {
	case plan.Remove:
		return s.remove(ctx, n.deployment)
	case plan.Stop:
		return s.apply(ctx, s.deployment(n, true, true))
	case plan.Run, plan.Roll:
		if n.asWanted {
			return nil
		}
		return s.apply(ctx, s.deployment(n, false, wish.Wish == plan.Roll))
	default:
		return fmt.Errorf("unknown wish %q", wish.Wish)
	}
}

// deployment is the Deployment of a node, with the template that it has now where it may not be rolled yet.
func (s *scope) deployment(n *node, stopped, roll bool) *appsv1.Deployment {
	d := resources.Deployment(s.v, n.index, stopped)
	wasStopped := n.deployment != nil && n.deployment.Spec.Replicas != nil && *n.deployment.Spec.Replicas == 0
	if n.deployment != nil && n.outdated && !roll && !wasStopped {
		d.Spec.Template = *n.deployment.Spec.Template.DeepCopy()
	}
	return d
}

// letClaimsGo lets the claims go of nodes that are not wanted and are gone. Not before a primary serves that stays:
// until then any of them may hold the data that is wanted.
func (s *scope) letClaimsGo(ctx context.Context) error {
	wanted := s.v.WantedReplicas()
	if p := s.roles.Primary; p == nil || p.Node >= wanted || s.topology.Unrecorded {
		return nil
	}
	for _, i := range s.indices() {
		n := s.nodes[i]
		if i < wanted || n.claim == nil || n.deployment != nil || len(n.pods) > 0 {
			continue
		}
		if err := s.letGo(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// letGo deletes a claim, or leaves it behind marked, as spec.volume.reclaim says. One that was left behind before and
// not taken back stays, whatever it says now.
func (s *scope) letGo(ctx context.Context, n *node) error {
	if isLeftBehind(n.claim) {
		return nil
	}
	if s.v.Spec.Volume.Reclaim != v1alpha1.ReclaimRetain {
		return s.remove(ctx, n.claim)
	}
	if err := s.writeClaim(ctx, n, resources.RetainedClaim(s.v, n.index)); err != nil {
		return err
	}
	s.eventRetained(n.claim.Name)
	return nil
}

// applyClaims makes the claims of the nodes that are wanted. They come first of all children: a volume is made while the
// rest is, and a pod that comes before its volume is not scheduled for a second.
func (s *scope) applyClaims(ctx context.Context) error {
	for i := range s.v.WantedReplicas() {
		if err := s.applyClaim(ctx, s.node(i)); err != nil {
			return err
		}
	}
	return nil
}

// applyClaim makes a node's claim, takes a retained one back, and lets it grow. A class that cannot grow claims is a
// problem to be told, not one that stops the rest.
func (s *scope) applyClaim(ctx context.Context, n *node) error {
	if !s.v.Spec.Volume.Enabled {
		return nil
	}
	claim := resources.Claim(s.v, n.index)
	current, err := s.current(ctx, claim)
	if err != nil {
		return err
	}
	existing, _ := current.(*corev1.PersistentVolumeClaim)
	if existing == nil {
		return s.apply(ctx, claim)
	}
	n.claim = existing
	keepLarger(claim, existing)
	_, wasPrimary := existing.Annotations[v1alpha1.AnnotationWasPrimary]
	if wasPrimary && s.v.Status.Primary == "" { // the mark is needed until there is a primary
		claim.Annotations[v1alpha1.AnnotationWasPrimary] = "true"
		wasPrimary = false
	}
	hasOwner, wantsOwner := len(existing.OwnerReferences) > 0, len(claim.OwnerReferences) > 0
	if existing.Annotations[v1alpha1.AnnotationRetained] != "" || wasPrimary || (hasOwner && !wantsOwner) {
		return s.writeClaim(ctx, n, claim) // an apply takes away what we set before and do not set now
	}
	err = s.apply(ctx, claim)
	if growth := existing.Spec.Resources.Requests.Storage().Cmp(*claim.Spec.Resources.Requests.Storage()); growth != 0 &&
		(apierrors.IsForbidden(err) || apierrors.IsInvalid(err)) {
		s.beside = cannotGrow(n, claim, err)
		log.FromContext(ctx).Info("claim cannot grow", "claim", claim.Name, "reason", err.Error())
		return nil
	}
	return err
}

func (s *scope) writeClaim(ctx context.Context, n *node, claim *corev1.PersistentVolumeClaim) error {
	keepLarger(claim, n.claim)
	want, err := toMap(claim)
	if err != nil {
		return err
	}
	return s.write(ctx, want, claim, "changed")
}

// keepLarger keeps the size of a claim that is larger than asked for, as one taken back may be: claims never shrink.
func keepLarger(claim, existing *corev1.PersistentVolumeClaim) {
	has, wants := existing.Spec.Resources.Requests.Storage(), claim.Spec.Resources.Requests.Storage()
	if has.Cmp(*wants) > 0 {
		claim.Spec.Resources.Requests[corev1.ResourceStorage] = *has
	}
	if claim.Spec.StorageClassName == nil {
		claim.Spec.StorageClassName = existing.Spec.StorageClassName
	}
}

func cannotGrow(n *node, claim *corev1.PersistentVolumeClaim, err error) *conditions.Problem {
	why := err.Error()
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		why = status.Status().Message
	}
	return &conditions.Problem{
		Reason: v1alpha1.ReasonClaimResize,
		Message: conditions.Text(fmt.Sprintf("the claim %s cannot grow from %s to %s, everything else goes on: %s", claim.Name,
			n.claim.Spec.Resources.Requests.Storage(), claim.Spec.Resources.Requests.Storage(), why)),
	}
}
