package kube

import (
	"context"
	"regexp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/tui/clean"
)

// Event is one Kubernetes event, cleaned.
type Event struct {
	Type    string // Normal or Warning
	Reason  string
	Message string
	Object  string // Kind/name
	Count   int32
	First   time.Time
	Last    time.Time
}

// Events of the Valkey and of what belongs to it, oldest first.
func (c *Client) Events(ctx context.Context, ref Ref) ([]Event, error) {
	isOwn := ownEvents(ref)
	var events []Event
	options := metav1.ListOptions{Limit: pageSize}
	for {
		list, err := c.connection().core.Events(ref.Namespace).List(ctx, options)
		if err != nil {
			return nil, c.failed(err)
		}
		for i := range list.Items {
			if e := &list.Items[i]; isOwn(e) {
				events = append(events, eventOf(e))
			}
		}
		if options.Continue = list.Continue; options.Continue == "" {
			break
		}
	}
	slices.SortStableFunc(events, func(a, b Event) int { return a.Last.Compare(b.Last) })
	return events, nil
}

// ownEvents tells the events of the Valkey and of what belongs to it from others.
func ownEvents(ref Ref) func(*corev1.Event) bool {
	// Children are known by their names: their events outlive them.
	own := regexp.MustCompile("^" + regexp.QuoteMeta(ref.Name) + "(-replicas|-nodes|-internal|-observer|-node-[0-9]+(-.+)?)?$")
	return func(e *corev1.Event) bool { return own.MatchString(e.InvolvedObject.Name) && isOfOurs(e, ref) }
}

// isOfOurs leaves out events of an earlier Valkey of the same name, as far as they can be told.
func isOfOurs(e *corev1.Event, ref Ref) bool {
	return e.InvolvedObject.Kind != "Valkey" || ref.UID == "" || e.InvolvedObject.UID == ref.UID
}

func eventOf(e *corev1.Event) Event {
	event := Event{
		Type: clean.Text(e.Type), Reason: clean.Text(e.Reason), Message: oneLine(e.Message),
		Object: clean.Text(e.InvolvedObject.Kind + "/" + e.InvolvedObject.Name),
		Count:  max(e.Count, 1), First: e.FirstTimestamp.Time, Last: e.LastTimestamp.Time,
	}
	if e.Series != nil {
		event.Count, event.Last = e.Series.Count, e.Series.LastObservedTime.Time
	}
	if event.First.IsZero() {
		event.First = e.EventTime.Time
	}
	if event.First.IsZero() {
		event.First = e.CreationTimestamp.Time
	}
	if event.Last.Before(event.First) {
		event.Last = event.First
	}
	return event
}
