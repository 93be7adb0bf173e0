package tui

import (
	"context"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/info"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/server"
)

// fakeDetail is what a fake cluster knows of its Valkeys beside the rows.
type fakeDetail struct {
	details  map[string]*kube.Detail // by name
	readings map[string][]server.Reading
	looks    []server.Look
	pods     []string // whose servers are asked now
	watching int      // open observers
	// noRequest says that no failover waits any more, so that none can be taken back.
	noRequest bool
}

// fakeNow is the clock of the tests.
var fakeNow = time.Unix(1_700_000_000, 0)

func before(d time.Duration) metav1.Time { return metav1.NewTime(fakeNow.Add(-d)) }

// fakeCache is a Valkey of three servers, the last one with a word about why it is not ready.
func fakeCache(name string) *kube.Detail {
	v := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Generation: 4}}
	replicas := int32(3)
	v.Spec = v1alpha1.ValkeySpec{
		Image: "valkey/valkey:9.1", Replicas: &replicas, User: "root", Volume: v1alpha1.VolumeSpec{Enabled: true, Storage: "1Gi", Reclaim: v1alpha1.ReclaimRetain},
		Resource: v1alpha1.ResourceSpec{CPU: "200m", Memory: "512Mi"}, Config: map[string]v1alpha1.ConfigValue{"maxmemory-policy": "allkeys-lru"},
	}
	changed := before(3 * time.Minute)
	v.Status = v1alpha1.ValkeyStatus{
		Status: v1alpha1.PhaseRunning, ReadyReplicas: 2, LastReconcileAt: &changed, ObservedGeneration: 3, Primary: name + "-node-0", Version: "9.1.2",
		RoleChanges: []v1alpha1.RoleChange{
			{Time: before(3 * time.Minute), From: name + "-node-1", To: name + "-node-0", Reason: "the pod of the primary was deleted"},
			{Time: before(50 * time.Hour), To: name + "-node-1", Reason: "the first primary"},
		},
		Nodes: []v1alpha1.NodeStatus{
			{Name: name + "-node-0", Pod: name + "-node-0-a", Host: "host-1", Role: v1alpha1.RolePrimary, Ready: true},
			{Name: name + "-node-1", Pod: name + "-node-1-b", Host: "host-2", Role: v1alpha1.RoleReplica, Ready: true},
			{Name: name + "-node-2", Pod: name + "-node-2-c", Host: "host-1", Role: v1alpha1.RoleReplica, Message: "receives a full copy of the data"},
		},
		Conditions: []metav1.Condition{
			{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonSyncing, Message: "2 of 3 servers ready", LastTransitionTime: before(3 * time.Minute)},
			{Type: v1alpha1.ConditionProgressing, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonSyncing, Message: name + "-node-2 receives a full copy of the data", LastTransitionTime: before(3 * time.Minute)},
			{Type: v1alpha1.ConditionDegraded, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonAsWanted, LastTransitionTime: before(50 * time.Hour)},
		},
	}
	d := &kube.Detail{Valkey: v, YAML: "apiVersion: database.kuberly.io/v1alpha1\nkind: Valkey\nmetadata:\n  name: " + name + "\nspec:\n  image: valkey/valkey:9.1\n  replicas: 3\n"}
	for i, s := range v.Status.Nodes {
		d.Nodes = append(d.Nodes, kube.Node{
			Name: s.Name, Pod: s.Pod, Host: s.Host, IP: "10.0.0." + strconv.Itoa(i+1), Role: s.Role, Ready: s.Ready, UID: types.UID("pod-" + s.Name),
			Restarts: int32(i), Created: fakeNow.Add(-time.Duration(50-24*i) * time.Hour), Memory: 512 << 20,
		})
	}
	d.Events = []kube.Event{
		{Type: "Normal", Reason: "Promoted", Object: "Valkey/" + name, Message: name + "-node-0 is the primary now: the pod of the primary was deleted", Count: 1, Last: fakeNow.Add(-3 * time.Minute)},
		{Type: "Warning", Reason: "Unhealthy", Object: "Pod/" + name + "-node-2-6777c9875d-c", Message: "Readiness probe failed: its link to the primary is down", Count: 12, Last: fakeNow.Add(-20 * time.Second)},
	}
	return d
}

// fakeReadings are what the servers of a fakeCache say: the last one cannot be reached.
func fakeReadings(name string) []server.Reading {
	said := func(role v1alpha1.Role, ops int64) *server.Info {
		return &server.Info{
			Server: info.Server{Version: "9.1.2", Role: role, LinkUp: true, LinkDownFor: -1, Offset: 5_000_000, Keys: 41_200},
			Uptime: 50 * time.Hour, Used: 190 << 20, Peak: 200 << 20, RSS: 230 << 20, Max: 384 << 20, Policy: "allkeys-lru",
			Clients: 42, MaxClients: 10000, OpsPerSecond: ops, Hits: 970, Misses: 30, Commands: 123_456_789, Expired: 12, Evicted: 3,
			LastSave: fakeNow.Add(-4 * time.Minute), SaveOK: true, AOF: true, AOFOK: true, Changes: 512,
			Databases: []server.Database{{Name: "db0", Keys: 41_200, Expires: 1200, TTL: 90 * time.Minute}},
		}
	}
	primary := said(v1alpha1.RolePrimary, 12_345)
	primary.Replicas = []info.Replica{{Host: "10.0.0.2", Port: 6379, Online: true, Offset: 4_900_000, Lag: 1}}
	history := make([]server.Point, 60)
	for i := range history {
		history[i] = server.Point{OpsPerSecond: 9000 + 3345*math.Sin(float64(i)/6), Memory: float64(150+i) * (1 << 20), Clients: float64(30 + i/5)}
	}
	return []server.Reading{
		{Pod: name + "-node-0-a", At: fakeNow, Info: primary, History: history},
		{Pod: name + "-node-1-b", At: fakeNow, Info: said(v1alpha1.RoleReplica, 800), History: history[:20]},
		{Pod: name + "-node-2-c", At: fakeNow, Problem: "nothing listens on the server's port: it is starting, or has ended"},
	}
}

// addCache gives the fake's Valkey "cache" three servers.
func (f *fake) addCache() {
	const name = "cache"
	f.set(func() {
		if f.details == nil {
			f.details, f.readings = map[string]*kube.Detail{}, map[string][]server.Reading{}
		}
		f.details[name], f.readings[name] = fakeCache(name), fakeReadings(name)
	})
}

// edit changes what is known of the Valkey "cache".
func (f *fake) edit(change func(d *kube.Detail)) {
	f.set(func() {
		d := *f.details["cache"]
		d.Valkey = d.Valkey.DeepCopy()
		d.Nodes = slices.Clone(d.Nodes)
		change(&d)
		f.details["cache"] = &d
	})
}

// fakeStreamOf hands out a value again whenever the fake changes.
type fakeStreamOf struct {
	fake   *fake
	name   string
	seen   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func (s *fakeStreamOf) wait(ctx context.Context) error {
	for {
		s.fake.mu.Lock()
		now := s.fake.changed
		s.fake.mu.Unlock()
		if s.seen != now {
			s.seen = now
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.closed:
			return kube.ErrClosed
		case <-now:
		}
	}
}

type (
	fakeDetails  struct{ fakeStreamOf }
	fakeObserver struct{ fakeStreamOf }
)

func (f *fake) Detail(_ context.Context, ref kube.Ref) detailer {
	return &fakeDetails{fakeStreamOf{fake: f, name: ref.Name, closed: make(chan struct{})}}
}

func (f *fake) Observe(_ context.Context, ref kube.Ref) observer {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watching++
	return &fakeObserver{fakeStreamOf{fake: f, name: ref.Name, closed: make(chan struct{})}}
}

func (s *fakeDetails) Next(ctx context.Context) (kube.Detail, error) {
	for {
		if err := s.wait(ctx); err != nil {
			return kube.Detail{}, err
		}
		s.fake.mu.Lock()
		d := s.fake.details[s.name]
		s.fake.mu.Unlock()
		if d != nil {
			return *d, nil
		}
	}
}

func (s *fakeDetails) Close() { s.once.Do(func() { close(s.closed) }) }

func (s *fakeObserver) Next(ctx context.Context) ([]server.Reading, error) {
	for {
		if err := s.wait(ctx); err != nil {
			return nil, err
		}
		s.fake.mu.Lock()
		readings := s.fake.readings[s.name]
		s.fake.mu.Unlock()
		if len(readings) > 0 {
			return readings, nil
		}
	}
}

func (s *fakeObserver) SetPods(pods []string) {
	s.fake.mu.Lock()
	defer s.fake.mu.Unlock()
	s.fake.pods = pods
}

func (s *fakeObserver) Rest() { s.SetPods(nil) }

func (s *fakeObserver) Look(look server.Look) {
	s.fake.mu.Lock()
	defer s.fake.mu.Unlock()
	s.fake.looks = append(s.fake.looks, look)
}

func (s *fakeObserver) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.fake.mu.Lock()
		defer s.fake.mu.Unlock()
		s.fake.watching--
		s.fake.pods = nil
	})
}

func (f *fake) Config(context.Context, kube.Ref) (map[string]string, error) {
	return map[string]string{"maxmemory": "402653184", "maxmemory-policy": "allkeys-lru", "appendonly": "yes", "repl-diskless-sync-delay": "1"}, nil
}

func (f *fake) Failover(_ context.Context, ref kube.Ref, node string) (string, error) {
	return "", f.noted("failover to "+node+" of", ref)
}

func (f *fake) CancelFailover(_ context.Context, ref kube.Ref) (bool, error) {
	return !f.noRequest, f.noted("cancel the failover of", ref)
}

func (f *fake) Restart(_ context.Context, ref kube.Ref, _ time.Time) error {
	return f.noted("restart", ref)
}

// noted notes an action on the object that the ref names, if it is there as it was seen.
func (f *fake) noted(what string, ref kube.Ref) error {
	var err error
	f.set(func() {
		if _, err = f.find(ref); err == nil {
			f.note("%s %s uid %s rv %s", what, ref, ref.UID, ref.ResourceVersion)
		}
	})
	return err
}
