// Package operator runs the manager: it builds the scheme, the cache and the controller, and serves health and metrics.
// It decides nothing about a Valkey; the packages below it do.
package operator
