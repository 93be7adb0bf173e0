//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// TestFromCreateToNothing goes the way of a first user: the command line of the original word for word, the password,
// the data, three servers, none, one, and away.
func TestFromCreateToNothing(t *testing.T) {
	t.Parallel()
	ns := newNamespace(t)
	valkeyctl(t, "create", "--name=test", "--namespace="+ns, "--image=valkey/valkey", "--user=root", "--pass=root",
		"--replicas=1", "--volume_enabled=true", "--cpu=200m", "--memory=64Mi", "--storage=128Mi")
	s := subject{t, client.ObjectKey{Namespace: ns, Name: "test"}}
	s.waitRunning()

	// valkey-cli inside the pod works with the password, and not without.
	for auth, want := range map[string]string{"root": "PONG", "wrong": "WRONGPASS", "": "NOAUTH"} {
		out := s.inPod(fmt.Sprintf("REDISCLI_AUTH='%s' valkey-cli $([ -z '%s' ] || echo --user root) ping 2>&1", auth, auth))
		if !strings.Contains(out, want) {
			t.Errorf("valkey-cli with password %q says %q, want %s", auth, out, want)
		}
	}
	s.inPod("REDISCLI_AUTH=root valkey-cli --user root set k v")

	// A key survives the pod.
	old := s.primary()
	deletePod(t, old)
	eventually(t, "another pod", func() string {
		if now := s.primary(); now.UID == old.UID {
			return now.Name + " is still there"
		}
		return ""
	})
	s.waitRunning()
	s.wantKey("after the pod was deleted")

	// Three servers, two of them linked.
	valkeyctl(t, "scale", "test", "--namespace="+ns, "--replicas=3")
	s.waitRunning()
	if out := s.inPod("REDISCLI_AUTH=root valkey-cli --user root info replication"); strings.Count(out, "state=online") != 2 {
		t.Errorf("INFO replication lists other than two linked replicas:\n%s", out)
	}

	// None, and one again.
	valkeyctl(t, "scale", "test", "--namespace="+ns, "--replicas=0")
	s.waitFor(v1alpha1.PhaseStopped)
	if pods := s.pods(); len(pods) > 0 {
		t.Errorf("stopped, and %d pods are left", len(pods))
	}
	valkeyctl(t, "scale", "test", "--namespace="+ns, "--replicas=1")
	s.waitRunning()
	s.wantKey("after stop and start")

	// Deleting leaves nothing.
	valkeyctl(t, "delete", "test", "--namespace="+ns, "--yes")
	eventually(t, "nothing left", func() string { return leftovers(t, ns) })
}

// inPod runs a line in the primary's pod, as kubectl exec does.
func (s subject) inPod(line string) string {
	s.t.Helper()
	out, err := exec.CommandContext(s.t.Context(), "kubectl", "exec", "--namespace", s.Namespace, s.primary().Name, "--", "sh", "-c", line).CombinedOutput()
	if err != nil {
		s.t.Logf("%s: %v", line, err)
	}
	return string(out)
}

func (s subject) wantKey(when string) {
	s.t.Helper()
	if out := strings.TrimSpace(s.inPod("REDISCLI_AUTH=root valkey-cli --user root get k")); out != "v" {
		s.t.Errorf("%s the key is %q", when, out)
	}
}

// leftovers names what a Valkey left behind in a namespace.
func leftovers(t testing.TB, namespace string) string {
	var left []string
	for _, list := range []client.ObjectList{
		&v1alpha1.ValkeyList{}, &appsv1.DeploymentList{}, &corev1.PodList{}, &corev1.ServiceList{}, &corev1.SecretList{},
		&corev1.PersistentVolumeClaimList{}, &policyv1.PodDisruptionBudgetList{},
	} {
		if err := kube.List(t.Context(), list, client.InNamespace(namespace)); err != nil {
			t.Fatal(err)
		}
		if n := meta.LenList(list); n > 0 {
			left = append(left, fmt.Sprintf("%d of %T", n, list))
		}
	}
	return strings.Join(left, ", ")
}

// TestNamespaceEnds is case 12 (operator): a namespace with a Valkey in it can be deleted, also where the children go
// first.
func TestNamespaceEnds(t *testing.T) {
	t.Parallel()
	ns := newNamespace(t)
	create(t, newValkey(ns, 2))
	var namespace corev1.Namespace
	if err := kube.Get(t.Context(), client.ObjectKey{Name: ns}, &namespace); err != nil {
		t.Fatal(err)
	}
	if err := kube.Delete(t.Context(), &namespace); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace is gone", func() string {
		err := kube.Get(t.Context(), client.ObjectKey{Name: ns}, &namespace)
		if apierrors.IsNotFound(err) {
			return ""
		}
		return fmt.Sprintf("%v, phase %s", err, namespace.Status.Phase)
	})
}

// TestChildrenComeBack is case 9 (operator): each kind of child that is deleted by hand is there again, and the Valkey
// serves as before.
func TestChildrenComeBack(t *testing.T) {
	t.Parallel()
	ns := newNamespace(t)
	s := create(t, newValkey(ns, 2))
	s.waitLinked(1)
	l := startLoad(s)
	for _, child := range []client.Object{
		&appsv1.Deployment{}, &corev1.Service{}, &corev1.Secret{}, &corev1.ConfigMap{}, &policyv1.PodDisruptionBudget{},
	} {
		name := s.Name
		if _, isNode := child.(*appsv1.Deployment); isNode {
			name = s.get().NodeName(1)
		}
		key := client.ObjectKey{Namespace: ns, Name: name}
		if err := kube.Get(t.Context(), key, child); err != nil {
			t.Fatalf("%T: %v", child, err)
		}
		uid := child.GetUID()
		if err := kube.Delete(t.Context(), child); err != nil {
			t.Fatalf("%T: %v", child, err)
		}
		eventually(t, fmt.Sprintf("%T is back", child), func() string {
			again := child.DeepCopyObject().(client.Object)
			if err := kube.Get(t.Context(), key, again); err != nil {
				return err.Error()
			}
			if again.GetUID() == uid {
				return "the old one is still there"
			}
			return ""
		})
	}
	s.waitRunning()
	s.waitLinked(1)
	l.findService()
	l.waitWrites(100)
	l.lostNothing()
}

// TestRetain is case 13 (operator): claims that are to be kept are kept, and a new object of the same name has the data.
func TestRetain(t *testing.T) {
	t.Parallel()
	ns := newNamespace(t)
	retain := func(v *v1alpha1.Valkey) { v.Spec.Volume.Reclaim = v1alpha1.ReclaimRetain }
	s := create(t, newValkey(ns, 3, retain))
	s.waitLinked(2)
	s.writeKey()
	v := s.get()
	if err := kube.Delete(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the object is gone", func() string {
		if err := kube.Get(t.Context(), s.ObjectKey, &v1alpha1.Valkey{}); !apierrors.IsNotFound(err) {
			return fmt.Sprint(err)
		}
		return ""
	})
	s = create(t, newValkey(ns, 3, retain))
	s.waitLinked(2)
	if got := s.mustAsk(s.service(s.Name), "GET", "k"); got != "v" {
		t.Errorf("the key is %q", got)
	}
}

// TestCauses: what goes wrong stands in status.error in words, and mending the spec heals it.
func TestCauses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*v1alpha1.Valkey)
		want   string
		mend   func(*v1alpha1.Valkey)
	}{
		"an image that is not there": {
			func(v *v1alpha1.Valkey) { v.Spec.Image, v.Spec.ImagePullPolicy = "valkey/valkey:0.0", corev1.PullNever },
			"cannot get the image valkey/valkey:0.0",
			func(v *v1alpha1.Valkey) { v.Spec.Image = image },
		},
		"a host that is not there": {
			func(v *v1alpha1.Valkey) { v.Spec.NodeSelector = map[string]string{"no-such": "host"} },
			"no host takes the pod",
			func(v *v1alpha1.Valkey) { v.Spec.NodeSelector = nil },
		},
		"a directive that the server does not know": {
			func(v *v1alpha1.Valkey) { v.Spec.Config = map[string]v1alpha1.ConfigValue{"no-such-directive": "1"} },
			"Bad directive",
			func(v *v1alpha1.Valkey) { v.Spec.Config = nil },
		},
		"a class that is not there": {
			func(v *v1alpha1.Valkey) { v.Spec.Volume.StorageClassName = ptr.To("no-such-class") },
			"no-such-class",
			nil, // a class cannot change
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newValkey(newNamespace(t), 1, c.change)
			if err := kube.Create(t.Context(), v); err != nil {
				t.Fatal(err)
			}
			s := subject{t, client.ObjectKeyFromObject(v)}
			eventually(t, "the cause in words", func() string {
				if got := s.get().Status.Error; !strings.Contains(got, c.want) {
					return fmt.Sprintf("the error is %q", got)
				}
				return ""
			})
			if c.mend == nil {
				return
			}
			s.change(c.mend)
			s.waitRunning()
			if got := s.get().Status.Error; got != "" {
				t.Errorf("it runs, and the error is still %q", got)
			}
		})
	}
}

// TestBadImageStopsTheRoll: a roll ends at its first pod, the rest serves, and going back heals it.
func TestBadImageStopsTheRoll(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 3))
	s.waitLinked(2)
	l := startLoad(s)
	s.change(func(v *v1alpha1.Valkey) { v.Spec.Image, v.Spec.ImagePullPolicy = "valkey/valkey:0.0", corev1.PullNever })
	eventually(t, "the cause in words", func() string {
		if got := s.get().Status.Error; !strings.Contains(got, "cannot get the image") {
			return fmt.Sprintf("the error is %q", got)
		}
		return ""
	})
	l.waitWrites(100)
	if v := s.get(); v.Status.ReadyReplicas != 2 {
		t.Errorf("%d of 3 servers serve, want 2", v.Status.ReadyReplicas)
	}
	s.change(func(v *v1alpha1.Valkey) { v.Spec.Image = image })
	s.waitRunning()
	l.lostNothing()
}

// TestClaimsGrow: a class that can expand does, one that cannot is said (case 6 (operator)), and the servers go on.
func TestClaimsGrow(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 1))
	s.change(func(v *v1alpha1.Valkey) { v.Spec.Volume.Storage = "256Mi" })
	eventually(t, "the claim has grown", func() string {
		var claim corev1.PersistentVolumeClaim
		if err := kube.Get(context.Background(), client.ObjectKey{Namespace: s.Namespace, Name: "x-node-0"}, &claim); err != nil {
			return err.Error()
		}
		if got := claim.Status.Capacity.Storage().String(); got != "256Mi" {
			return "its capacity is " + got
		}
		return ""
	})
	s.waitRunning()

	fixed := create(t, newValkey(newNamespace(t), 1, func(v *v1alpha1.Valkey) { v.Spec.Volume.StorageClassName = ptr.To("fixed") }))
	fixed.change(func(v *v1alpha1.Valkey) { v.Spec.Volume.Storage = "256Mi" })
	eventually(t, "the class that cannot expand is told", func() string {
		if got := fixed.get().Status.Error; !strings.Contains(got, "cannot grow") {
			return fmt.Sprintf("the error is %q", got)
		}
		return ""
	})
	fixed.waitRunning()
}
