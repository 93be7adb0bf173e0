// Package valkeyserver starts real valkey-server processes for tests, on loopback addresses only. Each ends with its
// test. It knows nothing of Kubernetes and nothing of the operator.
package valkeyserver
