package kube

import (
	"context"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// logRetry is how long to wait for a pod that has ended its log before it is asked again, unless the pod changes earlier.
const logRetry = time.Second

// followPods reads the pods that there are and those that come, until ctx ends or the user may not.
func (s *LogStream) followPods(ctx context.Context) error {
	var readers sync.WaitGroup
	defer readers.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sources := map[types.UID]*logSource{}
	first := true
	follow := s.client.podFeed(s.pods.namespace, s.pods.selector,
		func(pods []*corev1.Pod) {
			s.syncPods(ctx, pods, sources, &readers, first)
			first = false
		},
		func(pod *corev1.Pod) { s.podChanged(ctx, pod, sources, &readers, false) },
		func(pod *corev1.Pod) { leave(sources, pod.UID) },
	)
	follow.ends = isRefused
	follow.failed = func(p *Problem) {
		if p != nil {
			s.notice(ctx, nil, p.Error())
			first = false
		}
	}
	return follow.follow(ctx)
}

// syncPods makes the sources those of the pods that there are.
func (s *LogStream) syncPods(ctx context.Context, pods []*corev1.Pod, sources map[types.UID]*logSource, readers *sync.WaitGroup, first bool) {
	present := map[types.UID]bool{}
	if first {
		wanted := slices.DeleteFunc(slices.Clone(pods), func(p *corev1.Pod) bool { return !s.wants(p) })
		s.buffer.expect(len(wanted), time.Now())
	}
	for _, pod := range pods {
		present[pod.UID] = true
		s.podChanged(ctx, pod, sources, readers, first)
	}
	for uid := range sources {
		if !present[uid] {
			leave(sources, uid)
		}
	}
	if first && len(sources) == 0 {
		s.notice(ctx, nil, "no pods yet")
	}
}

// leave tells a source that its pod is gone, and forgets it.
func leave(sources map[types.UID]*logSource, uid types.UID) {
	if source := sources[uid]; source != nil {
		source.leave()
		delete(sources, uid)
	}
}

// podChanged starts to read a pod that is new. One that came after the stream has begun is read from its beginning.
func (s *LogStream) podChanged(ctx context.Context, pod *corev1.Pod, sources map[types.UID]*logSource, readers *sync.WaitGroup, first bool) {
	if !s.wants(pod) {
		return
	}
	if source := sources[pod.UID]; source != nil {
		source.update(pod)
		return
	}
	source := newLogSource(pod, s.pods.container)
	sources[pod.UID] = source
	options := &corev1.PodLogOptions{Follow: true}
	if source.expected = first; first {
		options = s.logOptions()
	}
	readers.Go(guarded(func() { s.followPod(ctx, source, options) }))
}

func (s *LogStream) wants(pod *corev1.Pod) bool {
	return len(s.opts.Nodes) == 0 || slices.Contains(s.opts.Nodes, nodeName(pod)) || slices.Contains(s.opts.Nodes, pod.Name)
}

// followPod reads one pod until it is gone. A stream that ends, because the container did or the connection broke, is opened again from
// the last line; what the ended container still wrote is read first.
func (s *LogStream) followPod(ctx context.Context, source *logSource, options *corev1.PodLogOptions) {
	delay := &backoff{}
	for {
		passed, err := s.readLog(ctx, source, options, s.buffer.put)
		if passed > 0 {
			delay.reset()
			source.lastError = ""
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.explain(ctx, source, err)
		}
		if !s.awaitChange(ctx, source, max(delay.next(), logRetry)) {
			return
		}
		if options.Previous || passed > 0 || !source.last.IsZero() {
			options = source.since(false)
		}
		s.readEnded(ctx, source)
	}
}

// lookAt asks for the pod itself: its watch may lag behind.
func (s *LogStream) lookAt(ctx context.Context, source *logSource) {
	pod, err := s.client.connection().core.Pods(s.pods.namespace).Get(ctx, source.pod, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err), err == nil && pod.UID != source.uid:
		source.leave()
	case err == nil:
		source.note(pod)
	}
}

// readEnded reads what a container that has ended still wrote, before its successor is read.
func (s *LogStream) readEnded(ctx context.Context, source *logSource) {
	s.lookAt(ctx, source)
	restarts, _ := source.state()
	if restarts <= source.read {
		return
	}
	source.read = restarts
	if !source.last.IsZero() {
		// An error means that the ended container's log is gone: there is nothing to read.
		_, _ = s.readLog(ctx, source, source.since(true), s.buffer.put)
	}
	s.notice(ctx, source, "the container has restarted")
}

// awaitChange waits until the pod may have more to say, and reports whether it is still there.
func (s *LogStream) awaitChange(ctx context.Context, source *logSource, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-source.changed:
	case <-timer.C:
	}
	if _, gone := source.state(); gone {
		s.notice(ctx, source, "the pod is gone")
		return false
	}
	return true
}

// explain says once why a pod cannot be read. That it is gone is no failure of the reading, and told by awaitChange.
func (s *LogStream) explain(ctx context.Context, source *logSource, err error) {
	if apierrors.IsNotFound(err) {
		s.lookAt(ctx, source)
		if _, gone := source.state(); gone {
			return
		}
	}
	p := Explain(s.client.failed(err))
	if p.Message == source.lastError {
		return
	}
	source.lastError = p.Message
	s.notice(ctx, source, p.Message)
}

// readPods reads the pods that there are to the end of their logs, merged by time.
func (s *LogStream) readPods(ctx context.Context) error {
	pods, err := s.client.podsOf(ctx, s.pods.namespace, s.pods.selector)
	if err != nil {
		return err
	}
	var inputs []*mergeInput
	var readers sync.WaitGroup
	for i := range pods {
		if !s.wants(&pods[i]) {
			continue
		}
		input := &mergeInput{source: newLogSource(&pods[i], s.pods.container), lines: make(chan rawLine, mergeAhead)}
		inputs = append(inputs, input)
		readers.Go(guarded(func() {
			defer close(input.lines)
			_, input.err = s.readLog(ctx, input.source, s.logOptions(), input.pass)
		}))
	}
	defer readers.Wait()
	if len(inputs) == 0 {
		s.notice(ctx, nil, "no pods")
	}
	return s.merge(ctx, inputs)
}
