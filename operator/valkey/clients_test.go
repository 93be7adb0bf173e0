//go:build integration

package valkey_test

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"
	"go.uber.org/goleak"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/operator/valkey/info"
	"kuberly.io/valkey-operator/test/valkeyserver"
)

func TestObserve(t *testing.T) {
	each(t, func(t *testing.T, bin valkeyserver.Bin) {
		s, c := start(t, bin, valkeyserver.Options{}), newClients(t)
		admin(t, s, "SET", "key", "value")
		seen, err := c.Observe(t.Context(), target(s), operatorLogin)
		if err != nil {
			t.Fatal(err)
		}
		if seen.Role != v1alpha1.RolePrimary || seen.Keys != 1 || seen.Loading || seen.RunID == "" || !strings.HasPrefix(bin.Version(t), seen.Version) {
			t.Errorf("of %s it sees %+v", bin.Version(t), seen)
		}
	})
}

// Case 20 (operator): a server that is still loading is seen to be.
func TestObserveWhileLoading(t *testing.T) {
	bin := valkeyserver.Default(t)
	s := start(t, bin, valkeyserver.Options{})
	words := []string{"MSET"}
	for i := range 500 {
		words = append(words, "key"+strconv.Itoa(i), strings.Repeat("x", 200))
	}
	admin(t, s, words...)
	admin(t, s, "SAVE")
	s.Kill(t)
	again := start(t, bin, valkeyserver.Options{Dir: s.Dir, Lines: []string{"key-load-delay 20000", "loading-process-events-interval-bytes 1024"}})
	observe(t, newClients(t), again, "loading", func(seen info.Server) bool { return seen.Loading })
}

func TestWrongLoginIsToldApart(t *testing.T) {
	s, c := start(t, valkeyserver.Default(t), valkeyserver.Options{}), newClients(t)
	_, err := c.Observe(t.Context(), target(s), valkey.Login{User: v1alpha1.UserOperator, Password: "WRONGSECRET"})
	if !errors.Is(err, valkey.ErrLogin) {
		t.Errorf("got %v, want %v", err, valkey.ErrLogin)
	}
	if err != nil && strings.Contains(err.Error(), "WRONGSECRET") {
		t.Errorf("the error tells the password: %v", err)
	}
	if _, err := c.Observe(t.Context(), target(s), operatorLogin); err != nil {
		t.Errorf("with the right login: %v", err)
	}
	s.Kill(t)
	_, err = c.Observe(t.Context(), target(s), operatorLogin)
	valkeyserver.Eventually(t, "gone", func() bool {
		_, err = c.Observe(t.Context(), target(s), operatorLogin)
		return errors.Is(err, valkey.ErrGone)
	})
	if errors.Is(err, valkey.ErrLogin) {
		t.Errorf("a server that is gone does not refuse a login: %v", err)
	}
}

// A connection that broke is told at once and made anew at the next question.
func TestBrokenConnectionIsToldAndMadeAnew(t *testing.T) {
	bin := valkeyserver.Default(t)
	s := start(t, bin, valkeyserver.Options{})
	told := make(chan valkey.Target, 8)
	c := valkey.NewClients(valkey.PodDialer{}, func(t valkey.Target) { told <- t })
	t.Cleanup(c.Close)
	first, err := c.Observe(t.Context(), target(s), operatorLogin)
	if err != nil {
		t.Fatal(err)
	}
	s.Kill(t)
	select {
	case got := <-told:
		if got != target(s) {
			t.Errorf("told of %v, want %v", got, target(s))
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nobody was told")
	}
	again := start(t, bin, valkeyserver.Options{Port: s.Port, Dir: s.Dir})
	seen := observe(t, c, again, "observed again", func(info.Server) bool { return true })
	if seen.RunID == first.RunID {
		t.Error("it sees the server that is gone")
	}
}

// A server that was frozen keeps its connection open; a question to it ends all the same.
func TestFrozenServerDoesNotHoldUp(t *testing.T) {
	s, c := start(t, valkeyserver.Default(t), valkeyserver.Options{}), newClients(t)
	if _, err := c.Observe(t.Context(), target(s), operatorLogin); err != nil {
		t.Fatal(err)
	}
	s.Freeze(t)
	t.Cleanup(func() { s.Thaw(t) })
	patience, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if seen, err := c.Observe(patience, target(s), operatorLogin); err == nil {
		t.Errorf("a frozen server says %+v", seen)
	}
	if patience.Err() != nil {
		t.Error("it does not give up by itself")
	}
	s.Thaw(t)
	observe(t, c, s, "observed again", func(info.Server) bool { return true })
}

func TestForgetLeavesNothingBehind(t *testing.T) {
	s := start(t, valkeyserver.Default(t), valkeyserver.Options{})
	before := goleak.IgnoreCurrent()
	c := valkey.NewClients(valkey.PodDialer{}, nil)
	if _, err := c.Observe(t.Context(), target(s), operatorLogin); err != nil {
		t.Fatal(err)
	}
	connected := func() int { return strings.Count(admin(t, s, "CLIENT", "LIST"), "user="+v1alpha1.UserOperator+" ") }
	if n := connected(); n != 1 {
		t.Errorf("%d connections, want one that is held", n)
	}
	c.Forget(func(id string) bool { return id != target(s).ID })
	if n := connected(); n != 1 {
		t.Errorf("%d connections after another server was forgotten", n)
	}
	c.Forget(func(id string) bool { return id == target(s).ID })
	valkeyserver.Eventually(t, "the connection is closed", func() bool { return connected() == 0 })
	goleak.VerifyNone(t, before)
}

// A primary that is fenced takes writes only with a replica that follows; one that is promoted takes them at once.
func TestFence(t *testing.T) {
	s, c := start(t, valkeyserver.Default(t), valkeyserver.Options{}), newClients(t)
	if err := c.Fence(t.Context(), target(s), operatorLogin, true); err != nil {
		t.Fatal(err)
	}
	if got := admin(t, s, "SET", "k", "v"); !strings.HasPrefix(got, "NOREPLICAS") {
		t.Errorf("fenced and without a replica it says %q", got)
	}
	if seen := observe(t, c, s, "fenced", func(seen info.Server) bool { return seen.Fenced }); seen.Role != v1alpha1.RolePrimary {
		t.Errorf("role %s", seen.Role)
	}
	if err := c.Promote(t.Context(), target(s), operatorLogin); err != nil {
		t.Fatal(err)
	}
	if got := admin(t, s, "SET", "k", "v"); got != "OK" {
		t.Errorf("promoted it says %q", got)
	}
}

// Case 23 (operator): clients of a demoted primary lose their connection; the operator's own and the replicas' stay.
func TestDropClients(t *testing.T) {
	s, c := start(t, valkeyserver.Default(t), valkeyserver.Options{}), newClients(t)
	held := application(t, s)
	if err := held.Do(t.Context(), held.B().Ping().Build()).Error(); err != nil {
		t.Fatal(err)
	}
	if err := c.DropClients(t.Context(), target(s), operatorLogin); err != nil {
		t.Fatal(err)
	}
	valkeyserver.Eventually(t, "the application's connection is closed", func() bool {
		return !strings.Contains(admin(t, s, "CLIENT", "LIST"), "name=application")
	})
	if _, err := c.Observe(t.Context(), target(s), operatorLogin); err != nil {
		t.Errorf("the operator's own: %v", err)
	}
}

// writer counts up in one key of a primary until the primary takes no more writes.
type writer struct {
	cancel context.CancelFunc
	done   chan struct{}
	mu     sync.Mutex
	n      int
}

func write(t *testing.T, s *valkeyserver.Server) *writer {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w := &writer{cancel: cancel, done: make(chan struct{})}
	client := application(t, s)
	go func() {
		defer close(w.done)
		for i := 1; ctx.Err() == nil; i++ {
			if client.Do(ctx, client.B().Set().Key("last").Value(strconv.Itoa(i)).Build()).Error() != nil {
				return
			}
			w.mu.Lock()
			w.n = i
			w.mu.Unlock()
		}
	}()
	return w
}

func (w *writer) acknowledged() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n
}

func (w *writer) waitFor(t *testing.T, n int) {
	t.Helper()
	valkeyserver.Eventually(t, strconv.Itoa(n)+" writes", func() bool { return w.acknowledged() >= n })
}

func (w *writer) stop(t *testing.T) int {
	t.Helper()
	w.cancel()
	<-w.done
	return w.acknowledged()
}

func application(t testing.TB, s *valkeyserver.Server) valkeygo.Client {
	t.Helper()
	client, err := valkeygo.NewClient(valkeygo.ClientOption{
		InitAddress: []string{s.Address()}, Username: "root", Password: credentials.Admin, ClientName: "application",
		DisableCache: true, DisableRetry: true, ForceSingleClient: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// BenchmarkHeldConnection says what a held connection costs: an operator of a thousand Valkeys holds thousands.
func BenchmarkHeldConnection(b *testing.B) {
	s := start(b, valkeyserver.Default(b), valkeyserver.Options{Lines: []string{"maxclients 20000"}})
	c := newClients(b)
	open := func(i int) {
		t := target(s)
		t.ID = strconv.Itoa(i)
		if _, err := c.Observe(b.Context(), t, operatorLogin); err != nil {
			b.Fatal(err)
		}
	}
	open(-1)
	before := heap()
	b.ResetTimer()
	for i := range b.N {
		open(i)
	}
	b.StopTimer()
	b.ReportMetric(float64(heap()-before)/float64(b.N), "heap-bytes/conn")
}

// A thousand Valkeys of three nodes must fit into a manager of ordinary size.
func TestHeldConnectionIsSmall(t *testing.T) {
	s, c := start(t, valkeyserver.Default(t), valkeyserver.Options{}), newClients(t)
	const n, most = 200, 64 << 10
	open := func(i int) {
		held := target(s)
		held.ID = strconv.Itoa(i)
		if _, err := c.Observe(t.Context(), held, operatorLogin); err != nil {
			t.Fatal(err)
		}
	}
	open(-1)
	before := heap()
	for i := range n {
		open(i)
	}
	if each := (heap() - before) / n; each > most {
		t.Errorf("a held connection takes %d bytes, want at most %d", each, most)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// A server that is frozen takes a connection, by its host's kernel, and says nothing on it.
func TestConnectingToAFrozenServerGivesUp(t *testing.T) {
	s, c := start(t, valkeyserver.Default(t), valkeyserver.Options{}), newClients(t)
	s.Freeze(t)
	t.Cleanup(func() { s.Thaw(t) })
	answered := make(chan error, 1)
	go func() {
		_, err := c.Observe(context.WithoutCancel(t.Context()), target(s), operatorLogin)
		answered <- err
	}()
	select {
	case err := <-answered:
		if err == nil {
			t.Error("a frozen server answers")
		}
	case <-time.After(15 * time.Second):
		t.Error("it still waits after 15 s")
	}
}

// A server is heard of while it answers, also where nobody asks it anything, and that stays known when its connection is closed.
func TestHeard(t *testing.T) {
	s, c := start(t, valkeyserver.Default(t), valkeyserver.Options{}), newClients(t)
	if at, heard := c.Heard(target(s)); heard {
		t.Fatalf("it was heard of at %s, before anybody asked it", at)
	}
	if _, err := c.Observe(t.Context(), target(s), operatorLogin); err != nil {
		t.Fatal(err)
	}
	first, _ := c.Heard(target(s))
	valkeyserver.Eventually(t, "it is heard of again", func() bool {
		at, heard := c.Heard(target(s))
		return heard && at.After(first)
	})
	c.Forget(func(string) bool { return true })
	last, heard := c.Heard(target(s))
	if !heard || !last.After(first) {
		t.Errorf("it was heard of last at %s (%t), want a time after %s", last, heard, first)
	}
}
