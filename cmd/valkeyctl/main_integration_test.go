//go:build integration

package main

import (
	"testing"

	"kuberly.io/valkey-operator/test/apiserver"
)

func TestMain(m *testing.M) { apiserver.Main(m) }

// cluster is a kubeconfig of an administrator and a namespace of the test's own, which the kubeconfig names.
func cluster(t testing.TB) (kubeconfig, namespace string) {
	t.Helper()
	server := apiserver.Shared(t)
	namespace = server.Namespace(t)
	return apiserver.Kubeconfig(t, server.Config(), namespace), namespace
}
