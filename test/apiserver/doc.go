// Package apiserver gives tests a real API server with the Valkey CRD installed: etcd and kube-apiserver as processes,
// no kubelet, no controllers. It owns their start, their end, their users and their outages.
//
// What follows from there being no controllers: a Deployment gets no pods, a namespace that is deleted stays
// Terminating, and an owner's children stay when the owner goes. A test plays those parts itself.
//
// The programs are taken from the folder that KUBEBUILDER_ASSETS names; a test fails, and is never left out, where it
// is unset. The package never downloads anything.
package apiserver
