package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// startPatience is how long a pod may be pending before its events are asked for.
const startPatience = 5 * time.Second

// findWarnings asks for the events of pods that do not start: only they say that a volume cannot be made or mounted.
// Events are many, so they are neither cached nor watched.
func (s *scope) findWarnings(ctx context.Context) error {
	for _, n := range s.nodes {
		for _, pod := range n.pods {
			if pod.Status.Phase != corev1.PodPending || pod.DeletionTimestamp != nil {
				continue
			}
			if left := startPatience - s.r.Clock.Since(pod.CreationTimestamp.Time); left > 0 {
				s.after(left)
				continue
			}
			s.after(atRest / 3)
			warning := ""
			if n.claim != nil && n.claim.Status.Phase != corev1.ClaimBound {
				warning = s.warning(ctx, n.claim.UID) // the pod's own only says that the claim is not bound
			}
			if warning == "" {
				warning = s.warning(ctx, pod.UID)
			}
			s.warnings[string(pod.UID)] = warning
		}
	}
	return nil
}

// warning is the latest warning about an object. Not to be allowed to read events costs a hint, nothing else.
func (s *scope) warning(ctx context.Context, uid types.UID) string {
	var list corev1.EventList
	err := s.r.Live.List(ctx, &list, client.InNamespace(s.v.Namespace),
		client.MatchingFieldsSelector{Selector: fields.OneTermEqualSelector("involvedObject.uid", string(uid))})
	if err != nil {
		log.FromContext(ctx).V(1).Info("events cannot be read", "reason", err.Error())
		return ""
	}
	var latest *corev1.Event
	for i := range list.Items {
		e := &list.Items[i]
		if e.Type == corev1.EventTypeWarning && (latest == nil || eventTime(e).After(eventTime(latest))) {
			latest = e
		}
	}
	if latest == nil {
		return ""
	}
	return latest.Message
}

func eventTime(e *corev1.Event) time.Time {
	if e.Series != nil {
		return e.Series.LastObservedTime.Time
	}
	if !e.LastTimestamp.IsZero() {
		return e.LastTimestamp.Time
	}
	return e.EventTime.Time
}
