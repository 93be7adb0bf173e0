// Package valkey speaks to Valkey servers: it observes them and gives them orders. It is the only package that does.
// It holds one small connection to each server where it can, knows nothing of Kubernetes objects, and decides nothing.
package valkey
