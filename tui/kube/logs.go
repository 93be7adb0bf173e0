package kube

import (
	"context"
	"time"
)

// LogOptions say which lines a LogStream reads.
type LogOptions struct {
	// Follow goes on with new lines, new pods and restarted containers. Without it the stream ends (io.EOF).
	Follow bool
	// Previous reads the last ended container of each pod.
	Previous bool
	// Since reads only lines younger than this; 0 for all.
	Since time.Duration
	// Tail reads at most that many old lines of each pod; below zero for all.
	Tail int64
	// Node reads only the node of that name (app-node-0) or pod; empty for all.
	Node string
	// BufferBytes bounds what waits for Next; 0 for 1 MiB. Lines beyond it are dropped, oldest first, and counted in place.
	BufferBytes int
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
	Node    string // name of the node: app-node-0
	Pod     string
	Time    time.Time // the kubelet's
	Text    string
	Dropped int // number of lines that are missing, where Kind is LineDropped
}

// LogStream is the merged log of all pods of one Valkey.
type LogStream struct{}

// Logs starts to read the logs of all pods of one Valkey. It returns at once.
func (c *Client) Logs(ctx context.Context, ref Ref, opts LogOptions) *LogStream { return &LogStream{} }

// Next blocks until there are lines and returns all that wait, in the order in which they came (each pod's own lines in order of
// time). io.EOF is the end of a stream that does not follow. One caller at a time.
func (s *LogStream) Next(ctx context.Context) ([]Line, error) { return nil, nil }

// Close ends the stream and waits until its goroutines are gone.
func (s *LogStream) Close() {}
