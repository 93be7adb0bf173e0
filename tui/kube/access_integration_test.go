//go:build integration

package kube_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

func TestRights(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	config := server.AddUser(t, "viewer-"+namespace)
	server.Grant(t, "viewer-"+namespace, namespace,
		rbacv1.PolicyRule{APIGroups: []string{v1alpha1.Group}, Resources: []string{"valkeys"}, Verbs: []string{"get", "list", "watch"}},
		rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods/log"}, Verbs: []string{"*"}},
		rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"secrets"}, ResourceNames: []string{"one"}, Verbs: []string{"get"}},
	)
	client := newClient(t, config)
	tests := []struct {
		action kube.Action
		want   bool
	}{
		{kube.Action{Verb: "list", Group: v1alpha1.Group, Resource: "valkeys"}, true},
		{kube.Action{Verb: "delete", Group: v1alpha1.Group, Resource: "valkeys"}, false},
		{kube.Action{Verb: "update", Group: v1alpha1.Group, Resource: "valkeys", Subresource: "scale"}, false},
		{kube.Action{Verb: "get", Resource: "pods", Subresource: "log"}, true},
		{kube.Action{Verb: "get", Resource: "pods"}, false},
		{kube.Action{Verb: "get", Resource: "secrets"}, false},
		{kube.Action{Verb: "get", Resource: "secrets", Name: "one"}, true},
	}
	actions := make([]kube.Action, len(tests))
	for i := range tests {
		actions[i] = tests[i].action
		actions[i].Namespace = namespace
	}
	answers, err := client.Rights(t.Context(), actions)
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range tests {
		if got := answers[i]; got.Allowed != test.want || !got.Allowed && !strings.Contains(got.Reason, "you may not "+test.action.Verb) {
			t.Errorf("%+v: %+v, want allowed %v", test.action, got, test.want)
		}
	}
}

func TestNamespacesAfter(t *testing.T) {
	server := apiserver.Shared(t)
	client := newClient(t, server.Config())
	names, version, err := client.NamespacesAfter(t.Context(), "")
	if err != nil || !slices.Contains(names, "default") {
		t.Fatalf("%v, %v", names, err)
	}
	ended := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _, err := client.NamespacesAfter(ctx, version)
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
		t.Fatal("it returns though nothing has changed")
	default:
	}
	made := server.Namespace(t)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	cancel()
	if names, _, err = client.NamespacesAfter(t.Context(), version); err != nil || !slices.Contains(names, made) {
		t.Errorf("%v, %v; want %s among them", names, err, made)
	}
	if _, _, err := newClient(t, server.AddUser(t, "nobody-"+made)).NamespacesAfter(t.Context(), ""); !kube.IsClass(err, kube.ClassForbidden) {
		t.Errorf("a user without rights gets %v", err)
	}
}
