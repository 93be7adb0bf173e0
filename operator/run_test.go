//go:build integration

package operator_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/test/output"
)

func TestMain(m *testing.M) { apiserver.Main(m) }

// Case 14 (operator): the manager ends with clear words where its CRD is older, or missing, and does not hang.
func TestRunRefusesAnOlderCRD(t *testing.T) {
	server := apiserver.New(t)
	c := newClient(t, server.Config())
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := c.Get(t.Context(), client.ObjectKey{Name: "valkeys.database.kuberly.io"}, crd); err != nil {
		t.Fatal(err)
	}
	status := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["status"]
	delete(status.Properties, "nodes")
	crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["status"] = status
	if err := c.Update(t.Context(), crd); err != nil {
		t.Fatal(err)
	}
	refused(t, server.Config(), "is older than this manager, it lacks status.nodes")
	if err := c.Delete(t.Context(), crd); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the CRD is gone", func() bool {
		return apierrors.IsNotFound(c.Get(t.Context(), client.ObjectKeyFromObject(crd), crd))
	})
	refused(t, server.Config(), "is not installed: run make install")
}

func refused(t *testing.T, config *rest.Config, words string) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- operator.Run(t.Context(), config, options()) }()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") {
			t.Errorf("it ends with %v, want one line that says %q", err, words)
		}
	case <-time.After(30 * time.Second):
		t.Error("it does not end")
	}
}

func options(namespaces ...string) operator.Options {
	return operator.Options{MetricsAddress: "0", HealthAddress: "127.0.0.1:0", Dial: operator.DialPod, WatchNamespaces: namespaces}
}

// Case 19 (operator): in one namespace with a Role alone the manager works, and is refused nothing that it needs.
func TestRunWithARoleAlone(t *testing.T) {
	server := apiserver.Shared(t)
	admin := newClient(t, apiserver.Start(t))
	ns, other := server.Namespace(t), server.Namespace(t)
	user := server.AddUser(t, "manager-of-"+ns)
	server.Grant(t, "manager-of-"+ns, ns, rules(t)...)

	var logs output.Buffer
	ctrl.SetLogger(zap.New(zap.WriteTo(&logs)))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- operator.Run(ctx, user, options(ns)) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the manager ended: %v", err)
		}
	})

	for _, namespace := range []string{ns, other} {
		if err := admin.Create(t.Context(), valkey(namespace)); err != nil {
			t.Fatal(err)
		}
	}
	v := &v1alpha1.Valkey{}
	eventually(t, "the status is written", func() bool {
		return admin.Get(t.Context(), client.ObjectKey{Namespace: ns, Name: "db"}, v) == nil && v.Status.Status != ""
	})
	deployment := &appsv1.Deployment{}
	eventually(t, "the node is made", func() bool {
		return admin.Get(t.Context(), client.ObjectKey{Namespace: ns, Name: "db-node-0"}, deployment) == nil
	})
	if err := admin.Delete(t.Context(), deployment); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the node is back", func() bool {
		now := &appsv1.Deployment{}
		return admin.Get(t.Context(), client.ObjectKeyFromObject(deployment), now) == nil && now.UID != deployment.UID
	})
	eventually(t, "an event is written", func() bool {
		var list corev1.EventList
		return admin.List(t.Context(), &list, client.InNamespace(ns)) == nil && len(list.Items) > 0
	})
	if err := admin.Delete(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the Valkey goes", func() bool {
		var claims corev1.PersistentVolumeClaimList // what the volume controller does
		if err := admin.List(t.Context(), &claims, client.InNamespace(ns)); err != nil {
			return false
		}
		for i := range claims.Items {
			claims.Items[i].Finalizers = nil
			if claims.Items[i].DeletionTimestamp != nil {
				_ = admin.Update(t.Context(), &claims.Items[i]) // it may be gone by now
			}
		}
		return apierrors.IsNotFound(admin.Get(t.Context(), client.ObjectKeyFromObject(v), v))
	})

	if err := admin.Get(t.Context(), client.ObjectKey{Namespace: other, Name: "db"}, v); err != nil || len(v.Finalizers) > 0 {
		t.Errorf("the Valkey of another namespace was touched: %v, %v", v.Finalizers, err)
	}
	costs := 0
	for line := range strings.Lines(logs.String()) {
		switch {
		case strings.Contains(line, "Kubernetes nodes cannot be read, so"):
			costs++
		case strings.Contains(strings.ToLower(line), "forbidden"):
			t.Errorf("it was refused something: %s", line)
		}
	}
	if costs != 1 {
		t.Errorf("it said %d times what a Role alone costs, want once", costs)
	}
}

// rules are those that config/namespaced binds in one namespace.
func rules(t *testing.T) []rbacv1.PolicyRule {
	t.Helper()
	text, err := os.ReadFile("../config/rbac/role.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict(text, &role); err != nil {
		t.Fatal(err)
	}
	return role.Rules
}

func valkey(namespace string) *v1alpha1.Valkey {
	return &v1alpha1.Valkey{
		ObjectMeta: metav1.ObjectMeta{Name: "db", Namespace: namespace},
		Spec: v1alpha1.ValkeySpec{
			Image: "valkey/valkey:9.1", Replicas: ptr.To[int32](2), User: "root", Password: ptr.To("secret"),
			Volume:   v1alpha1.VolumeSpec{Enabled: true, Storage: "64Mi"},
			Resource: v1alpha1.ResourceSpec{Memory: "64Mi", CPU: "100m"},
		},
	}
}

func newClient(t *testing.T, config *rest.Config) client.Client {
	t.Helper()
	scheme, err := operator.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	if err := apiextensionsv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(40 * time.Second)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain: %s", what)
		case <-tick.C:
		}
	}
}
