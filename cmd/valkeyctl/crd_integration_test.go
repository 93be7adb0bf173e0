//go:build integration

package main

import (
	"testing"

	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// removeCRD removes the CRD and waits until it is gone.
func removeCRD(t testing.TB, config *rest.Config) {
	t.Helper()
	crds := apiextensionsclient.NewForConfigOrDie(config).ApiextensionsV1().CustomResourceDefinitions()
	const name = "valkeys.database.kuberly.io"
	if err := crds.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	stream, err := crds.Watch(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Stop()
	if _, err := crds.Get(t.Context(), name, metav1.GetOptions{}); apierrors.IsNotFound(err) {
		return
	}
	for event := range stream.ResultChan() {
		if event.Type == "DELETED" {
			return
		}
	}
	t.Fatal("the watch of the CRD has ended")
}
