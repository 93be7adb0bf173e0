// Package kube is the only package of the dashboard that speaks to Kubernetes. It owns the live list of Valkeys (Store), the
// actions on them (Client), their logs (LogStream), and the words in which errors of a cluster are told (Explain).
// All text that it hands out has been cleaned (package clean). It never draws, and it never speaks to a Valkey.
package kube
