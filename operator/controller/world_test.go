//go:build integration

package controller_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/test/output"
)

func TestMain(m *testing.M) { apiserver.Main(m, endManager) }

// awkward has every character that ever broke a shell, a configuration file or a URL.
const awkward = `a"b\ #$'é`

// manager is the one of this test binary: controller-runtime takes one controller of a name in a process. It watches all
// namespaces, and tests keep apart by theirs.
var manager struct {
	sync.Once
	cancel context.CancelFunc
	err    chan error
	logs   output.Buffer
}

func endManager() {
	if manager.cancel != nil {
		manager.cancel()
		if err := <-manager.err; err != nil {
			fmt.Fprintln(os.Stderr, "manager:", err)
		}
	}
}

// world is a namespace with a kubelet, and an administrator's client.
type world struct {
	t       *testing.T
	client  client.Client
	config  *rest.Config
	ns      string
	kubelet *kubelet
}

func newWorld(t *testing.T) *world {
	t.Helper()
	config := apiserver.Start(t)
	manager.Do(func() {
		ctx, cancel := context.WithCancel(context.Background())
		manager.cancel, manager.err = cancel, make(chan error, 1)
		ctrl.SetLogger(zap.New(zap.WriteTo(&manager.logs)))
		go func() {
			manager.err <- operator.Run(ctx, config, operator.Options{
				MetricsAddress: "0", HealthAddress: "127.0.0.1:0", Dial: operator.DialPod,
			})
		}()
	})
	select {
	case err := <-manager.err:
		t.Fatalf("the manager ended: %v\n%s", err, manager.logs.String())
	default:
	}
	scheme, err := operator.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst = 1000, 2000
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, client: c, config: config, ns: apiserver.Shared(t).Namespace(t)}
	w.kubelet = startKubelet(t, c, w.ns)
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		for _, line := range strings.Split(manager.logs.String(), "\n") {
			if strings.Contains(line, w.ns) {
				t.Log(line)
			}
		}
		logs, _ := filepath.Glob(filepath.Join(w.kubelet.dir, "*.log"))
		for _, file := range logs {
			text, _ := os.ReadFile(file)
			t.Logf("%s:\n%s", filepath.Base(file), text)
		}
	})
	return w
}

// valkey makes a Valkey and takes it away at the end.
func (w *world) valkey(name string, change func(*v1alpha1.Valkey)) {
	w.t.Helper()
	v := &v1alpha1.Valkey{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns},
		Spec: v1alpha1.ValkeySpec{
			Image: "valkey/valkey:9.1", Replicas: ptr.To[int32](1), User: "root", Password: ptr.To(awkward),
			Volume:   v1alpha1.VolumeSpec{Enabled: true, Storage: "64Mi"},
			Resource: v1alpha1.ResourceSpec{Memory: "64Mi", CPU: "100m"},
		},
	}
	if change != nil {
		change(v)
	}
	if err := w.client.Create(w.t.Context(), v); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { // so that the manager has no more to do with it
		_ = w.client.Delete(context.Background(), v)
	})
}

func (w *world) get(name string) *v1alpha1.Valkey {
	w.t.Helper()
	v := &v1alpha1.Valkey{}
	if err := w.client.Get(w.t.Context(), w.key(name), v); err != nil {
		w.t.Fatal(err)
	}
	return v
}

func (w *world) key(name string) client.ObjectKey {
	return client.ObjectKey{Namespace: w.ns, Name: name}
}

func (w *world) update(change func(*v1alpha1.Valkey)) {
	w.t.Helper()
	v := w.get("db")
	before := v.DeepCopy()
	change(v)
	if err := w.client.Patch(w.t.Context(), v, client.MergeFrom(before)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) scale(replicas int32) {
	w.t.Helper()
	w.update(func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To(replicas) })
}

func (w *world) eventually(what string, holds func() bool) {
	w.t.Helper()
	deadline := time.After(40 * time.Second)
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			w.t.Fatalf("waited in vain: %s", what)
		case err := <-manager.err:
			w.t.Fatalf("the manager ended: %v", err)
		case <-tick.C:
		}
	}
}

// awaitPhase waits until the status of the present generation says the phase.
func (w *world) awaitPhase(name string, phase v1alpha1.Phase) *v1alpha1.Valkey {
	w.t.Helper()
	var v *v1alpha1.Valkey
	defer func() {
		if w.t.Failed() && v != nil {
			w.t.Logf("%s is %s: %q, %+v", name, v.Status.Status, v.Status.Error, v.Status.Nodes)
		}
	}()
	w.eventually(name+" is "+string(phase), func() bool {
		v = w.get(name)
		return v.Status.Status == phase && v.Status.ObservedGeneration == v.Generation
	})
	return v
}

func (w *world) awaitError(words string) *v1alpha1.Valkey {
	w.t.Helper()
	var v *v1alpha1.Valkey
	defer func() {
		if w.t.Failed() && v != nil {
			w.t.Logf("the error is %q", v.Status.Error)
		}
	}()
	w.eventually(fmt.Sprintf("the error says %q", words), func() bool {
		v = w.get("db")
		return strings.Contains(v.Status.Error, words)
	})
	return v
}

// objects are all objects of the namespace but events.
func (w *world) objects() []client.Object {
	w.t.Helper()
	var out []client.Object
	for _, list := range []client.ObjectList{
		&v1alpha1.ValkeyList{}, &corev1.SecretList{}, &corev1.ConfigMapList{}, &corev1.ServiceList{}, &corev1.PersistentVolumeClaimList{},
		&corev1.PodList{}, &appsv1.DeploymentList{}, &policyv1.PodDisruptionBudgetList{},
	} {
		if err := w.client.List(w.t.Context(), list, client.InNamespace(w.ns)); err != nil {
			w.t.Fatal(err)
		}
		items, err := meta.ExtractList(list)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, item := range items {
			out = append(out, item.(client.Object))
		}
	}
	return out
}

func describe(o client.Object) string { return fmt.Sprintf("%T %s", o, o.GetName()) }

// events are the notes of the events on the Valkeys of the namespace.
func (w *world) events() string {
	w.t.Helper()
	var list corev1.EventList
	if err := w.client.List(w.t.Context(), &list, client.InNamespace(w.ns)); err != nil {
		w.t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range list.Items {
		b.WriteString(e.Reason + ": " + e.Message + "\n")
	}
	return b.String()
}
