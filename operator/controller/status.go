package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
	"kuberly.io/valkey-operator/operator/plan"
)

// writeStatus makes the status of what is known and writes it where it differs. failure is what ended the phases.
func (s *scope) writeStatus(ctx context.Context, failure error) error {
	if !controllerutil.ContainsFinalizer(s.v, v1alpha1.Finalizer) {
		return nil // not taken on yet, or already let go
	}
	if !s.gathered {
		return nil // nothing is known, so nothing can be said
	}
	if apierrors.IsConflict(failure) || apierrors.HasStatusCause(failure, corev1.NamespaceTerminatingCause) {
		return nil // the next look knows more
	}
	if failure == nil && s.handingOver {
		return nil // its end is told within milliseconds, and must not wait for this
	}
	if failure == nil && s.isMomentary() {
		s.after(soon)
		return nil
	}
	before := s.v.DeepCopy()
	in := s.input(failure)
	status, again := conditions.Status(in)
	s.after(again)
	s.after(s.nextLook(status.Status))
	if equality.Semantic.DeepEqual(before.Status, status) {
		return nil
	}
	if err := s.applyStatus(ctx, status); err != nil {
		return err
	}
	s.v.Status = status
	s.tell(in.Change)
	s.eventStatus(before.Status, status)
	return nil
}

// record writes down who is the primary, before clients are led to it. What they write from then on others may not have: where
// all servers end and this operator with them, the next one has to know with whom to begin.
func (s *scope) record(ctx context.Context, p plan.Pod) error {
	status := &s.v.Status
	if status.Primary == "" {
		return nil
	}
	before := primary{status.Primary, status.PrimaryAddress, status.ReplicationID}
	now := primary{s.v.NodeName(p.Node), p.IP, p.Server.ReplicationID}
	if now == before || now == s.recorded {
		return nil
	}
	in := conditions.Input{
		Valkey: s.v, Now: s.r.Clock.Now(), Primary: now.node, PrimaryAddress: now.address, ReplicationID: now.history,
	}
	if before.node != now.node {
		in.Change = &v1alpha1.RoleChange{
			Time: metav1.Time{Time: in.Now}, From: before.node, To: now.node, Reason: cmp.Or(s.move().reason, handover),
		}
	}
	err := s.applyStatus(ctx, conditions.Recorded(in))
	if err == nil {
		s.recorded = now
	}
	return err
}

// applyStatus writes the whole status: a merge patch would leave a count of zero out.
func (s *scope) applyStatus(ctx context.Context, status v1alpha1.ValkeyStatus) error {
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&status)
	if err != nil {
		return fmt.Errorf("convert the status: %w", err)
	}
	u := &unstructured.Unstructured{Object: map[string]any{"status": m}}
	u.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Valkey"))
	u.SetNamespace(s.v.Namespace)
	u.SetName(s.v.Name)
	u.SetUID(s.v.UID) // never the status of another object of the same name
	err = s.r.Client.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(FieldOwner), client.ForceOwnership)
	switch {
	case apierrors.IsNotFound(err), apierrors.IsConflict(err):
		return nil // it was deleted meanwhile
	case err != nil:
		return fmt.Errorf("write status: %w", err)
	}
	return nil
}

// nextLook is when to look at the servers again: what happens in a server raises no watch event.
func (s *scope) nextLook(phase v1alpha1.Phase) time.Duration {
	switch {
	case s.isHandingOver():
		return justNow // until its end is seen the label is wrong, and no write is taken
	case s.topology.Waiting != "" && len(s.seen) > 0:
		return soon
	case phase == v1alpha1.PhaseInProgress && len(s.seen)+len(s.unreachable) > 0:
		return soon
	case phase == v1alpha1.PhaseFailed:
		return 10 * soon
	default:
		return atRest
	}
}

func (s *scope) isHandingOver() bool {
	for _, server := range s.seen {
		if server.HandingOver() {
			return true
		}
	}
	return false
}

func (s *scope) input(failure error) conditions.Input {
	in := conditions.Input{Valkey: s.v, Problem: s.problem(failure), Changed: s.changed, Now: s.r.Clock.Now()}
	in.Waiting = s.topology.Waiting
	if s.roles.Waiting != "" {
		in.Waiting = s.roles.Waiting
	}
	if p := s.roles.Primary; p != nil {
		in.Primary, in.PrimaryAddress, in.ReplicationID, in.Version = s.v.NodeName(p.Node), p.IP, p.Server.ReplicationID, p.Server.Version
		in.Change = s.move().made
	}
	for i := range s.v.WantedReplicas() {
		s.node(i)
	}
	for _, i := range s.indices() {
		n := s.nodes[i]
		if n.deployment == nil && len(n.pods) == 0 && i >= s.v.WantedReplicas() {
			continue // a claim alone is no node
		}
		in.Unfinished = in.Unfinished || n.outdated || !n.isSettled()
		in.Nodes = append(in.Nodes, s.facts(n))
	}
	return in
}

func (s *scope) facts(n *node) conditions.Facts {
	f := conditions.Facts{Index: n.index, Name: s.v.NodeName(n.index), Deployment: n.deployment, Claim: n.claim}
	f.Pod = n.holder(func(pod *corev1.Pod) bool { _, ok := s.seen[string(pod.UID)]; return ok })
	if f.Pod == nil {
		return f
	}
	uid := string(f.Pod.UID)
	f.Unreachable, f.Warning = s.unreachable[uid], s.warnings[uid]
	server, ok := s.seen[uid]
	if !ok || s.roles.Primary == nil {
		return f
	}
	switch {
	case uid == s.roles.Primary.UID:
		f.Role, f.Serves = v1alpha1.RolePrimary, !server.Loading && f.Pod.Labels[v1alpha1.LabelRole] == string(v1alpha1.RolePrimary)
	case server.IsReplicaOf(s.roles.Primary.IP):
		f.Role, f.Syncing = v1alpha1.RoleReplica, server.Syncing
		f.Serves = server.LinkUp && !server.Syncing
	}
	return f
}

// problem is what ended the phases, in words for the status.
func (s *scope) problem(failure error) *conditions.Problem {
	var p *problemError
	switch {
	case failure == nil:
		return s.beside
	case errors.As(failure, &p):
		return &p.Problem
	default:
		return &conditions.Problem{Reason: v1alpha1.ReasonAPIError, Message: conditions.Text(failure.Error())}
	}
}
