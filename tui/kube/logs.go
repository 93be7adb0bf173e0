package kube

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// LogOptions say which lines a LogStream reads.
type LogOptions struct {
	// Follow goes on with new lines, new pods and restarted containers. Without it the stream ends (io.EOF).
	Follow bool
	// Previous reads the container of each pod that ended before the last restart; with Follow the running one after it.
	Previous bool
	// Since reads only lines younger than this; 0 for all.
	Since time.Duration
	// Tail reads at most that many old lines of each pod; below zero for all.
	Tail int64
	// Nodes reads only the nodes of these names (app-node-0) or pods; empty for all.
	Nodes []string
	// BufferBytes bounds what waits for Next; 0 for 1 MiB. With Follow, lines beyond it are dropped, oldest first, and counted
	// in place; without, or with Lossless, the reading waits.
	BufferBytes int
	// Lossless makes a Follow wait for its reader instead of dropping lines.
	Lossless bool
}

// LineKind says what a Line is.
type LineKind int

// Kinds of lines.
const (
	LineLog     LineKind = iota // a line of a log
	LineDropped                 // stands for Dropped lines that are missing here
	LineNotice                  // a word of the stream itself: a pod came, went, cannot be read
)

// Line is one line of a log, cleaned; only colours survive.
type Line struct {
	Kind    LineKind
	Node    string // name of the node: app-node-0; empty where several are meant
	Pod     string
	Time    time.Time // the kubelet's
	Text    string
	Dropped int // number of lines that are missing, where Kind is LineDropped
}

const defaultLogBuffer = 1 << 20

// LogStream is the merged log of all pods of one Valkey, or of the operator.
type LogStream struct {
	client *Client
	pods   logScope
	opts   LogOptions

	cancel context.CancelFunc
	ended  chan struct{}
	buffer *lineBuffer

	mu  sync.Mutex
	err error // why the stream ended, where it is not io.EOF
}

// logScope says which pods are read, and which of their containers.
type logScope struct {
	namespace, selector, container string
}

// Logs starts to read the logs of all pods of one Valkey. It returns at once.
func (c *Client) Logs(ctx context.Context, ref Ref, opts LogOptions) *LogStream {
	return c.readLogs(ctx, logScope{namespace: ref.Namespace, selector: podSelector(ref), container: v1alpha1.ContainerName}, opts)
}

func (c *Client) readLogs(ctx context.Context, pods logScope, opts LogOptions) *LogStream {
	ctx, cancel := context.WithCancel(ctx)
	if opts.BufferBytes <= 0 {
		opts.BufferBytes = defaultLogBuffer
	}
	s := &LogStream{
		client: c, pods: pods, opts: opts, cancel: cancel, ended: make(chan struct{}),
		buffer: newLineBuffer(opts.BufferBytes, opts.Follow && !opts.Lossless, opts.Follow),
	}
	go guarded(func() {
		defer close(s.ended)
		if opts.Follow {
			s.fail(s.followPods(ctx))
		} else {
			s.fail(s.readPods(ctx))
		}
	})()
	return s
}

// Next blocks until there are lines and returns all that wait, merged by time as far as they came together; each
// pod's own lines are in their order. io.EOF is the end of a stream that does not follow. One caller at a time.
func (s *LogStream) Next(ctx context.Context) ([]Line, error) {
	for {
		wait, ready := s.buffer.readyIn(time.Now())
		if ready {
			return s.buffer.take(), nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-s.ended:
			timer.Stop()
			if lines := s.buffer.take(); len(lines) > 0 {
				return lines, nil
			}
			return nil, s.end()
		case <-s.buffer.filled:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// Close ends the stream and waits until its goroutines are gone.
func (s *LogStream) Close() {
	s.cancel()
	<-s.ended
}

// fail keeps the first error that ends the stream, or that a pod's log could not be read for.
func (s *LogStream) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

func (s *LogStream) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case errors.Is(s.err, context.Canceled):
		return ErrClosed
	case s.err != nil:
		return s.err
	default:
		return io.EOF
	}
}
