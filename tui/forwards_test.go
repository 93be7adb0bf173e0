package tui

import (
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

// fakeForward leads nowhere; tests tell how it fares.
type fakeForward struct {
	mu     sync.Mutex
	status kube.ForwardStatus
	told   chan struct{}
	ended  chan struct{}
	err    error
	once   sync.Once
}

func (f *fakeForward) Status() kube.ForwardStatus {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

func (f *fakeForward) Next(ctx context.Context) (kube.ForwardStatus, error) {
	select {
	case <-ctx.Done():
		return f.Status(), ctx.Err()
	case <-f.ended:
		return f.Status(), f.err
	case <-f.told:
		return f.Status(), nil
	}
}

func (f *fakeForward) Close() { f.end(kube.ErrClosed) }

func (f *fakeForward) end(err error) {
	f.once.Do(func() { f.err = err; close(f.ended) })
}

func (f *fakeForward) isEnded() bool {
	select {
	case <-f.ended:
		return true
	default:
		return false
	}
}

// tell changes how it fares.
func (f *fakeForward) tell(change func(s *kube.ForwardStatus)) {
	f.mu.Lock()
	change(&f.status)
	f.mu.Unlock()
	f.told <- struct{}{}
}

// Forward is for forwarder. Port 6380 is taken.
func (f *fake) Forward(_ context.Context, ref kube.Ref, opts kube.ForwardOptions) (forward, error) {
	if opts.Local == 6380 {
		return nil, &kube.Problem{Class: kube.ClassInvalid, Message: "port 6380 of this machine is taken", Hint: "choose another one"}
	}
	if opts.Local == 0 {
		opts.Local = 6379
	}
	led := &fakeForward{told: make(chan struct{}, 8), ended: make(chan struct{})}
	led.status = kube.ForwardStatus{Ref: ref, Node: opts.Node, Local: "127.0.0.1:" + strconv.Itoa(opts.Local), Port: 6379, Said: "looking for the server"}
	f.set(func() { f.forwards = append(f.forwards, led) })
	return led, nil
}

func (f *fake) forwardOf(i int) *fakeForward {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.forwards[i]
}

// twoForwards leads one port to a primary, and one to a replica.
func twoForwards(s *session) {
	s.press("F")
	s.sees("the primary")
	s.press("1")
	s.sees("local port for default/cache")
	s.press("enter")
	s.sees("127.0.0.1:6379")
	s.fake.forwardOf(0).tell(func(f *kube.ForwardStatus) {
		f.Target, f.Said, f.Open, f.Total, f.In, f.Out = "cache-node-1", "leads to cache-node-1", 2, 17, 48<<10, 3<<20
	})
	s.sees("leads to cache-node-1")
	s.press("esc", "F")
	s.sees("cache-node-2")
	s.press("4")
	s.sees("local port for default/cache")
	s.write("7000")
	s.press("enter")
	s.sees("127.0.0.1:7000")
	s.fake.forwardOf(1).tell(func(f *kube.ForwardStatus) {
		f.Said, f.Problem, f.Failures = "cache-node-2 has no pod now", "the pod does not answer", 3
	})
	s.sees("pod does not answer")
}

func init() {
	scenes["forwards"] = scene{cast(), twoForwards}
	scenes["forwards-none"] = scene{cast(), func(s *session) { s.press("P"); s.sees("No port leads anywhere") }}
	scenes["forwards-port"] = scene{cast(), func(s *session) {
		s.press("F", "1")
		s.sees("the primary")
		s.press("1")
		s.sees("local port for")
	}}
}

func TestForwardsGoOnBehindOtherScreens(t *testing.T) {
	s := newSession(t, newFake(cast()...), 160, 40, theme.TrueColor)
	s.sees("sessions")
	twoForwards(s)
	if got := s.fake.forwardOf(1).Status(); got.Node != "cache-node-2" || got.Ref.Name != "cache" {
		t.Errorf("the second one leads to %+v", got)
	}
	s.press("esc")
	s.misses("Port-forwards")
	s.fake.forwardOf(0).tell(func(f *kube.ForwardStatus) {
		f.Target, f.Said = "cache-node-0", "moved from cache-node-1 to cache-node-0"
	})
	s.press("P")
	s.sees("moved from cache-node-1 to cache-node-0")
	s.sees("primary node-0")

	s.press("G", "ctrl+d")
	s.misses("127.0.0.1:7000")
	s.until("it is closed", s.fake.forwardOf(1).isEnded)
	if s.fake.forwardOf(0).isEnded() {
		t.Error("the other one is closed too")
	}
	s.fake.forwardOf(0).end(&kube.Problem{Class: kube.ClassForbidden, Message: "you may not list pods"})
	s.sees("ended: you may not list pods")
	s.m.clipboard = clipboard{&s.fake.clipboard, func(string) string { return "" }}
	s.press("Y")
	s.until("the address is copied", func() bool {
		return strings.Contains(s.fake.clipboard.String(), base64.StdEncoding.EncodeToString([]byte("127.0.0.1:6379")))
	})
}

// A port that is none, and one that is taken, stay in the prompt to be mended.
func TestForwardAsksForAnotherPort(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.press("F")
	s.sees("the primary")
	s.press("enter")
	s.sees("local port for")
	for _, text := range []string{"0", "65536", "x1"} {
		s.write(text)
		s.press("enter")
		s.sees("is no port")
		s.press(slices.Repeat([]string{"backspace"}, len(text))...)
	}
	s.write("6380")
	s.press("enter")
	s.sees("port 6380 of this machine is taken")
	s.press("backspace")
	s.sees("638")
	s.write("1")
	s.press("enter")
	s.sees("127.0.0.1:6381")
}

// A server that stands alone is not chosen from a list of one.
func TestForwardToOneServerAsksOnlyForThePort(t *testing.T) {
	s := newSession(t, newFake(object{name: "alone", replicas: 1, ready: 1}.row()), 120, 40, theme.TrueColor)
	s.sees("alone")
	s.press("F")
	s.sees("local port for default/alone")
	s.press("esc")
	s.sees("No port leads anywhere")
}

// Whatever leads into a cluster ends when that is left, and when the dashboard ends.
func TestForwardsEndWithTheirContext(t *testing.T) {
	s := shellSession(t)
	s.press("F")
	s.sees("the primary")
	s.press("enter", "enter")
	s.sees("127.0.0.1:6379")
	s.command("ctx prod")
	s.until("it is closed", s.fake.forwardOf(0).isEnded)

	s = newSession(t, newFake(cast()...), 120, 40, theme.TrueColor)
	s.sees("sessions")
	twoForwards(s)
	s.m.close()
	if !s.fake.forwardOf(0).isEnded() || !s.fake.forwardOf(1).isEnded() {
		t.Error("forwards outlive the dashboard")
	}
}

func TestEndedForwardsAreTold(t *testing.T) {
	var out strings.Builder
	tellEnded(&out, []screen.Forward{
		{ID: 1, Status: kube.ForwardStatus{Local: "127.0.0.1:6379", Ref: kube.Ref{Namespace: "default", Name: "cache"}}},
		{ID: 2, Status: kube.ForwardStatus{Local: "127.0.0.1:6380"}, End: &kube.Problem{Message: "it ended before"}},
	})
	if got, want := out.String(), "valkeyctl: the port-forward 127.0.0.1:6379 to default/cache has ended\n"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}
