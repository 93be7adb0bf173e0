// Package controller brings the cluster to what each Valkey wants. It is the only package of the operator that reads
// or writes Kubernetes. It gathers facts, lets the pure packages decide (resources, plan, conditions), and carries out
// what they decided; a reconcile is a short list of phases over one scope, and ends with one status patch.
package controller
