//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

const managerNamespace = "valkey-operator-system"

// These tests take the manager away. They are not parallel, so they run before those that need it.

// scaleManager sets the number of managers in the cluster and waits until it is so.
func scaleManager(t *testing.T, n int32) {
	t.Helper()
	key := client.ObjectKey{Namespace: managerNamespace, Name: "valkey-operator-controller-manager"}
	var d appsv1.Deployment
	if err := kube.Get(t.Context(), key, &d); err != nil {
		t.Fatal(err)
	}
	before := d.DeepCopy()
	d.Spec.Replicas = ptr.To(n)
	if err := kube.Patch(t.Context(), &d, client.MergeFrom(before)); err != nil {
		t.Fatal(err)
	}
	eventually(t, fmt.Sprintf("%d managers", n), func() string {
		if err := kube.Get(t.Context(), key, &d); err != nil {
			return err.Error()
		}
		if d.Status.ObservedGeneration < d.Generation || d.Status.Replicas != n || d.Status.ReadyReplicas != n {
			return fmt.Sprintf("%d, %d ready", d.Status.Replicas, d.Status.ReadyReplicas)
		}
		return ""
	})
}

// TestManagerOutside runs the manager as make run does, on a machine that reaches the servers only through the API
// server, for one namespace.
func TestManagerOutside(t *testing.T) {
	scaleManager(t, 0)
	defer scaleManager(t, 2)
	ns := newNamespace(t)
	var log bytes.Buffer
	manager := exec.Command(binary("manager"), "--valkey-dial=apiserver", "--watch-namespace="+ns,
		"--health-probe-bind-address=127.0.0.1:0", "--metrics-bind-address=0")
	manager.Stdout, manager.Stderr = &log, &log
	if err := manager.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = manager.Process.Signal(syscall.SIGTERM)
		if err := manager.Wait(); err != nil {
			t.Errorf("the manager ends with %v\n%s", err, log.String())
		}
		if t.Failed() {
			t.Log(log.String())
		}
		if strings.Contains(log.String(), password) {
			t.Error("the password is in the log")
		}
	}()
	s := create(t, newValkey(ns, 2))
	s.waitLinked(1)
	s.requestFailover()
	eventually(t, "node 1 is the primary", func() string {
		if v := s.get(); v.Status.Primary != v.NodeName(1) {
			return v.Status.Primary + " is"
		}
		return ""
	})
	s.waitRunning()
	if err := kube.Delete(t.Context(), s.get()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "nothing left", func() string { return leftovers(t, ns) })
}

// TestManagerAway: while no manager runs, for a minute, servers serve on and a standalone restarts by itself; what was asked for
// meanwhile is done when one is back.
func TestManagerAway(t *testing.T) {
	alone, three := create(t, newValkey(newNamespace(t), 1)), create(t, newValkey(newNamespace(t), 3))
	three.waitLinked(2)
	alone.writeKey()
	l := startLoad(three)
	scaleManager(t, 0)
	defer scaleManager(t, 2)

	signal(t, alone.primary(), syscall.SIGKILL)
	alone.waitKey() // without an operator
	for away := time.Now(); time.Since(away) < time.Minute; {
		l.waitWrites(100)
	}
	old := three.primary()
	signal(t, old, syscall.SIGKILL) // nobody is there to promote another
	three.change(func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](2) })
	scaleManager(t, 2)
	three.waitRunning()
	three.waitLinked(1)
	l.waitWrites(100)
	r := l.finish()
	if r.lost > r.acked/5 {
		t.Errorf("%d of %d acknowledged writes are gone", r.lost, r.acked)
	}
}
