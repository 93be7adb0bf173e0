package kube

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

const (
	// loopback is where a forwarded port listens: nobody but this machine reaches it.
	loopback = "127.0.0.1"
	// targetPatience is how long a new connection waits for a server to lead to.
	targetPatience = 15 * time.Second
	// tellGap is the least time between two tellings of how a forward fares.
	tellGap = 200 * time.Millisecond
)

// ForwardOptions say what leads where.
type ForwardOptions struct {
	// Node to lead to; empty for whichever is the primary.
	Node string
	// Port of the server; 0 for Valkey's.
	Port int
	// Local port; 0 for the same as Port, or where that is taken a free one; below zero for any free one.
	Local int
	// Address to listen at; empty for this machine alone.
	Address string
}

// ForwardStatus is how a forward fares.
type ForwardStatus struct {
	Ref   Ref
	Node  string // wished; empty for the primary
	Local string // address and port that it listens at
	Port  int
	// Target is the node that new connections lead to; empty while there is none.
	Target string
	// Open and Total are numbers of connections; In and Out bytes to and from the server.
	Open, Total int
	In, Out     int64
	// Said is what happened last, Problem the last error; both in words.
	Said, Problem string
	// Failures counts the connections that could not be led anywhere.
	Failures int
	Since    time.Time
}

// Forward leads a port of this machine to a server of a Valkey, through the API server. It follows the primary, and pods that are replaced.
type Forward struct {
	client   *Client
	dial     dialer
	opts     ForwardOptions
	listener net.Listener
	cancel   context.CancelFunc
	ended    chan struct{}
	changed  chan struct{} // something is to be told

	mu     sync.Mutex
	status ForwardStatus
	target Node          // the zero Node while there is none
	led    Node          // the last one that there was
	moved  chan struct{} // closed and replaced when the target changes
	conns  map[net.Conn]types.UID
	err    error
}

// Forward begins to listen, and returns at once.
func (c *Client) Forward(ctx context.Context, ref Ref, opts ForwardOptions) (*Forward, error) {
	return c.forward(ctx, ref, opts, c.dialPort)
}

// dialer opens a connection to a port of a pod.
type dialer func(ctx context.Context, namespace, pod string, port int) (net.Conn, error)

func (c *Client) forward(ctx context.Context, ref Ref, opts ForwardOptions, dial dialer) (*Forward, error) {
	if opts.Port == 0 {
		opts.Port = v1alpha1.Port
	}
	if opts.Address == "" {
		opts.Address = loopback
	}
	listener, err := listen(ctx, opts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	f := &Forward{
		client: c, dial: dial, opts: opts, listener: listener, cancel: cancel, ended: make(chan struct{}), changed: make(chan struct{}, 1),
		moved: make(chan struct{}), conns: map[net.Conn]types.UID{},
		status: ForwardStatus{Ref: ref, Node: opts.Node, Local: listener.Addr().String(), Port: opts.Port, Said: "looking for the server", Since: time.Now()},
	}
	go guarded(func() { f.run(ctx) })()
	return f, nil
}

// listen takes the local port.
func listen(ctx context.Context, opts ForwardOptions) (net.Listener, error) {
	var config net.ListenConfig
	at := func(port int) (net.Listener, error) {
		return config.Listen(ctx, "tcp", net.JoinHostPort(opts.Address, strconv.Itoa(port)))
	}
	switch {
	case opts.Local > 0:
		listener, err := at(opts.Local)
		return listener, explainListen(err, opts.Local)
	case opts.Local == 0:
		if listener, err := at(opts.Port); err == nil {
			return listener, nil
		}
	}
	listener, err := at(0)
	return listener, explainListen(err, 0)
}

func explainListen(err error, port int) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EADDRINUSE):
		return problem(ClassInvalid, "port "+strconv.Itoa(port)+" of this machine is taken", "choose another one").cleaned(err)
	case errors.Is(err, syscall.EACCES):
		return problem(ClassInvalid, "port "+strconv.Itoa(port)+" of this machine is for root alone", "choose one above 1023").cleaned(err)
	default:
		return problem(ClassInvalid, "cannot listen: "+err.Error(), "").cleaned(err)
	}
}

// run ends when all that it started has.
func (f *Forward) run(ctx context.Context) {
	defer close(f.ended)
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(guarded(func() { f.accept(ctx, &work) }))
	pods := map[types.UID]*corev1.Pod{}
	watch := f.client.podFeed(f.status.Ref.Namespace, podSelector(f.status.Ref),
		func(list []*corev1.Pod) {
			clear(pods)
			for _, pod := range list {
				pods[pod.UID] = pod
			}
			f.retarget(pods)
		},
		func(pod *corev1.Pod) { pods[pod.UID] = pod; f.retarget(pods) },
		func(pod *corev1.Pod) { delete(pods, pod.UID); f.retarget(pods) },
	)
	watch.ends = isRefused
	watch.failed = func(p *Problem) {
		if p != nil {
			f.tell(func(s *ForwardStatus) { s.Problem = p.Message })
		}
	}
	err := watch.follow(ctx)
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
	f.cancel()
	_ = f.listener.Close() // ends accept
	f.closeConns(func(types.UID) bool { return true })
}

// retarget finds where new connections lead from now on. Those to another pod are closed: their clients come back, and reach the right one.
func (f *Forward) retarget(pods map[types.UID]*corev1.Pod) {
	list := make([]corev1.Pod, 0, len(pods))
	for _, pod := range pods {
		list = append(list, *pod)
	}
	sortPods(list)
	nodes := make([]Node, len(list))
	for i := range list {
		nodes[i] = nodeOf(&list[i])
	}
	target, err := chosen(serversOf(nodes), f.status.Ref, f.opts.Node)
	f.mu.Lock()
	before := f.target
	if before.UID == target.UID {
		f.mu.Unlock()
		if err != nil {
			f.tell(func(s *ForwardStatus) { s.Said = Explain(err).Message })
		}
		return
	}
	f.target = target
	if before.UID == "" {
		before = f.led // between two there is often a moment with none
	}
	if target.UID != "" {
		f.led = target
	}
	close(f.moved)
	f.moved = make(chan struct{})
	f.mu.Unlock()
	f.closeConns(func(uid types.UID) bool { return uid != target.UID })
	f.tell(func(s *ForwardStatus) {
		s.Target = target.Name
		switch {
		case err != nil:
			s.Said = Explain(err).Message
		case before.UID == "", before.UID == target.UID:
			s.Said = "leads to " + target.Name
		case before.Name == target.Name:
			s.Said = target.Name + " has a new pod"
		default:
			s.Said = "moved from " + before.Name + " to " + target.Name
		}
	})
}

func (f *Forward) closeConns(which func(types.UID) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for conn, uid := range f.conns {
		if which(uid) {
			_ = conn.Close()
		}
	}
}

// accept takes connections until the listener is closed.
func (f *Forward) accept(ctx context.Context, work *sync.WaitGroup) {
	for {
		conn, err := f.listener.Accept()
		if err != nil {
			if ctx.Err() == nil && !errors.Is(err, net.ErrClosed) {
				f.tell(func(s *ForwardStatus) { s.Problem = err.Error() })
				pause(ctx, tellGap)
				continue
			}
			return
		}
		work.Go(guarded(func() { f.lead(ctx, conn) }))
	}
}

// lead connects one connection to the server and copies both ways until either side ends.
func (f *Forward) lead(ctx context.Context, near net.Conn) {
	defer near.Close() //nolint:errcheck // either side may have closed it
	f.tell(func(s *ForwardStatus) { s.Open++; s.Total++ })
	defer f.tell(func(s *ForwardStatus) { s.Open-- })
	target, err := f.awaitTarget(ctx)
	var far net.Conn
	if err == nil {
		dialCtx, cancel := context.WithTimeout(ctx, openTimeout)
		far, err = f.dial(dialCtx, f.status.Ref.Namespace, target.Pod, f.opts.Port)
		cancel()
	}
	if err != nil {
		f.tell(func(s *ForwardStatus) { s.Failures++; s.Problem = Explain(err).Message })
		return
	}
	defer far.Close() //nolint:errcheck // either side may have closed it
	f.keep(near, target.UID)
	defer f.forget(near)
	defer context.AfterFunc(ctx, func() { _ = near.Close() })()
	done := make(chan struct{})
	go guarded(func() {
		defer close(done)
		f.copy(far, near, func(s *ForwardStatus, n int64) { s.In += n })
		_ = far.Close()
	})()
	f.copy(near, far, func(s *ForwardStatus, n int64) { s.Out += n })
	_ = near.Close()
	<-done
}

// keep notes where a connection leads. Where the target has moved meanwhile it is closed.
func (f *Forward) keep(conn net.Conn, uid types.UID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.conns[conn] = uid
	if f.target.UID != uid {
		_ = conn.Close()
	}
}

func (f *Forward) forget(conn net.Conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.conns, conn)
}

func (f *Forward) awaitTarget(ctx context.Context) (Node, error) {
	ctx, cancel := context.WithTimeout(ctx, targetPatience)
	defer cancel()
	for {
		f.mu.Lock()
		target, moved, said := f.target, f.moved, f.status.Said
		f.mu.Unlock()
		if target.UID != "" {
			return target, nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return Node{}, problem(ClassTimeout, "a connection found no server: "+said, "")
		}
	}
}

// copy copies and counts until either side ends.
func (f *Forward) copy(to io.Writer, from io.Reader, count func(s *ForwardStatus, n int64)) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			f.tell(func(s *ForwardStatus) { count(s, int64(n)) })
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (f *Forward) tell(change func(*ForwardStatus)) {
	f.mu.Lock()
	change(&f.status)
	f.mu.Unlock()
	poke(f.changed)
}

// Status is how it fares now.
func (f *Forward) Status() ForwardStatus {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

// Next blocks until something has changed and returns it all, a few times a second at most. It ends with ErrClosed, or with what ended the
// forward. One caller at a time.
func (f *Forward) Next(ctx context.Context) (ForwardStatus, error) {
	select {
	case <-f.ended: // whatever else is still to be told
		return f.Status(), f.end()
	default:
	}
	select {
	case <-ctx.Done():
		return f.Status(), ctx.Err()
	case <-f.ended:
		return f.Status(), f.end()
	case <-f.changed:
		pause(ctx, tellGap)
		return f.Status(), nil
	}
}

func (f *Forward) end() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil || errors.Is(f.err, context.Canceled) {
		return ErrClosed
	}
	return f.err
}

// Close ends it with all its connections, and waits until its goroutines are gone.
func (f *Forward) Close() {
	f.cancel()
	<-f.ended
}
