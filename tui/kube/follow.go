package kube

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

const (
	pageSize = 500
	// requestTimeout bounds one page of a list and the opening of a watch.
	requestTimeout = 30 * time.Second
	// watchTimeout is after how long the server is asked to end a watch, so that a connection that died unseen is not
	// trusted for ever; half as much again is added at random, so that many dashboards do not come back together.
	watchTimeout = 5 * time.Minute
	firstDelay   = 500 * time.Millisecond
	// maxDelay is short for a backoff: a person is looking at the screen.
	maxDelay = 8 * time.Second
)

var (
	// errExpired says that the server no longer knows the version that the watch would go on from.
	errExpired = errors.New("the version has expired")
	// errRelist says that the list has to be made anew for another reason.
	errRelist = errors.New("the columns have changed")
)

// follow lists and watches until ctx ends. It alone writes the rows.
func (s *Store) follow(ctx context.Context) {
	delay := &backoff{}
	for ctx.Err() == nil {
		version, set, err := s.relistAll(ctx)
		for err == nil {
			version, err = s.watchFrom(ctx, version, set, delay)
		}
		switch {
		case errors.Is(err, errRelist):
		case errors.Is(err, errExpired):
			if !delay.isFresh() {
				pause(ctx, delay.next())
			} else {
				delay.next() // at once, but not over and over
			}
		default:
			s.failed(ctx, err, delay)
		}
	}
}

// failed shows the error and waits for the next attempt.
func (s *Store) failed(ctx context.Context, err error, delay *backoff) {
	if ctx.Err() != nil {
		return
	}
	wait := delay.next()
	var p *Problem
	errors.As(s.client.failed(err), &p)
	s.change(func() bool {
		s.problem, s.retryAt = p, time.Now().Add(wait)
		if p.Class == ClassNoCRD {
			// No kind, no objects: these rows are not stale, they are gone.
			s.list, s.synced = list{}, false
		}
		return true
	})
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-s.retry:
	case <-s.relist:
	}
}

func (s *Store) recovered() {
	s.change(func() bool {
		had := s.problem != nil
		s.problem, s.retryAt = nil, time.Time{}
		return had
	})
}

// setColumns takes the new columns. Rows whose cells were made for others cannot be shown under them.
func (s *Store) setColumns(set *columnSet) {
	if s.set != set {
		s.set, s.list = set, list{}
	}
}

// watchFrom applies what happens after version until the watch ends, and returns the version to go on from. An error of
// the connection is shown and waited out here: the rows are kept, and the watch goes on where it broke.
func (s *Store) watchFrom(ctx context.Context, version string, set *columnSet, delay *backoff) (string, error) {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	opening := time.AfterFunc(requestTimeout, cancel)
	seconds := int64(watchTimeout.Seconds()) + rand.Int64N(int64(watchTimeout.Seconds()/2)) //nolint:gosec // Only spreads load.
	stream, err := s.resource().Watch(watching, metav1.ListOptions{
		ResourceVersion: version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds, LabelSelector: s.scope.LabelSelector,
	})
	if err == nil {
		defer stream.Stop()
		if !opening.Stop() {
			err = context.DeadlineExceeded
		}
	}
	switch {
	case ctx.Err() != nil:
		return version, ctx.Err()
	case isExpired(err):
		return version, errExpired
	case apierrors.IsNotFound(err), apierrors.IsForbidden(err):
		return version, err // the list shows whether it is gone, or takes the place of a watch that is not allowed
	case err != nil:
		s.failed(ctx, err, delay)
		return version, ctx.Err()
	}
	s.recovered()
	return s.consume(ctx, stream, version, set, delay)
}

func (s *Store) consume(ctx context.Context, stream watch.Interface, version string, set *columnSet, delay *backoff) (string, error) {
	opened, events := time.Now(), 0
	defer func() {
		if events > 0 || time.Since(opened) > maxDelay {
			delay.reset()
		}
	}()
	for ; ; events++ {
		select {
		case <-ctx.Done():
			return version, ctx.Err()
		case <-s.relist:
			if s.columnsChanged() {
				return version, errRelist
			}
		case event, open := <-stream.ResultChan():
			object, ok := event.Object.(*unstructured.Unstructured)
			switch {
			case !open && events == 0 && time.Since(opened) < firstDelay:
				// A proxy that ends every watch at once: lists have to do, with pauses.
				return version, errExpired
			case !open:
				return version, nil
			case event.Type == watch.Error:
				return version, s.watchError(ctx, event, delay)
			case !ok:
				continue
			}
			version = object.GetResourceVersion()
			s.apply(event.Type, object, set)
		}
	}
}

func (s *Store) apply(kind watch.EventType, object *unstructured.Unstructured, set *columnSet) {
	if kind == watch.Bookmark {
		return
	}
	row := newRow(object, set, time.Now())
	s.change(func() bool {
		if kind == watch.Deleted {
			return s.list.remove(row)
		}
		return s.list.put(row)
	})
}

// watchError handles the error that the server, or the broken connection, puts into a watch. The next watch goes on from where it broke.
func (s *Store) watchError(ctx context.Context, event watch.Event, delay *backoff) error {
	err := apierrors.FromObject(event.Object)
	if isExpired(err) {
		return errExpired
	}
	s.failed(ctx, err, delay)
	return ctx.Err()
}

func pause(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

func (s *Store) resource() dynamic.ResourceInterface {
	all := s.client.connection().dynamic.Resource(valkeyResource)
	if s.scope.Namespace == "" {
		return all
	}
	return all.Namespace(s.scope.Namespace)
}

// isExpired reports whether the list has to be made anew: the version is too old, or newer than what the server knows, which is so after
// etcd was restored from a backup.
func isExpired(err error) bool {
	if err == nil {
		return false
	}
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) ||
		apierrors.ReasonForError(err) == metav1.StatusReason(http.StatusText(http.StatusGone))
}

// backoff is how long to wait after errors in a row.
type backoff struct{ delay time.Duration }

func (b *backoff) reset() { b.delay = 0 }

// isFresh reports whether no error has come since the last reset.
func (b *backoff) isFresh() bool { return b.delay == 0 }

func (b *backoff) next() time.Duration {
	b.delay = min(max(2*b.delay, firstDelay), maxDelay)
	return b.delay/2 + rand.N(b.delay/2+1) //nolint:gosec // Only spreads load.
}
