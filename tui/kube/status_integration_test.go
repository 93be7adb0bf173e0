//go:build integration

package kube_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
)

// setStatus writes a status as the operator does.
func setStatus(t testing.TB, server *apiserver.Server, v *v1alpha1.Valkey, status v1alpha1.ValkeyStatus) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	writer, err := client.New(server.Config(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	current := &v1alpha1.Valkey{}
	if err := writer.Get(t.Context(), client.ObjectKeyFromObject(v), current); err != nil {
		t.Fatal(err)
	}
	current.Status = status
	if err := writer.Status().Update(t.Context(), current); err != nil {
		t.Fatal(err)
	}
}
