package server

import (
	"context"
	"errors"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/tui/kube"
)

// Cluster is how the servers are reached: a kube.Client, or a test's.
type Cluster interface {
	Credentials(ctx context.Context, ref kube.Ref, who kube.Who) (valkey.Login, error)
	DialPod(ctx context.Context, namespace, pod string) (net.Conn, error)
}

const (
	// every is how often a server is asked.
	every = 2 * time.Second
	// batch is how long answers are gathered, so that they are told together.
	batch = 100 * time.Millisecond
	// kept is for how many answers the history reaches back: five minutes.
	kept = 150
)

// Point is one moment of a server's history.
type Point struct {
	At                     time.Time
	OpsPerSecond           float64
	Memory                 float64
	Clients                float64
	hits, misses, commands int64
}

// Reading is what is known of the server in one pod. It is not changed after it was handed out.
type Reading struct {
	Pod string
	// Info is the last answer, of the time At; nil before the first.
	Info *Info
	At   time.Time
	// Problem says in words why there is no answer now; empty where there is.
	Problem string
	// Login says that the problem is the login, and so is the same for every server.
	Login bool
	// History is the last minutes, the oldest first.
	History []Point
	// More is what was asked for beside INFO; nil where it was nothing.
	More *More
}

// HitRatio is the part of the reads that found a key, in the time of the history, or where nothing was read then, since the
// server started.
func (r *Reading) HitRatio() (ratio float64, known bool) {
	if n := len(r.History); n > 1 {
		first, last := r.History[0], r.History[n-1]
		if ratio, known = ratioOf(last.hits-first.hits, last.misses-first.misses); known {
			return ratio, true
		}
	}
	if r.Info == nil {
		return 0, false
	}
	return r.Info.HitRatio()
}

// Observer looks at the servers of one Valkey, and holds one connection to each until it is closed.
type Observer struct {
	cluster Cluster
	ref     kube.Ref
	every   time.Duration

	ctx     context.Context //nolint:containedctx // It is the observer's life: watchers start and end within it.
	cancel  context.CancelFunc
	running sync.WaitGroup
	wake    chan struct{}
	login   login

	mu       sync.Mutex
	closed   bool
	watchers map[string]*watcher // by pod
	readings map[string]Reading  // by pod
	look     Look
	dirty    bool
}

// watcher is what looks at one pod's server.
type watcher struct {
	cancel context.CancelFunc
	poke   chan struct{} // asks now
}

// Observe makes an Observer that looks at nothing yet: SetPods tells it at what.
func Observe(ctx context.Context, c Cluster, ref kube.Ref) *Observer {
	ctx, cancel := context.WithCancel(ctx)
	return &Observer{
		cluster: c, ref: ref, every: every, ctx: ctx, cancel: cancel, wake: make(chan struct{}, 1),
		watchers: map[string]*watcher{}, readings: map[string]Reading{}, login: login{cluster: c, ref: ref},
	}
}

// SetPods says in which pods the servers are. Connections to those that are gone are closed.
func (o *Observer) SetPods(pods []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	for pod, w := range o.watchers {
		if !slices.Contains(pods, pod) {
			w.cancel()
			delete(o.watchers, pod)
		}
	}
	for pod := range o.readings {
		if !slices.Contains(pods, pod) {
			delete(o.readings, pod)
			o.dirty = true
			poke(o.wake)
		}
	}
	for _, pod := range pods {
		if o.watchers[pod] != nil {
			continue
		}
		ctx, cancel := context.WithCancel(o.ctx)
		w := &watcher{cancel: cancel, poke: make(chan struct{}, 1)}
		o.watchers[pod] = w
		o.running.Go(func() { o.watch(ctx, pod, w) })
	}
}

// Rest closes the connections until SetPods names pods again. What is known, and its history, is kept.
func (o *Observer) Rest() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for pod, w := range o.watchers {
		w.cancel()
		delete(o.watchers, pod)
	}
}

// Look says what is to be asked beside INFO, at once and from now on.
func (o *Observer) Look(look Look) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.look == look {
		return
	}
	o.look = look
	for _, w := range o.watchers {
		poke(w.poke)
	}
}

// Next blocks until there is something newer than what it returned last, and returns a reading of every server that has
// told something, by pod. Its error is that of ctx, or kube.ErrClosed. One caller at a time.
func (o *Observer) Next(ctx context.Context) ([]Reading, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-o.ctx.Done():
			return nil, kube.ErrClosed
		case <-o.wake:
		}
		// All servers are asked at about the same time: what they say is told together.
		if !pause(ctx, batch) {
			return nil, ctx.Err()
		}
		if readings, changed := o.take(); changed {
			return readings, nil
		}
	}
}

func (o *Observer) take() (readings []Reading, changed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.dirty {
		return nil, false
	}
	o.dirty = false
	for _, pod := range slices.Sorted(maps.Keys(o.readings)) {
		readings = append(readings, o.readings[pod])
	}
	return readings, true
}

// Close ends all connections and waits until the goroutines are gone.
func (o *Observer) Close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.cancel()
	o.running.Wait()
}

// watch asks one server over and over until ctx ends. Its connection is held, and made anew where it broke.
func (o *Observer) watch(ctx context.Context, pod string, w *watcher) {
	defer utilruntime.HandleCrash() // the dashboard puts the terminal back in it
	var session *valkey.Session
	defer func() {
		if session != nil {
			session.Close()
		}
	}()
	for failures := 0; ctx.Err() == nil; {
		var err error
		held := session != nil
		if !held {
			session, err = o.open(ctx, pod)
		}
		if err == nil {
			err = o.read(ctx, pod, session)
		}
		wait := o.every
		if err != nil {
			if session != nil {
				session.Close()
				session = nil
			}
			if held {
				continue // a primary that is demoted closes its clients: that is no news if it can be had again
			}
			o.note(ctx, pod, func(r *Reading) {
				r.Problem, r.Login = wordsOf(err), errors.Is(err, errNoLogin)
			})
			wait = o.every * time.Duration(min(failures+1, 4))
			failures++
		} else {
			failures = 0
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-w.poke:
		case <-timer.C:
		}
		timer.Stop()
	}
}

func (o *Observer) open(ctx context.Context, pod string) (*valkey.Session, error) {
	as, err := o.login.get(ctx)
	if err != nil {
		return nil, err
	}
	session, err := valkey.OpenSession(ctx, as, "valkeyctl", func(ctx context.Context) (net.Conn, error) {
		return o.cluster.DialPod(ctx, o.ref.Namespace, pod)
	})
	if errors.Is(err, valkey.ErrLogin) {
		o.login.drop(as) // it may have been changed since it was read
	}
	return session, err
}

// read asks a server once.
func (o *Observer) read(ctx context.Context, pod string, session *valkey.Session) error {
	reply, err := session.Do(ctx, append([]string{"INFO"}, sections...)...)
	if err != nil {
		return err
	}
	text, _ := reply.(string)
	i := parse(text)
	o.mu.Lock()
	look := o.look
	o.mu.Unlock()
	more, err := ask(ctx, session, look, &i)
	if err != nil {
		return err
	}
	o.note(ctx, pod, func(r *Reading) {
		r.Info, r.At, r.Problem, r.Login, r.More = &i, time.Now(), "", false, more
		history := r.History[max(len(r.History)-kept+1, 0):]
		r.History = append(slices.Clip(history), Point{
			At: r.At, OpsPerSecond: float64(i.OpsPerSecond), Memory: float64(i.Used), Clients: float64(i.Clients),
			hits: i.Hits, misses: i.Misses, commands: i.Commands,
		})
	})
	return nil
}

// note changes the reading of a pod, unless nobody looks at it any more.
func (o *Observer) note(ctx context.Context, pod string, change func(*Reading)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	r := o.readings[pod]
	r.Pod = pod
	change(&r)
	o.readings[pod] = r
	o.dirty = true
	poke(o.wake)
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
