//go:build e2e

package e2e

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

const (
	image    = "valkey/valkey:9.1"
	user     = "root"
	password = `a"b\ #$'é`
)

// subject is one Valkey under test.
type subject struct {
	t testing.TB
	client.ObjectKey
}

// newValkey is an object as most tests want it; change may make it another.
func newValkey(namespace string, replicas int32, change ...func(*v1alpha1.Valkey)) *v1alpha1.Valkey {
	v := &v1alpha1.Valkey{
		ObjectMeta: metav1.ObjectMeta{Name: "x", Namespace: namespace},
		Spec: v1alpha1.ValkeySpec{
			Image: image, Replicas: ptr.To(replicas), User: user, Password: ptr.To(password),
			Volume:   v1alpha1.VolumeSpec{Enabled: true, Storage: "128Mi"},
			Resource: v1alpha1.ResourceSpec{CPU: "200m", Memory: "64Mi", Storage: "128Mi"},
		},
	}
	for _, c := range change {
		c(v)
	}
	return v
}

func withoutVolume(v *v1alpha1.Valkey) { v.Spec.Volume = v1alpha1.VolumeSpec{} }

// create makes a Valkey and waits until it runs.
func create(t testing.TB, v *v1alpha1.Valkey) subject {
	t.Helper()
	if err := kube.Create(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	s := subject{t, client.ObjectKeyFromObject(v)}
	s.waitRunning()
	return s
}

func (s subject) get() *v1alpha1.Valkey {
	s.t.Helper()
	v := &v1alpha1.Valkey{}
	if err := kube.Get(s.t.Context(), s.ObjectKey, v); err != nil {
		s.t.Fatal(err)
	}
	return v
}

// waitRunning waits until the status speaks of the spec as it is and says running.
func (s subject) waitRunning() {
	s.t.Helper()
	s.waitFor(v1alpha1.PhaseRunning)
}

func (s subject) waitFor(phase v1alpha1.Phase) {
	s.t.Helper()
	eventually(s.t, string("status "+phase), func() string {
		v := s.get()
		if v.Status.ObservedGeneration == v.Generation && v.Status.Status == phase {
			return ""
		}
		return fmt.Sprintf("status %q of generation %d, wanted is %d, error %q", v.Status.Status, v.Status.ObservedGeneration, v.Generation, v.Status.Error)
	})
}

// change patches the object as a person would.
func (s subject) change(do func(*v1alpha1.Valkey)) {
	s.t.Helper()
	v := s.get()
	before := v.DeepCopy()
	do(v)
	if err := kube.Patch(s.t.Context(), v, client.MergeFrom(before)); err != nil {
		s.t.Fatal(err)
	}
}

func (s subject) scale(n int32) {
	s.t.Helper()
	s.change(func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To(n) })
}

func (s subject) pods() []corev1.Pod {
	s.t.Helper()
	var list corev1.PodList
	if err := kube.List(s.t.Context(), &list, client.InNamespace(s.Namespace), client.MatchingLabels{v1alpha1.LabelInstance: s.Name}); err != nil {
		s.t.Fatal(err)
	}
	return slices.DeleteFunc(list.Items, func(p corev1.Pod) bool {
		return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
	})
}

// primary is the one pod with the primary's label.
func (s subject) primary() *corev1.Pod {
	s.t.Helper()
	var found *corev1.Pod
	eventually(s.t, "a primary", func() string {
		pods := slices.DeleteFunc(s.pods(), func(p corev1.Pod) bool { return p.Labels[v1alpha1.LabelRole] != string(v1alpha1.RolePrimary) })
		if len(pods) != 1 {
			return fmt.Sprintf("%d pods carry the label", len(pods))
		}
		found = &pods[0]
		if on := s.get().Status.PrimaryAddress; on != found.Status.PodIP {
			return fmt.Sprintf("%s carries the label, and on record is %s", found.Name, on)
		}
		return ""
	})
	return found
}

func (s subject) replicas() []corev1.Pod {
	s.t.Helper()
	return slices.DeleteFunc(s.pods(), func(p corev1.Pod) bool { return p.Labels[v1alpha1.LabelRole] != string(v1alpha1.RoleReplica) })
}

// service is the address of a Service, as clients use it.
func (s subject) service(name string) string {
	s.t.Helper()
	var svc corev1.Service
	if err := kube.Get(s.t.Context(), client.ObjectKey{Namespace: s.Namespace, Name: name}, &svc); err != nil {
		s.t.Fatal(err)
	}
	return net.JoinHostPort(svc.Spec.ClusterIP, strconv.Itoa(v1alpha1.Port))
}

// nodeOf is the index of a pod's node.
func nodeOf(t testing.TB, p *corev1.Pod) int {
	t.Helper()
	i, err := strconv.Atoi(p.Labels[v1alpha1.LabelNode])
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func address(p *corev1.Pod) string {
	return net.JoinHostPort(p.Status.PodIP, strconv.Itoa(v1alpha1.Port))
}

// ask logs in as the admin at the address, gives one command and returns the reply.
func (s subject) ask(addr string, command ...string) (string, error) {
	c, err := dial(addr, time.Second)
	if err != nil {
		return "", err
	}
	defer c.close()
	return c.do(time.Second*5, command...)
}

func (s subject) mustAsk(addr string, command ...string) string {
	s.t.Helper()
	reply, err := s.ask(addr, command...)
	if err != nil {
		s.t.Fatalf("%s at %s: %v", strings.Join(command, " "), addr, err)
	}
	return reply
}

// writeKey sets the key k to v through the Service, trying until it is taken.
func (s subject) writeKey() {
	s.t.Helper()
	eventually(s.t, "a write", func() string {
		if _, err := s.ask(s.service(s.Name), "SET", "k", "v"); err != nil {
			return err.Error()
		}
		return ""
	})
}

// waitKey waits until the Service serves what writeKey wrote.
func (s subject) waitKey() {
	s.t.Helper()
	eventually(s.t, "the key is served", func() string {
		got, err := s.ask(s.service(s.Name), "GET", "k")
		if err != nil {
			return err.Error()
		}
		if got != "v" {
			return fmt.Sprintf("it is %q", got)
		}
		return ""
	})
}

// waitLinked waits until n replicas are linked to the primary, by their own word.
func (s subject) waitLinked(n int) {
	s.t.Helper()
	eventually(s.t, fmt.Sprintf("%d linked replicas", n), func() string {
		primary, linked := s.primary(), 0
		for _, p := range s.replicas() {
			text, err := s.ask(address(&p), "INFO", "replication")
			if err != nil {
				return err.Error()
			}
			if seen := info.Parse(text); seen.IsReplicaOf(primary.Status.PodIP) && seen.LinkUp {
				linked++
			}
		}
		if linked != n {
			return fmt.Sprintf("%d are", linked)
		}
		return ""
	})
}

// askFailover asks for a failover to a node.
func askFailover(v *v1alpha1.Valkey, node string) {
	metav1.SetMetaDataAnnotation(&v.ObjectMeta, v1alpha1.AnnotationFailover, node)
}
