//go:build integration

package apiserver_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kuberly.io/valkey-operator/test/apiserver"
)

func TestMain(m *testing.M) { apiserver.Main(m) }

func TestUserMayDoOnlyWhatIsGranted(t *testing.T) {
	server := apiserver.Shared(t)
	granted, other := server.Namespace(t), server.Namespace(t)
	server.Grant(t, "reader", granted, rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"list"}})
	reader := clientset(t, server.AddUser(t, "reader"))

	if _, err := reader.CoreV1().Pods(granted).List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("list pods where it is granted: %v", err)
	}
	if _, err := reader.CoreV1().Pods(other).List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("list pods elsewhere: got %v, want forbidden", err)
	}
}

func TestKubeconfigWorks(t *testing.T) {
	config := apiserver.Start(t)
	loaded, err := clientcmd.BuildConfigFromFlags("", apiserver.Kubeconfig(t, config, "default"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := clientset(t, loaded).CoreV1().Namespaces().Get(t.Context(), "default", metav1.GetOptions{}); err != nil {
		t.Errorf("through the kubeconfig: %v", err)
	}
}

func TestOutageKeepsUsersAndObjects(t *testing.T) {
	server := apiserver.New(t)
	admin := clientset(t, server.Config())
	namespace := server.Namespace(t)

	server.Stop(t)
	if _, err := admin.CoreV1().Namespaces().Get(t.Context(), namespace, metav1.GetOptions{}); err == nil {
		t.Error("the API server answers after Stop")
	}
	server.Restart(t)
	if _, err := admin.CoreV1().Namespaces().Get(t.Context(), namespace, metav1.GetOptions{}); err != nil {
		t.Errorf("the old client after Restart: %v", err)
	}
}

func TestCRDIsInstalled(t *testing.T) {
	client := clientset(t, apiserver.Start(t))
	resources, err := client.Discovery().ServerResourcesForGroupVersion("database.kuberly.io/v1alpha1")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, resource := range resources.APIResources {
		names[resource.Name] = true
	}
	for _, want := range []string{"valkeys", "valkeys/status", "valkeys/scale"} {
		if !names[want] {
			t.Errorf("%s is not served; got %v", want, names)
		}
	}
}

func clientset(t *testing.T, config *rest.Config) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestFailsWithAClearLineWhereAssetsAreUnset(t *testing.T) {
	t.Setenv("KUBEBUILDER_ASSETS", "")
	recorder := &fatal{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		apiserver.New(recorder)
	}()
	<-done
	if want := "KUBEBUILDER_ASSETS is not set"; !strings.Contains(recorder.line, want) {
		t.Errorf("got %q, want a line with %q", recorder.line, want)
	}
}

// fatal records the line of Fatalf in place of failing the test.
type fatal struct {
	testing.TB
	line string
}

func (f *fatal) Fatalf(format string, args ...any) {
	f.line = fmt.Sprintf(format, args...)
	runtime.Goexit()
}
