//go:build integration

package config_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/test/apiserver"
)

func TestMain(m *testing.M) { apiserver.Main(m) }

func newClient(t *testing.T) client.Client {
	t.Helper()
	config := apiserver.Start(t)
	made, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestServerTakesWhatIsDeployed(t *testing.T) {
	server := apiserver.Shared(t)
	admin := newClient(t)
	for _, folder := range []string{"default", "namespaced", "network-policy", "samples"} {
		t.Run(folder, func(t *testing.T) {
			namespace := server.Namespace(t)
			for _, object := range build(t, folder) {
				// The CRD is there already: it is what the other tests of the API stand on.
				if object.GetKind() == "CustomResourceDefinition" {
					continue
				}
				if object.GetKind() != "Namespace" && !isClusterWide(object) {
					object.SetNamespace(namespace)
				}
				if err := admin.Create(t.Context(), object, client.DryRunAll, client.FieldValidation("Strict")); err != nil {
					t.Errorf("%s %s: %v", object.GetKind(), object.GetName(), err)
				}
			}
		})
	}
}

func isClusterWide(object *unstructured.Unstructured) bool {
	return object.GetKind() == "ClusterRole" || object.GetKind() == "ClusterRoleBinding"
}

// The namespace that is deployed enforces the level restricted, so the server itself says whether the manager's pod
// keeps to it.
func TestManagersPodIsRestricted(t *testing.T) {
	admin := newClient(t)
	objects := build(t, "default")
	namespace := only(t, objects, "Namespace")
	if err := admin.Create(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	template, _, err := unstructured.NestedMap(only(t, objects, "Deployment").Object, "spec", "template")
	if err != nil {
		t.Fatal(err)
	}
	newPod := func() *corev1.Pod {
		var pod corev1.Pod
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(template, &pod); err != nil {
			t.Fatal(err)
		}
		pod.Name, pod.Namespace = "manager", namespace.GetName()
		return &pod
	}
	if err := admin.Create(t.Context(), newPod(), client.DryRunAll); err != nil {
		t.Errorf("the manager's pod: %v", err)
	}
	loose := newPod()
	loose.Spec.Containers[0].SecurityContext = nil
	if err := admin.Create(t.Context(), loose, client.DryRunAll); err == nil {
		t.Error("the namespace takes a pod that is not restricted")
	}
}
