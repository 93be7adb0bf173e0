package tui

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
)

// fake is a cluster in memory, with an operator that needs no time.
type fake struct {
	mu       sync.Mutex
	changed  chan struct{} // closed and replaced with every change
	rows     []*kube.Row
	problem  *kube.Problem
	version  int
	uids     int
	lines    []kube.Line
	flood    bool
	refuse   map[string]error // by namespace/name
	streams  int              // open ones
	actions  []string
	opened   int // lists
	retried  int
	panicVer bool
	silent   bool   // no list is answered
	onKey    func() // runs in a goroutine of its own when the cluster is asked again (ctrl-r)

	fakeForms
	fakeShell
	fakeVisit
	fakeDetail
}

func newFake(rows ...*kube.Row) *fake {
	return &fake{changed: make(chan struct{}), rows: rows, refuse: map[string]error{}, version: 100, uids: 1000}
}

func (f *fake) backend() backend {
	return backend{visitor: f, formBackend: f, watcher: f, actor: f, asker: f, router: f, surveyor: f, judge: f, physician: f, inspector: f, discloser: f, mover: f, namespace: "default", context: kube.Context{
		Name: "dev", Cluster: "kind-dev", Server: "https://127.0.0.1:6443", Namespace: "default", Current: true,
	}}
}

var columns = []kube.Column{
	{Name: "Image", Type: "string", JSONPath: ".spec.image"},
	{Name: "CPU", Type: "string", JSONPath: ".spec.resource.cpu"},
	{Name: "Memory", Type: "string", JSONPath: ".spec.resource.memory"},
	{Name: "Status", Type: "string", JSONPath: ".status.status"},
	{Name: "Error", Type: "string", JSONPath: ".status.error"},
	{Name: "Has volume", Type: "boolean", JSONPath: ".spec.volume.enabled"},
	{Name: "Volume size", Type: "string", JSONPath: ".spec.volume.storage"},
	{Name: "Replicas", Type: "integer", JSONPath: ".spec.replicas"},
	{Name: "Ready replicas", Type: "integer", JSONPath: ".status.ready_replicas"},
	{Name: "Last reconcile", Type: "date", JSONPath: ".status.last_reconcile_at"},
	{Name: "Primary", Type: "string", JSONPath: ".status.primary", Priority: 1},
	{Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp", Priority: 1},
}

// object is what a test says about a Valkey.
type object struct {
	namespace, name string
	uid             string
	replicas, ready int32
	status          v1alpha1.Phase
	err             string
	image           string
	generation      int64
	rv              string
	deleting        bool
	remembered      int32
	noVolume        bool
	memory          string
}

func (o object) row() *kube.Row {
	if o.namespace == "" {
		o.namespace = "default"
	}
	if o.uid == "" {
		o.uid = "uid-" + o.namespace + "-" + o.name
	}
	if o.image == "" {
		o.image = "valkey/valkey:9.1"
	}
	if o.rv == "" {
		o.rv = "1"
	}
	if o.memory == "" {
		o.memory = "512Mi"
	}
	cell := func(s string, sort any) kube.Cell { return kube.Cell{Text: s, Sort: sort} }
	integer := func(n int32) kube.Cell { return cell(strconv.Itoa(int(n)), float64(n)) }
	primary := ""
	if o.ready > 0 {
		primary = o.name + "-node-0"
	}
	return &kube.Row{
		UID: types.UID(o.uid), Namespace: o.namespace, Name: o.name, ResourceVersion: o.rv, Generation: o.generation,
		Status: o.status, Error: o.err, Replicas: o.replicas, Ready: o.ready, Deleting: o.deleting, Remembered: o.remembered, HasVolume: !o.noVolume,
		Cells: []kube.Cell{
			cell(o.image, o.image), cell("200m", 0.2), cell(o.memory, quantity(o.memory)),
			cell(string(o.status), string(o.status)), cell(o.err, o.err), cell("true", true), cell("1Gi", quantity("1Gi")),
			integer(o.replicas), integer(o.ready), cell("3m", fakeNow.Add(-3*time.Minute)),
			cell(primary, primary), cell("4d", fakeNow.Add(-4*24*time.Hour)),
		},
	}
}

// quantity is what package kube sorts a quantity by.
func quantity(s string) float64 {
	q := resource.MustParse(s)
	return q.AsApproximateFloat64()
}

// cast is the usual set of Valkeys.
func cast() []*kube.Row {
	return []*kube.Row{
		object{name: "cache", replicas: 3, ready: 3, status: v1alpha1.PhaseRunning, generation: 1}.row(),
		object{name: "jobs", replicas: 2, ready: 1, status: v1alpha1.PhaseInProgress, generation: 1}.row(),
		object{
			name: "sessions", replicas: 1, status: v1alpha1.PhaseFailed, generation: 1,
			err: `pod sessions-node-0: image "valkey/valkey:9.99" cannot be pulled: not found`, image: "valkey/valkey:9.99",
		}.row(),
		object{name: "zzz", status: v1alpha1.PhaseStopped, generation: 1}.row(),
	}
}

// set changes the cluster and tells the lists.
func (f *fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	close(f.changed)
	f.changed = make(chan struct{})
}

// put adds or replaces a row by its name.
func (f *fake) put(row *kube.Row) {
	f.set(func() {
		for i, r := range f.rows {
			if r.Namespace == row.Namespace && r.Name == row.Name {
				f.rows = slices.Clone(f.rows)
				f.rows[i] = row
				return
			}
		}
		f.rows = append(slices.Clone(f.rows), row)
	})
}

// remove takes a row away by its name.
func (f *fake) remove(name string) {
	f.set(func() {
		f.rows = slices.DeleteFunc(slices.Clone(f.rows), func(r *kube.Row) bool { return r.Name == name })
	})
}

func (f *fake) fail(p *kube.Problem) { f.set(func() { f.problem = p }) }

func (f *fake) did() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.actions)
}

func (f *fake) note(format string, args ...any) {
	f.actions = append(f.actions, fmt.Sprintf(format, args...))
}

type fakeList struct {
	fake   *fake
	scope  kube.Scope
	seen   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func (f *fake) Watch(_ context.Context, scope kube.Scope) lister {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened++
	return &fakeList{fake: f, scope: scope, closed: make(chan struct{})}
}

func (l *fakeList) Next(ctx context.Context) (kube.Snapshot, error) {
	l.fake.mu.Lock()
	now, silent := l.fake.changed, l.fake.silent
	l.fake.mu.Unlock()
	if l.seen == now || silent {
		select {
		case <-ctx.Done():
			return kube.Snapshot{}, ctx.Err()
		case <-l.closed:
			return kube.Snapshot{}, kube.ErrClosed
		case <-now:
		}
	}
	l.fake.mu.Lock()
	defer l.fake.mu.Unlock()
	l.seen = l.fake.changed
	return l.fake.snapshot(l.scope), nil
}

func (f *fake) snapshot(scope kube.Scope) kube.Snapshot {
	s := kube.Snapshot{Columns: columns, Synced: true, At: fakeNow, Err: f.problem, Stale: f.problem != nil && len(f.rows) > 0}
	for _, r := range f.rows {
		if scope.Namespace == "" || r.Namespace == scope.Namespace {
			s.Rows = append(s.Rows, r)
		}
	}
	return s
}

func (l *fakeList) Retry() {
	l.fake.set(func() { l.fake.retried++ })
	if l.fake.onKey != nil {
		go l.fake.onKey()
	}
}

func (l *fakeList) Close() { l.once.Do(func() { close(l.closed) }) }

type fakeStream struct {
	fake   *fake
	closed chan struct{}
	sent   int
	n      int
	once   sync.Once
}

func (f *fake) Logs(_ context.Context, _ kube.Ref, opts kube.LogOptions) liner {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.read = append(f.read, opts)
	f.streams++
	return &fakeStream{fake: f, closed: make(chan struct{})}
}

func (s *fakeStream) Next(ctx context.Context) ([]kube.Line, error) {
	for {
		s.fake.mu.Lock()
		lines, now, flood := s.fake.lines[s.sent:], s.fake.changed, s.fake.flood
		s.sent += len(lines)
		s.fake.mu.Unlock()
		switch {
		case len(lines) > 0:
			return lines, nil
		case flood:
			return s.floodLines(ctx)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.closed:
			return nil, kube.ErrClosed
		case <-now:
		}
	}
}

// floodLines are 5,000 lines every 100 ms.
func (s *fakeStream) floodLines(ctx context.Context) ([]kube.Line, error) {
	timer := time.NewTimer(100 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.closed:
		return nil, kube.ErrClosed
	case <-timer.C:
	}
	lines := make([]kube.Line, 5000)
	for i := range lines {
		s.n++
		lines[i] = kube.Line{Node: "cache-node-" + strconv.Itoa(s.n%3), Text: "flood line " + strconv.Itoa(s.n) + strings.Repeat(" x", 40)}
	}
	return lines, nil
}

func (s *fakeStream) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.fake.mu.Lock()
		defer s.fake.mu.Unlock()
		s.fake.streams--
	})
}

func (f *fake) ServerVersion(context.Context) (string, error) {
	if f.panicVer {
		panic("the version is a bomb")
	}
	return "v1.37.2", nil
}

func (f *fake) Children(_ context.Context, ref kube.Ref) ([]kube.Child, []string, error) {
	children := []kube.Child{{Kind: "PersistentVolumeClaim", Name: ref.Name + "-node-0", Detail: "1Gi"}}
	for _, name := range []string{"", "-internal", "-observer"} {
		children = append(children, kube.Child{Kind: "Secret", Name: ref.Name + name})
	}
	for _, name := range []string{"", "-replicas", "-nodes"} {
		children = append(children, kube.Child{Kind: "Service", Name: ref.Name + name})
	}
	return append(children, kube.Child{Kind: "Deployment", Name: ref.Name + "-node-0"}), nil, nil
}

// find is the place of the object that the ref names; an error where it is gone, another one, or has changed.
func (f *fake) find(ref kube.Ref) (int, error) {
	if err := f.refuse[ref.String()]; err != nil {
		return 0, err
	}
	for i, r := range f.rows {
		if r.Namespace != ref.Namespace || r.Name != ref.Name {
			continue
		}
		isChanged := ref.ResourceVersion != "" && r.ResourceVersion != ref.ResourceVersion && r.Generation != ref.Generation
		if ref.UID != "" && r.UID != ref.UID || isChanged {
			return 0, &kube.Problem{Class: kube.ClassConflict, Message: ref.String() + " is another one, or has changed since"}
		}
		return i, nil
	}
	return 0, &kube.Problem{Class: kube.ClassNotFound, Message: "there is no Valkey " + ref.String()}
}

func (f *fake) Scale(_ context.Context, ref kube.Ref, replicas int32, opts kube.ScaleOptions) (kube.ScaleResult, error) {
	var err error
	f.set(func() {
		var i int
		if i, err = f.find(ref); err != nil {
			return
		}
		old := f.rows[i]
		if opts.From != nil && *opts.From != old.Replicas {
			err = &kube.Problem{Class: kube.ClassConflict, Message: ref.String() + " has " + strconv.Itoa(int(old.Replicas)) + " servers by now"}
			return
		}
		f.note("scale %s %d", ref, replicas)
		f.version++
		status := v1alpha1.PhaseRunning
		if replicas == 0 {
			status = v1alpha1.PhaseStopped
		}
		f.rows = slices.Clone(f.rows)
		f.rows[i] = object{
			namespace: old.Namespace, name: old.Name, uid: string(old.UID), replicas: replicas, ready: replicas,
			status: status, generation: old.Generation + 1, rv: strconv.Itoa(f.version),
		}.row()
	})
	return kube.ScaleResult{To: replicas}, err
}

func (f *fake) Delete(_ context.Context, ref kube.Ref, _ kube.DeleteOptions) error {
	var err error
	f.set(func() {
		var i int
		if i, err = f.find(ref); err != nil {
			return
		}
		f.note("delete %s uid %s rv %s", ref, ref.UID, ref.ResourceVersion)
		f.rows = slices.Delete(slices.Clone(f.rows), i, i+1)
	})
	return err
}

// errEnd ends a stream in tests.
var errEnd = io.EOF
