package conditions

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Patience is how long an error may last before it is called a failure.
const Patience = time.Minute

// Input is everything that a status is made of.
type Input struct {
	Valkey *v1alpha1.Valkey
	// Nodes are the nodes that are wanted or still there, by index.
	Nodes []Facts
	// Primary is the name of the node that is the primary, empty while none is known to be.
	Primary string
	// PrimaryAddress is the IP address of the primary, ReplicationID that of its data, and Version that of its server.
	PrimaryAddress, ReplicationID, Version string
	// Change is a change of the primary that was just made; one that another operator made is seen by the name alone.
	Change *v1alpha1.RoleChange
	// Waiting says in words what is waited for.
	Waiting string
	// Unfinished says that a wanted change has not been carried out on every node.
	Unfinished bool
	// Problem is what stands in the way beside the nodes.
	Problem *Problem
	// Changed says that the operator has just changed something.
	Changed bool
	Now     time.Time
}

// Status is the status of a Valkey now, and after what time it would change with nothing else happening (0: never).
func Status(in Input) (v1alpha1.ValkeyStatus, time.Duration) {
	before := in.Valkey.Status
	s := Recorded(in)
	s.ObservedGeneration = in.Valkey.Generation
	s.Selector = labels.Set(in.Valkey.PodLabels()).String()
	if in.Version != "" {
		s.Version = in.Version
	}
	s.Nodes, s.ReadyReplicas = nodes(in)

	problem := in.Problem
	if problem == nil {
		problem = firstCause(in)
	}
	again := judge(&s, in, problem)
	if in.Changed || !equality.Semantic.DeepEqual(before, s) {
		// The API keeps whole seconds; a finer time would differ from itself after a round trip.
		s.LastReconcileAt = &metav1.Time{Time: in.Now.Truncate(time.Second)}
	}
	return s, again
}

// Recorded is the status as it is, with the primary as it is now.
func Recorded(in Input) v1alpha1.ValkeyStatus {
	s := *in.Valkey.Status.DeepCopy()
	if in.Primary != "" {
		noteChange(&s, in)
		s.Primary, s.PrimaryAddress, s.ReplicationID = in.Primary, in.PrimaryAddress, in.ReplicationID
	}
	return s
}

// maxChanges is how many changes of the primary are kept.
const maxChanges = 10

// noteChange keeps a change of the primary. One that this operator has not made came of a handover.
func noteChange(s *v1alpha1.ValkeyStatus, in Input) {
	change := in.Change
	if change == nil && s.Primary != "" && s.Primary != in.Primary {
		change = &v1alpha1.RoleChange{Time: metav1.Time{Time: in.Now}, From: s.Primary, To: in.Primary, Reason: "handover"}
	}
	if change == nil {
		return
	}
	kept := *change
	kept.Time = metav1.Time{Time: kept.Time.Truncate(time.Second)}
	rest := s.RoleChanges
	if len(rest) > 0 && kept.From != kept.To && rest[0].From == kept.From && rest[0].To == kept.To {
		rest = rest[1:] // the same one, as it was written down before it was complete
	}
	s.RoleChanges = append([]v1alpha1.RoleChange{kept}, rest[:min(len(rest), maxChanges-1)]...)
}

// judge fills in the one word, the error and the conditions.
func judge(s *v1alpha1.ValkeyStatus, in Input, problem *Problem) time.Duration {
	reason, message := progress(s, in)
	done := reason == v1alpha1.ReasonReady || reason == v1alpha1.ReasonStopped
	s.Error = ""
	if problem != nil {
		s.Error = problem.Message
	}
	set := func(kind string, is bool, why, words string) {
		setCondition(s, kind, is, why, words, in)
	}
	if problem != nil {
		set(v1alpha1.ConditionDegraded, true, problem.Reason, problem.Message)
	} else {
		set(v1alpha1.ConditionDegraded, false, v1alpha1.ReasonAsWanted, "")
	}
	set(v1alpha1.ConditionReady, done, reason, message)
	set(v1alpha1.ConditionProgressing, !done || in.Unfinished, progressing(reason, done, in), message)

	switch {
	case problem != nil && problem.NeedsPerson:
		s.Status = v1alpha1.PhaseFailed
	case problem != nil && !done:
		return judgeLasting(s, in)
	case reason == v1alpha1.ReasonStopped:
		s.Status = v1alpha1.PhaseStopped
	case done && !in.Unfinished:
		s.Status = v1alpha1.PhaseRunning
	default:
		s.Status = v1alpha1.PhaseInProgress
	}
	return 0
}

// judgeLasting calls an error a failure once it has lasted; until then the operator is on its way. An error that stood
// beside servers that served counts from when they ceased to.
func judgeLasting(s *v1alpha1.ValkeyStatus, in Input) time.Duration {
	since := meta.FindStatusCondition(s.Conditions, v1alpha1.ConditionDegraded).LastTransitionTime.Time
	if unready := meta.FindStatusCondition(s.Conditions, v1alpha1.ConditionReady).LastTransitionTime.Time; unready.After(since) {
		since = unready
	}
	if left := Patience - in.Now.Sub(since); left > 0 {
		s.Status = v1alpha1.PhaseInProgress
		return left
	}
	s.Status = v1alpha1.PhaseFailed
	return 0
}

func progressing(reason string, done bool, in Input) string {
	switch {
	case done && in.Unfinished:
		return v1alpha1.ReasonReconciling
	case done:
		return v1alpha1.ReasonAsWanted
	default:
		return reason
	}
}

// progress says how far what is wanted is reached: a reason and words.
func progress(s *v1alpha1.ValkeyStatus, in Input) (reason, message string) {
	wanted := in.Valkey.WantedReplicas()
	left := slices.IndexFunc(in.Nodes, func(f Facts) bool { return f.Index >= wanted && f.Pod != nil })
	switch {
	case in.Valkey.DeletionTimestamp != nil:
		return v1alpha1.ReasonDeleting, words(in.Waiting, "the servers are being removed")
	case wanted == 0 && left < 0:
		return v1alpha1.ReasonStopped, "no server is wanted and none is left"
	case left >= 0:
		return v1alpha1.ReasonStopping, words(in.Waiting, in.Nodes[left].Name+" is being stopped")
	case in.Primary == "":
		return v1alpha1.ReasonNoPrimary, words(in.Waiting, "there is no primary yet")
	case int(s.ReadyReplicas) == wanted:
		return v1alpha1.ReasonReady, fmt.Sprintf("%d of %d servers ready", s.ReadyReplicas, wanted)
	case slices.ContainsFunc(in.Nodes, func(f Facts) bool { return f.Syncing }):
		return v1alpha1.ReasonSyncing, fmt.Sprintf("%d of %d servers ready, a replica receives its copy", s.ReadyReplicas, wanted)
	default:
		return v1alpha1.ReasonStarting, words(in.Waiting, fmt.Sprintf("%d of %d servers ready", s.ReadyReplicas, wanted))
	}
}

func words(first, otherwise string) string {
	if first != "" {
		return first
	}
	return otherwise
}

func setCondition(s *v1alpha1.ValkeyStatus, kind string, is bool, reason, message string, in Input) {
	status := metav1.ConditionFalse
	if is {
		status = metav1.ConditionTrue
	}
	meta.SetStatusCondition(&s.Conditions, metav1.Condition{
		Type: kind, Status: status, Reason: reason, Message: message,
		ObservedGeneration: in.Valkey.Generation,
		LastTransitionTime: metav1.Time{Time: in.Now.Truncate(time.Second)},
	})
}

func nodes(in Input) (out []v1alpha1.NodeStatus, ready int32) {
	for _, f := range in.Nodes {
		n := v1alpha1.NodeStatus{Name: f.Name, Role: f.Role, Ready: f.Ready()}
		if f.Pod != nil {
			n.Pod, n.Host = f.Pod.Name, f.Pod.Spec.NodeName
		}
		if n.Ready && f.Index < in.Valkey.WantedReplicas() {
			ready++
		}
		if !n.Ready {
			n.Message = state(f)
		}
		out = append(out, n)
	}
	return out, ready
}

// state says in words what a node that does not serve is doing.
func state(f Facts) string {
	if p := Cause(f); p != nil {
		return p.Message
	}
	switch {
	case f.Pod == nil && f.Deployment != nil && f.Deployment.Spec.Replicas != nil && *f.Deployment.Spec.Replicas == 0:
		return "stopped"
	case f.Pod == nil:
		return "has no pod yet"
	case f.Pod.DeletionTimestamp != nil:
		return "its pod is ending"
	case f.Syncing:
		return "receives its copy of the data"
	case f.Pod.Status.Phase == corev1.PodPending:
		return "its pod is being started"
	default:
		return "its server is not ready"
	}
}

func firstCause(in Input) *Problem {
	for _, f := range in.Nodes {
		if f.Index >= in.Valkey.WantedReplicas() || f.Ready() {
			continue
		}
		if p := Cause(f); p != nil {
			return p
		}
	}
	return nil
}
