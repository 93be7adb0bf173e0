package kube

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/tui/clean"
)

// maxRawLine bounds how much of a line is read into memory: more than is shown, since escape sequences are not shown.
const maxRawLine = 64 << 10

// logSource is one pod whose log is read.
type logSource struct {
	node, pod string
	container string
	uid       types.UID

	mu       sync.Mutex
	restarts int32 // of the server's container, as the pod says
	gone     bool
	changed  chan struct{} // the pod has changed

	// What follows belongs to the goroutine that reads.
	read      int32     // the restarts of the container that is being read
	last      time.Time // of the newest line that was passed on
	sameTime  int       // how many lines of that very time were
	lastError string    // that was told
	expected  bool      // by the lines of the others, until its first reading begins
}

func newLogSource(pod *corev1.Pod, container string) *logSource {
	source := &logSource{node: nodeName(pod), pod: clean.Text(pod.Name), container: container, uid: pod.UID, changed: make(chan struct{}, 1)}
	source.note(pod)
	source.read = source.restarts
	return source
}

// update takes note of the pod's state and has the reader look at it.
func (l *logSource) update(pod *corev1.Pod) {
	l.note(pod)
	poke(l.changed)
}

func (l *logSource) note(pod *corev1.Pod) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range pod.Status.ContainerStatuses {
		if status := &pod.Status.ContainerStatuses[i]; status.Name == l.container {
			l.restarts = status.RestartCount
		}
	}
}

func (l *logSource) leave() {
	l.mu.Lock()
	l.gone = true
	l.mu.Unlock()
	poke(l.changed)
}

func (l *logSource) state() (restarts int32, gone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.restarts, l.gone
}

// resume tells the lines of a stream that were passed on before it was opened: it begins at a whole second, so that it repeats some.
// Behind them every line is new, also one that a clock which was set back makes look old.
type resume struct {
	at       time.Time
	sameTime int // how many lines of that very time to expect again
	done     bool
}

func (l *logSource) resume() *resume {
	return &resume{at: l.last, sameTime: l.sameTime, done: l.last.IsZero()}
}

func (r *resume) isRepeated(at time.Time) bool {
	if r.done || at.IsZero() {
		return false
	}
	if at.Equal(r.at) && r.sameTime > 0 {
		r.sameTime--
		return true
	}
	if at.Before(r.at) {
		return true
	}
	r.done = true
	return false
}

// passed takes note of a line that was passed on.
func (l *logSource) passed(at time.Time) {
	switch {
	case at.IsZero():
	case at.Equal(l.last):
		l.sameTime++
	default:
		l.last, l.sameTime = at, 1
	}
}

// passer takes the lines that are read.
type passer func(context.Context, rawLine) error

// readLog reads one container's log to its end and returns how many lines it passed on.
func (s *LogStream) readLog(ctx context.Context, source *logSource, options *corev1.PodLogOptions, pass passer) (int, error) {
	options.Container, options.Timestamps = source.container, true
	stream, err := s.client.connection().core.Pods(s.pods.namespace).GetLogs(source.pod, options).Stream(ctx)
	if source.expected {
		source.expected = false
		s.buffer.opened(time.Now())
	}
	switch {
	case err != nil && options.Previous && apierrors.IsBadRequest(err):
		return 0, noPrevious()
	case err != nil:
		return 0, err
	}
	defer stream.Close() //nolint:errcheck // It was only read from.
	reader := bufio.NewReaderSize(stream, maxRawLine)
	passed, resume := 0, source.resume()
	for {
		line, missing, err := readLine(reader)
		if at, text := splitTime(line); len(line) > 0 && !resume.isRepeated(at) {
			passed++
			source.passed(at)
			if err := pass(ctx, rawLine{source: source, at: at, text: string(text), missing: missing}); err != nil {
				return passed, err
			}
		}
		if errors.Is(err, io.EOF) {
			return passed, nil
		}
		if err != nil {
			return passed, err
		}
	}
}

// noPrevious is what there is to say of a container that has never ended; the API server words it as a bad request.
func noPrevious() *Problem {
	return problem(ClassNotFound, "its container has not restarted: there is no earlier log", "")
}

// readLine reads up to the next newline, which it leaves out. Of a line that is longer than the reader's buffer the rest is
// skipped and counted. The line is valid until the next read.
func readLine(reader *bufio.Reader) (line []byte, missing int, err error) {
	line, err = reader.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line = bytes.Clone(line) // the reads below use the buffer again
		for errors.Is(err, bufio.ErrBufferFull) {
			var rest []byte
			rest, err = reader.ReadSlice('\n')
			missing += len(bytes.TrimSuffix(rest, []byte("\n")))
		}
	}
	return bytes.TrimSuffix(line, []byte("\n")), missing, err
}

// splitTime takes the kubelet's time off a line. A line without one, which comes from the API server itself, is text as a whole.
func splitTime(line []byte) (time.Time, []byte) {
	stamp, text, found := bytes.Cut(line, []byte(" "))
	if !found {
		stamp, text = bytes.TrimRight(stamp, "\r\n"), nil
	}
	at, err := time.Parse(time.RFC3339Nano, string(stamp))
	if err != nil {
		return time.Time{}, line
	}
	return at, text
}

// logOptions are those of the first reading of a pod.
func (s *LogStream) logOptions() *corev1.PodLogOptions {
	options := &corev1.PodLogOptions{Previous: s.opts.Previous, Follow: s.opts.Follow && !s.opts.Previous}
	if s.opts.Tail >= 0 {
		options.TailLines = &s.opts.Tail
	}
	if s.opts.Since > 0 {
		seconds := max(int64(s.opts.Since/time.Second), 1)
		options.SinceSeconds = &seconds
	}
	return options
}

// since are the options to go on from the newest line that was passed on.
func (l *logSource) since(previous bool) *corev1.PodLogOptions {
	options := &corev1.PodLogOptions{Follow: !previous, Previous: previous}
	if !l.last.IsZero() {
		at := metav1.NewTime(l.last)
		options.SinceTime = &at
	}
	return options
}

func (s *LogStream) notice(ctx context.Context, source *logSource, text string) {
	line := rawLine{kind: LineNotice, source: source, at: time.Now(), text: text}
	if source != nil && !source.last.IsZero() {
		line.at = source.last // behind the lines that it speaks of, whatever the clocks say
	}
	_ = s.buffer.put(ctx, line) // only fails where ctx has ended, which the caller sees next
}
