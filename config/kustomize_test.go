// Package config_test checks the manifests that `make deploy` applies: that they build, that no role may more than it
// needs, and that a real API server takes them. The folder holds no code.
package config_test

import (
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// build returns the objects of a kustomization, e.g. build(t, "default").
func build(t *testing.T, folder string) []*unstructured.Unstructured {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		t.Fatalf("build %s: %v", folder, err)
	}
	var objects []*unstructured.Unstructured
	for _, resource := range built.Resources() {
		content, err := resource.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(content); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object)
	}
	if len(objects) == 0 {
		t.Fatalf("%s is empty", folder)
	}
	return objects
}

// roles returns the rules of all roles, by the role's name.
func roles(t *testing.T, objects []*unstructured.Unstructured) map[string][]rbacv1.PolicyRule {
	t.Helper()
	found := map[string][]rbacv1.PolicyRule{}
	for _, object := range objects {
		if kind := object.GetKind(); kind != "Role" && kind != "ClusterRole" {
			continue
		}
		var role rbacv1.ClusterRole
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &role); err != nil {
			t.Fatal(err)
		}
		found[role.Name] = role.Rules
	}
	return found
}

func TestNoRoleHasAWildcardOrAWayUp(t *testing.T) {
	found := roles(t, build(t, "default"))
	if len(found) < 8 {
		t.Fatalf("only %d roles: is the test still looking at the right place?", len(found))
	}
	for name, rules := range found {
		for _, rule := range rules {
			for _, word := range slices.Concat(rule.APIGroups, rule.Resources, rule.Verbs, rule.NonResourceURLs) {
				if strings.Contains(word, "*") {
					t.Errorf("%s has a wildcard: %v", name, rule)
				}
			}
			for _, verb := range []string{"escalate", "bind", "impersonate", "deletecollection"} {
				if slices.Contains(rule.Verbs, verb) {
					t.Errorf("%s may %s: %v", name, verb, rule)
				}
			}
			for _, resource := range []string{"pods/exec", "pods/attach", "pods/portforward", "serviceaccounts/token", "roles", "clusterroles"} {
				if slices.Contains(rule.Resources, resource) {
					t.Errorf("%s reaches %s: %v", name, resource, rule)
				}
			}
		}
	}
}

func TestPeoplesRolesReadNoSecret(t *testing.T) {
	found := roles(t, build(t, "default"))
	for _, name := range []string{"valkey-operator-viewer-role", "valkey-operator-editor-role", "valkey-operator-dashboard-role"} {
		rules, ok := found[name]
		if !ok {
			t.Errorf("there is no role %s", name)
		}
		for _, rule := range rules {
			if slices.Contains(rule.Resources, "secrets") {
				t.Errorf("%s reads Secrets: %v", name, rule)
			}
		}
	}
}

func TestWhoMayLookMayChangeNothing(t *testing.T) {
	found := roles(t, build(t, "default"))
	for _, name := range []string{"valkey-operator-viewer-role", "valkey-operator-dashboard-role"} {
		for _, rule := range found[name] {
			for _, verb := range rule.Verbs {
				if !slices.Contains([]string{"get", "list", "watch"}, verb) {
					t.Errorf("%s may %s: %v", name, verb, rule)
				}
			}
		}
	}
}

func TestOneNamespaceNeedsNothingClusterWide(t *testing.T) {
	for _, object := range build(t, "namespaced") {
		if object.GetNamespace() == "" {
			t.Errorf("%s %s is for the whole cluster", object.GetKind(), object.GetName())
		}
		if object.GetKind() == "RoleBinding" {
			if kind, _, _ := unstructured.NestedString(object.Object, "roleRef", "kind"); kind != "Role" {
				t.Errorf("RoleBinding %s refers to a %s", object.GetName(), kind)
			}
		}
	}
}

// The flags are given by position in a patch: a flag added before them must not shift what it replaces.
func TestOneNamespaceIsWatchedAlone(t *testing.T) {
	for folder, want := range map[string][]string{
		"default":    {"--leader-elect", "--health-probe-bind-address=:8081", "--metrics-bind-address=:8443"},
		"namespaced": {"--leader-elect", "--health-probe-bind-address=:8081", "--metrics-bind-address=0", "--watch-namespace=$(POD_NAMESPACE)"},
	} {
		t.Run(folder, func(t *testing.T) {
			container := managerContainer(t, build(t, folder))
			got, _, err := unstructured.NestedStringSlice(container, "args")
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("flags are %q (%v), want %q", got, err, want)
			}
		})
	}
}

func TestOptionalPartsBuild(t *testing.T) {
	for _, folder := range []string{"prometheus", "network-policy", "samples", "crd"} {
		build(t, folder)
	}
}

func managerContainer(t *testing.T, objects []*unstructured.Unstructured) map[string]any {
	t.Helper()
	deployment := only(t, objects, "Deployment")
	containers, _, err := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers")
	if err != nil || len(containers) != 1 {
		t.Fatalf("the manager's containers: %v (%v)", containers, err)
	}
	container, _ := containers[0].(map[string]any)
	return container
}

func only(t *testing.T, objects []*unstructured.Unstructured, kind string) *unstructured.Unstructured {
	t.Helper()
	var found *unstructured.Unstructured
	for _, object := range objects {
		if object.GetKind() == kind {
			if found != nil {
				t.Fatalf("more than one %s", kind)
			}
			found = object
		}
	}
	if found == nil {
		t.Fatalf("no %s", kind)
	}
	return found
}
