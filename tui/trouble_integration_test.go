//go:build integration

package tui

import (
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

// case 4 (dashboard), the whole program: the CRD goes and comes back.
func TestTheCRDGoesAndComesBack(t *testing.T) {
	server := apiserver.New(t)
	namespace := server.Namespace(t)
	p := startScene(t, "cluster", 140, 30, "KUBECONFIG="+apiserver.Kubeconfig(t, server.Config(), namespace))
	p.sees("There is no Valkey in the namespace " + namespace)
	crds, err := dynamic.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	resource := crds.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	crd, err := resource.Get(t.Context(), "valkeys.database.kuberly.io", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := resource.Delete(t.Context(), crd.GetName(), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	p.types(ctrlR)
	p.sees("tries now")
	crd.SetResourceVersion("")
	crd.SetUID("")
	delete(crd.Object, "status")
	p.until("the CRD is made again", func() bool {
		_, err := resource.Create(t.Context(), crd, metav1.CreateOptions{})
		return err == nil
	})
	p.misses("tries now")
	p.sees("There is no Valkey in the namespace " + namespace)
}

// A user who may only look is told so before anything opens.
func TestAViewerOnARealAPIServer(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client, err := kube.NewForConfig(server.Config(), namespace)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Create(t.Context(), kube.CreateOptions{Valkey: newValkey(namespace, "app")}); err != nil {
		t.Fatal(err)
	}
	config := server.AddUser(t, "dashboard-viewer")
	server.Grant(t, "dashboard-viewer", namespace, rbacv1.PolicyRule{
		APIGroups: []string{v1alpha1.Group}, Resources: []string{"valkeys"}, Verbs: []string{"get", "list", "watch"},
	})
	p := startScene(t, "cluster", 140, 30, "KUBECONFIG="+apiserver.Kubeconfig(t, config, namespace))
	p.sees("▌  app")
	p.until("the right to delete is known to be missing", func() bool {
		p.types(ctrlD)
		isDialog := strings.Contains(p.plain(), "Type app to delete")
		if isDialog {
			p.types(escKey)
		}
		return strings.Contains(p.plain(), "you may not delete valkeys in namespace")
	})
	p.types("N")
	p.sees("may not list namespaces")
}
