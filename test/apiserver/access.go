package apiserver

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	typedrbacv1 "k8s.io/client-go/kubernetes/typed/rbac/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Namespace makes a namespace with a name of its own and returns the name. It is not deleted: without a namespace
// controller its objects would stay anyway. So a test that runs a manager gives it the namespace to watch.
func (s *Server) Namespace(t testing.TB) string {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	made, err := s.clientset(t).CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("create a namespace: %v", err)
	}
	return made.Name
}

// AddUser returns the configuration of a user who may do nothing but what Grant gives.
func (s *Server) AddUser(t testing.TB, name string, groups ...string) *rest.Config {
	t.Helper()
	user, err := s.env.AddUser(envtest.User{Name: name, Groups: groups}, &rest.Config{QPS: 1000, Burst: 2000})
	if err != nil {
		t.Fatalf("add user %s: %v", name, err)
	}
	return rest.CopyConfig(user.Config())
}

// Grant gives a user rules in a namespace, by a Role, or everywhere where the namespace is empty. It returns when the API
// server goes by them: its authorizer reads roles from a cache, and would refuse for a moment what was just granted. The
// first rule is what it asks for, so that one must be of a resource, and nothing that the user had before.
func (s *Server) Grant(t testing.TB, user, namespace string, rules ...rbacv1.PolicyRule) {
	t.Helper()
	client := s.clientset(t)
	bind(t, client.RbacV1(), user, namespace, rules)
	rule := rules[0]
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: user,
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: namespace, Verb: rule.Verbs[0], Group: rule.APIGroups[0], Resource: rule.Resources[0],
		},
	}}
	if len(rule.ResourceNames) > 0 {
		review.Spec.ResourceAttributes.Name = rule.ResourceNames[0]
	}
	err := wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		answer, err := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		return err == nil && answer.Status.Allowed, err
	})
	if err != nil {
		t.Fatalf("wait until %s may %s %s: %v", user, rule.Verbs[0], rule.Resources[0], err)
	}
}

// bind makes the role of the rules and binds it to the user.
func bind(t testing.TB, rbac typedrbacv1.RbacV1Interface, user, namespace string, rules []rbacv1.PolicyRule) {
	t.Helper()
	meta := metav1.ObjectMeta{GenerateName: "test-", Namespace: namespace}
	subjects := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}}
	ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName}
	if namespace == "" {
		role, err := rbac.ClusterRoles().Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: meta, Rules: rules}, metav1.CreateOptions{})
		if err != nil {
			t.Fatalf("create a ClusterRole for %s: %v", user, err)
		}
		ref.Kind, ref.Name = "ClusterRole", role.Name
		binding := &rbacv1.ClusterRoleBinding{ObjectMeta: meta, Subjects: subjects, RoleRef: ref}
		if _, err := rbac.ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
			t.Fatalf("bind a ClusterRole to %s: %v", user, err)
		}
		return
	}
	role, err := rbac.Roles(namespace).Create(t.Context(), &rbacv1.Role{ObjectMeta: meta, Rules: rules}, metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("create a Role for %s: %v", user, err)
	}
	ref.Kind, ref.Name = "Role", role.Name
	binding := &rbacv1.RoleBinding{ObjectMeta: meta, Subjects: subjects, RoleRef: ref}
	if _, err := rbac.RoleBindings(namespace).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatalf("bind a Role to %s: %v", user, err)
	}
}

// Kubeconfig writes the configuration to a kubeconfig file that lives as long as the test, and returns its path. Its
// one context is named "test" and has the namespace given.
func Kubeconfig(t testing.TB, config *rest.Config, namespace string) string {
	t.Helper()
	const name = "test"
	file := clientcmdapi.NewConfig()
	file.Clusters[name] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	file.AuthInfos[name] = &clientcmdapi.AuthInfo{ClientCertificateData: config.CertData, ClientKeyData: config.KeyData}
	file.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name, Namespace: namespace}
	file.CurrentContext = name
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*file, path); err != nil {
		t.Fatalf("write a kubeconfig: %v", err)
	}
	return path
}

func (s *Server) clientset(t testing.TB) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(s.env.Config)
	if err != nil {
		t.Fatalf("clientset: %v", err)
	}
	return client
}
