//go:build integration

package controller_test

import (
	"errors"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// TestHandoverMovesTheServiceInOneStep: the Service leads to the new primary by one update, before the labels move, and goes
// by the label again afterwards. At no moment does it select what it never should. Kubernetes is told of the first a second time,
// lest it puts that off.
func TestHandoverMovesTheServiceInOneStep(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](2) })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	selectors, recorded := w.watchService("db"), w.watchRecord("db", "db-node-1")
	old := w.pod("0").Status.PodIP

	w.update(func(v *v1alpha1.Valkey) {
		metav1.SetMetaDataAnnotation(&v.ObjectMeta, v1alpha1.AnnotationFailover, v1alpha1.FailoverAny)
	})
	w.eventually("node 1 is the primary", func() bool { return w.get("db").Status.Primary == "db-node-1" })
	// Case 23 (operator): one that comes back to the old primary before its host knows of the new one is sent away again.
	late, err := net.Dial("tcp", net.JoinHostPort(old, strconv.Itoa(v1alpha1.Port)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = late.Close() })
	w.eventually("the Service goes by the label again", func() bool {
		seen := selectors()
		return len(seen) > 1 && seen[len(seen)-1].role != ""
	})

	seen := selectors()
	if len(seen) != 3 || seen[0].node != "1" || seen[0].role != "" || seen[1].node != "1" || seen[1].role != "" ||
		seen[2].role != string(v1alpha1.RolePrimary) || seen[2].node != "" {
		t.Fatalf("the Service goes by %+v", seen)
	}
	if led := seen[2].at.Sub(seen[0].at); led < 3*time.Second {
		t.Errorf("it goes by the label again after %s, when those who read the labels may not know of them yet", led)
	}
	if err := late.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := late.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("a client that came back to the old primary: %v, want its connection closed", err)
	}
	if moved := w.labelled("1"); moved <= seen[0].version {
		t.Errorf("the label moved at %d, before the Service at %d", moved, seen[0].version)
	}
	if at := recorded(); at == 0 || at >= seen[0].version {
		t.Errorf("it is on record at %d who the primary is, and clients are led to it at %d: an operator that begins in between does not know who has what they wrote", at, seen[0].version)
	}
	if changes := w.get("db").Status.RoleChanges; len(changes) != 2 {
		t.Errorf("the changes on record are %+v, want the first and the handover, once", changes)
	}
	if slices.ContainsFunc(w.eventList(), func(e eventsv1.Event) bool { return e.Reason == "ChildRestored" }) {
		t.Error("an event says that others changed the Service")
	}
}

// TestNewPodOfThePrimaryIsOnRecordFirst: where the same node stays the primary with another pod, its address and history are on
// record before clients are led to it, as they are for another node.
func TestNewPodOfThePrimaryIsOnRecordFirst(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", nil)
	before := w.awaitPhase("db", v1alpha1.PhaseRunning).Status
	var recorded, labelled atomic.Int64
	w.watch(&v1alpha1.ValkeyList{}, "db", func(o client.Object, version int) {
		if s := o.(*v1alpha1.Valkey).Status; s.PrimaryAddress != before.PrimaryAddress && s.ReplicationID != before.ReplicationID {
			recorded.CompareAndSwap(0, int64(version))
		}
	})
	old := w.pod("0")
	w.watch(&corev1.PodList{}, "", func(o client.Object, version int) {
		if o.GetUID() != old.UID && o.GetLabels()[v1alpha1.LabelRole] == string(v1alpha1.RolePrimary) {
			labelled.CompareAndSwap(0, int64(version))
		}
	})
	if err := w.client.Delete(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	w.eventually("the new pod is the primary, on record and by its label", func() bool { return recorded.Load() > 0 && labelled.Load() > 0 })
	if recorded.Load() > labelled.Load() {
		t.Errorf("it has the label at %d and is on record at %d", labelled.Load(), recorded.Load())
	}
	if changes := w.get("db").Status.RoleChanges; len(changes) != len(before.RoleChanges) {
		t.Errorf("the changes on record are %+v, though the node is the same", changes)
	}
}

// Who asked for any other primary while none could take over has it once a roll moves the role: there is no second change.
func TestRequestForAnyIsAnsweredByAnotherChange(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](2) })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	w.kubelet.hold(func(pod *corev1.Pod) bool { return pod.Labels[v1alpha1.LabelNode] == "1" })
	w.kubelet.kill(w.pod("1"))
	w.eventually("no replica follows", func() bool { return w.get("db").Status.ReadyReplicas == 1 })
	w.update(func(v *v1alpha1.Valkey) {
		metav1.SetMetaDataAnnotation(&v.ObjectMeta, v1alpha1.AnnotationFailover, v1alpha1.FailoverAny)
		v.Spec.Resource.CPU = "150m" // a roll
	})
	w.awaitError("no replica is in sync to hand over to")
	w.kubelet.hold(func(*corev1.Pod) bool { return false })
	v := w.awaitPhase("db", v1alpha1.PhaseRunning)
	w.eventually("the request is gone", func() bool { return w.get("db").Annotations[v1alpha1.AnnotationFailover] == "" })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	if now := w.get("db").Status; now.Primary != "db-node-1" || len(now.RoleChanges) != 2 {
		t.Errorf("the primary is %s after %+v (running first with %+v); want the first and the handover of the roll", now.Primary, now.RoleChanges, v.Status.RoleChanges)
	}
}

// TestRoleChangesAreTold: each change of the primary stands in the status and in an event, with its reason and how long it
// took.
func TestRoleChangesAreTold(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](2) })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	for _, c := range []struct {
		change func()
		want   *regexp.Regexp
	}{
		{func() {
			w.update(func(v *v1alpha1.Valkey) {
				metav1.SetMetaDataAnnotation(&v.ObjectMeta, v1alpha1.AnnotationFailover, "db-node-1")
			})
		}, regexp.MustCompile(`^handover, since a person asked for it \([0-9.]+m?s\)$`)},
		{func() {
			w.kubelet.hold(func(pod *corev1.Pod) bool { return pod.Labels[v1alpha1.LabelNode] == "1" })
			w.kubelet.kill(w.pod("1"))
		}, regexp.MustCompile(`^the primary is down, and this one has the most of its data \([0-9.]+m?s\)$`)},
	} {
		before := w.get("db").Status
		c.change()
		w.eventually("another primary, and how long that took", func() bool {
			now := w.get("db").Status
			return now.Primary != before.Primary && strings.HasSuffix(now.RoleChanges[0].Reason, "s)")
		})
		now := w.get("db").Status
		if len(now.RoleChanges) != len(before.RoleChanges)+1 {
			t.Fatalf("the changes are %+v", now.RoleChanges)
		}
		last := now.RoleChanges[0]
		if last.From != before.Primary || last.To != now.Primary || !c.want.MatchString(last.Reason) {
			t.Errorf("the last change is %+v, want the reason %s", last, c.want)
		}
		note := now.Primary + " is the primary in place of " + before.Primary + ": " + last.Reason
		w.eventually("the event "+note, func() bool {
			return slices.ContainsFunc(w.eventList(), func(e eventsv1.Event) bool { return e.Reason == "PrimaryChanged" && e.Note == note })
		})
	}
}

func (w *world) eventList() []eventsv1.Event {
	w.t.Helper()
	var list eventsv1.EventList
	if err := w.client.List(w.t.Context(), &list, client.InNamespace(w.ns)); err != nil {
		w.t.Fatal(err)
	}
	return list.Items
}

// pod is the only pod of a node.
func (w *world) pod(node string) *corev1.Pod {
	w.t.Helper()
	var pods corev1.PodList
	if err := w.client.List(w.t.Context(), &pods, client.InNamespace(w.ns), client.MatchingLabels{v1alpha1.LabelNode: node}); err != nil || len(pods.Items) != 1 {
		w.t.Fatalf("node %s has %d pods: %v", node, len(pods.Items), err)
	}
	return &pods.Items[0]
}

// selection is what a Service selects by, as far as it changes, at a version of the object.
type selection struct {
	node, role string
	version    int
	at         time.Time
}

// watchService keeps what a Service selects by from now on.
func (w *world) watchService(name string) func() []selection {
	w.t.Helper()
	var mu sync.Mutex
	var seen []selection
	w.watch(&corev1.ServiceList{}, name, func(o client.Object, version int) {
		s := o.(*corev1.Service)
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, selection{s.Spec.Selector[v1alpha1.LabelNode], s.Spec.Selector[v1alpha1.LabelRole], version, time.Now()})
	})
	return func() []selection {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}

// watchRecord keeps from what version of a Valkey a node is on record as its primary.
func (w *world) watchRecord(name, node string) func() int {
	w.t.Helper()
	var since atomic.Int64
	w.watch(&v1alpha1.ValkeyList{}, name, func(o client.Object, version int) {
		if o.(*v1alpha1.Valkey).Status.Primary == node {
			since.CompareAndSwap(0, int64(version))
		}
	})
	return func() int { return int(since.Load()) }
}

// watch tells of every version of an object of a name, or of all where it is empty, from now on.
func (w *world) watch(list client.ObjectList, name string, tell func(o client.Object, version int)) {
	w.t.Helper()
	watching, err := client.NewWithWatch(w.config, client.Options{Scheme: w.client.Scheme()})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.client.List(w.t.Context(), list, client.InNamespace(w.ns)); err != nil {
		w.t.Fatal(err)
	}
	stream, err := watching.Watch(w.t.Context(), list, client.InNamespace(w.ns),
		&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}})
	if err != nil {
		w.t.Fatal(err)
	}
	go func() {
		for e := range stream.ResultChan() {
			o, ok := e.Object.(client.Object)
			if !ok || name != "" && o.GetName() != name {
				continue
			}
			version, _ := strconv.Atoi(o.GetResourceVersion())
			tell(o, version)
		}
	}()
	w.t.Cleanup(stream.Stop)
}

// labelled is the version at which the primary's label came to a node's pod.
func (w *world) labelled(node string) int {
	w.t.Helper()
	var pods corev1.PodList
	err := w.client.List(w.t.Context(), &pods, client.InNamespace(w.ns),
		client.MatchingLabels{v1alpha1.LabelNode: node, v1alpha1.LabelRole: string(v1alpha1.RolePrimary)})
	if err != nil || len(pods.Items) != 1 {
		w.t.Fatalf("%d pods of node %s carry the primary's label: %v", len(pods.Items), node, err)
	}
	version, err := strconv.Atoi(pods.Items[0].ResourceVersion)
	if err != nil {
		w.t.Fatal(err)
	}
	return version
}
