package conditions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// maxText bounds a message that is made of what others wrote, in runes.
const maxText = 400

// Problem is one thing that goes wrong.
type Problem struct {
	// Reason is one of the condition reasons of v1alpha1.
	Reason string
	// Message says in words what is wrong, where, and how to mend it.
	Message string
	// NeedsPerson says that waiting will not mend it.
	NeedsPerson bool
}

// Facts is what is known of one node.
type Facts struct {
	Index      int
	Name       string
	Deployment *appsv1.Deployment
	Claim      *corev1.PersistentVolumeClaim
	// Pod is the pod that holds the node's data, or the one that waits to.
	Pod *corev1.Pod
	// Role is what the server says it is, empty where it does not answer.
	Role v1alpha1.Role
	// Serves says that the server plays its role: the primary, or a replica whose link is up.
	Serves bool
	// Syncing says that a replica is receiving its copy.
	Syncing bool
	// Unreachable is why the operator cannot ask a server whose container runs.
	Unreachable error
	// Warning is the latest warning event of the pod or its claim, asked for only while the pod does not start.
	Warning string
}

// Ready says that the node serves, by the kubelet's word and by its own.
func (f Facts) Ready() bool {
	return f.Pod != nil && f.Pod.DeletionTimestamp == nil && PodReady(f.Pod) && f.Serves
}

// Cause finds why a node does not serve, nil where nothing is known to be wrong.
func Cause(f Facts) *Problem {
	if f.Pod == nil {
		return deploymentCause(f)
	}
	for _, find := range []func(Facts) *Problem{containerCause, schedulingCause, startCause, reachCause} {
		if p := find(f); p != nil {
			return p
		}
	}
	return nil
}

// deploymentCause: the pod is refused, for example by a quota or by pod security.
func deploymentCause(f Facts) *Problem {
	if f.Deployment == nil {
		return nil
	}
	for _, c := range f.Deployment.Status.Conditions {
		if c.Type == appsv1.DeploymentReplicaFailure && c.Status == corev1.ConditionTrue {
			return problem(v1alpha1.ReasonPodRefused, "the pod of %s is refused: %s", f.Name, c.Message)
		}
	}
	return nil
}

func containerCause(f Facts) *Problem {
	for _, c := range f.Pod.Status.ContainerStatuses {
		if c.Name != v1alpha1.ContainerName || c.Ready {
			continue
		}
		if w := c.State.Waiting; w != nil {
			if p := waitingCause(f, c, w); p != nil {
				return p
			}
		}
		if t := cmp.Or(c.State.Terminated, c.LastTerminationState.Terminated); t != nil {
			return exitCause(f, c, t)
		}
	}
	return nil
}

func waitingCause(f Facts, c corev1.ContainerStatus, w *corev1.ContainerStateWaiting) *Problem {
	switch w.Reason {
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable", "ImageInspectError":
		return problem(v1alpha1.ReasonImagePull, "%s cannot get the image %s: %s", f.Name, c.Image, cmp.Or(w.Message, w.Reason))
	case "CreateContainerConfigError", "CreateContainerError", "RunContainerError":
		return problem(v1alpha1.ReasonCrash, "the container of %s cannot start: %s", f.Name, cmp.Or(w.Message, w.Reason))
	default:
		return nil
	}
}

// unreadable is what servers say of data in a format that they do not know: a newer version's, or none at all.
var unreadable = []string{
	"Can't handle RDB format version", "Bad file format reading the append only file", "Wrong signature trying to load DB",
}

func exitCause(f Facts, c corev1.ContainerStatus, t *corev1.ContainerStateTerminated) *Problem {
	if t.Reason == "OOMKilled" {
		return problem(v1alpha1.ReasonOOM, "%s was killed because it used more than its memory limit (%d times): raise"+
			" spec.resource.memory or lower maxmemory in spec.config", f.Name, c.RestartCount)
	}
	if t.ExitCode == 0 {
		return nil
	}
	if slices.ContainsFunc(unreadable, func(words string) bool { return strings.Contains(t.Message, words) }) {
		return problem(v1alpha1.ReasonCrash, "%s cannot read its data (%d restarts). Where its image %s is older than the Valkey"+
			" that wrote it, go back to the newer image, which reads it; otherwise it is damaged: %s", f.Name, c.RestartCount, c.Image,
			lastLines(t.Message))
	}
	if said := lastLines(t.Message); said != "" {
		return problem(v1alpha1.ReasonCrash, "%s exited with code %d (%d restarts): %s", f.Name, t.ExitCode, c.RestartCount, said)
	}
	return problem(v1alpha1.ReasonCrash, "%s exited with code %d (%d restarts)", f.Name, t.ExitCode, c.RestartCount)
}

func schedulingCause(f Facts) *Problem {
	for _, c := range f.Pod.Status.Conditions {
		if c.Type != corev1.PodScheduled || c.Status != corev1.ConditionFalse || c.Reason != corev1.PodReasonUnschedulable {
			continue
		}
		if f.Claim != nil && f.Claim.Status.Phase == corev1.ClaimPending && f.Warning != "" {
			return problem(v1alpha1.ReasonClaimPending, "the claim %s has no volume yet: %s", f.Claim.Name, f.Warning)
		}
		return problem(v1alpha1.ReasonUnschedulable, "no host takes the pod of %s: %s", f.Name, c.Message)
	}
	return nil
}

// startCause: scheduled, but something keeps the container from starting; only the events say what.
func startCause(f Facts) *Problem {
	if f.Warning == "" || f.Pod.Status.Phase != corev1.PodPending {
		return nil
	}
	if f.Claim != nil && f.Claim.Status.Phase != corev1.ClaimBound {
		return problem(v1alpha1.ReasonClaimPending, "the claim %s has no volume yet: %s", f.Claim.Name, f.Warning)
	}
	return problem(v1alpha1.ReasonStarting, "the pod of %s does not start: %s", f.Name, f.Warning)
}

// reachCause: the kubelet says that the server answers, and it does not answer the operator.
func reachCause(f Facts) *Problem {
	if f.Unreachable == nil || !PodReady(f.Pod) || f.Pod.DeletionTimestamp != nil {
		return nil
	}
	return problem(v1alpha1.ReasonNodeUnreachable, "the operator cannot ask %s, though it is ready (does a NetworkPolicy"+
		" keep it out?): %s", f.Name, f.Unreachable)
}

// PodReady is the kubelet's word that a pod serves.
func PodReady(pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func problem(reason, format string, args ...any) *Problem {
	return &Problem{Reason: reason, Message: Text(fmt.Sprintf(format, args...))}
}

// lastLines are the last two lines that say something.
func lastLines(text string) string {
	var said []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			said = append(said, line)
		}
	}
	return strings.Join(said[max(0, len(said)-2):], " / ")
}

// Text makes one bounded line of what others wrote, without what drives a terminal or turns the direction of writing.
func Text(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
	if r := []rune(s); len(r) > maxText {
		return string(r[:maxText-1]) + "…"
	}
	return s
}
