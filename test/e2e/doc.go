// Package e2e tests the product against a real cluster: real pods, real servers, real faults. It runs in the network
// namespace of the cluster's first node (go test -exec "sandbox exec --"), so that Services and pods are reached as an
// application reaches them. It owns the namespaces that it makes and touches no others.
package e2e
