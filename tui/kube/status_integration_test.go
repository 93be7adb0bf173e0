//go:build integration

package kube_test

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
)

// setStatus writes a status as the operator does.
func setStatus(t testing.TB, server *apiserver.Server, v *v1alpha1.Valkey, status v1alpha1.ValkeyStatus) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		t.Fatal(err)
	}
	valkeys := dynamic.NewForConfigOrDie(server.Config()).Resource(v1alpha1.GroupVersion.WithResource("valkeys")).Namespace(v.Namespace)
	if _, err := valkeys.Patch(t.Context(), v.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status"); err != nil {
		t.Fatal(err)
	}
}
