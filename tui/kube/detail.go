package kube

import (
	"context"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
)

// Detail is all that the cluster knows of one Valkey at one moment, cleaned. It is not changed after it was handed out.
type Detail struct {
	// Valkey is nil before the first answer. Its password is hidden.
	Valkey *v1alpha1.Valkey
	// YAML is the object without managedFields, its password hidden.
	YAML string
	// Gone says that it was deleted; Valkey is the last that was known of it.
	Gone bool
	// Nodes are its pods, by node index and start.
	Nodes []Node
	// Events are its own and those of what belongs to it, the oldest first, at most maxEvents.
	Events []Event
	// Problem, PodsProblem and EventsProblem say why the three are not known or no longer current.
	Problem, PodsProblem, EventsProblem *Problem
}

// maxEvents bounds the events that are kept: a Valkey in a bad loop makes many.
const maxEvents = 500

// DetailStream follows one Valkey, its pods and its events. It starts with Client.Detail and ends with its context or Close.
type DetailStream struct {
	client *Client
	ref    Ref

	cancel context.CancelFunc
	ended  chan struct{}
	wake   chan struct{}

	mu     sync.Mutex
	state  Detail
	pods   podSet
	events map[types.UID]Event
	dirty  bool
	handed time.Time
}

// Detail begins to follow a Valkey. It returns at once, also while the cluster cannot be reached.
func (c *Client) Detail(ctx context.Context, ref Ref) *DetailStream {
	ctx, cancel := context.WithCancel(ctx)
	s := &DetailStream{
		client: c, ref: ref, cancel: cancel, ended: make(chan struct{}), wake: make(chan struct{}, 1),
		pods: podSet{}, events: map[types.UID]Event{},
	}
	var running sync.WaitGroup
	for _, f := range []*feed{s.object(), s.podFeed(), s.eventFeed()} {
		running.Go(guarded(func() { _ = f.follow(ctx) })) // it ends with ctx alone
	}
	go func() {
		running.Wait()
		close(s.ended)
	}()
	return s
}

// Next blocks until there is something newer than what it returned last. Its error is that of ctx, or ErrClosed. One
// caller at a time.
func (s *DetailStream) Next(ctx context.Context) (Detail, error) {
	for {
		detail, wait, ok := s.take(time.Now())
		if ok {
			return detail, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return Detail{}, ctx.Err()
		case <-s.ended:
			timer.Stop()
			return Detail{}, ErrClosed
		case <-s.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// Close ends the stream and waits until its goroutines are gone.
func (s *DetailStream) Close() {
	s.cancel()
	<-s.ended
}

func (s *DetailStream) take(now time.Time) (detail Detail, wait time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch early := s.handed.Add(batch).Sub(now); {
	case !s.dirty:
		return Detail{}, forever, false
	case early > 0:
		return Detail{}, early, false
	}
	s.dirty, s.handed = false, now
	s.state.Nodes = s.pods.nodes()
	s.state.Events = sortedEvents(s.events)
	return s.state, 0, true
}

func (s *DetailStream) change(f func()) {
	s.mu.Lock()
	f()
	s.dirty = true
	s.mu.Unlock()
	poke(s.wake)
}

// object follows the Valkey itself.
func (s *DetailStream) object() *feed {
	only := fields.OneTermEqualSelector("metadata.name", s.ref.Name).String()
	f := &feed{
		client: s.client,
		list: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.FieldSelector = only
			return s.client.connection().dynamic.Resource(valkeyResource).Namespace(s.ref.Namespace).List(ctx, o)
		},
		watch: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.FieldSelector = only
			return s.client.connection().dynamic.Resource(valkeyResource).Namespace(s.ref.Namespace).Watch(ctx, o)
		},
		failed: func(p *Problem) { s.change(func() { s.state.Problem = p }) },
	}
	f.put = func(o runtime.Object) { s.putObject(o) }
	f.drop = func(o runtime.Object) {
		if u, ok := o.(*unstructured.Unstructured); ok && s.isMeant(u) {
			s.change(func() { s.state.Gone = true })
		}
	}
	f.replace = func(all []runtime.Object) {
		found := false
		for _, o := range all {
			found = s.putObject(o) || found
		}
		if !found {
			s.change(func() { s.state.Gone = true })
		}
	}
	return f
}

func (s *DetailStream) isMeant(u *unstructured.Unstructured) bool {
	return s.ref.UID == "" || u.GetUID() == s.ref.UID
}

// putObject takes a new state of the Valkey; false where it is another object that has the name by now.
func (s *DetailStream) putObject(o runtime.Object) bool {
	u, ok := o.(*unstructured.Unstructured)
	if !ok || !s.isMeant(u) {
		return false
	}
	Tidy(u, false)
	text, err := yaml.Marshal(u.Object)
	if err != nil {
		return false
	}
	v := &v1alpha1.Valkey{}
	object, _ := cleaned(u.Object).(map[string]any)
	err = runtime.DefaultUnstructuredConverter.FromUnstructured(object, v)
	s.change(func() {
		s.state.Gone, s.state.YAML = false, clean.Block(string(text))
		if err != nil {
			s.state.Problem = problem(ClassInvalid, "the object cannot be read: "+oneLine(err.Error()), "")
			return
		}
		s.state.Valkey = v
	})
	return true
}

// cleaned is a value of an object with every text in it cleaned.
func cleaned(value any) any {
	switch v := value.(type) {
	case string:
		return clean.Text(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = cleaned(v[i])
		}
		return list
	case map[string]any:
		m := make(map[string]any, len(v))
		for key := range v {
			m[clean.Text(key)] = cleaned(v[key])
		}
		return m
	default:
		return value
	}
}
