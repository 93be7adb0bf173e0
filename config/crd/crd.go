// Package crd holds the CustomResourceDefinition that is generated from package api/v1alpha1, for programs that need its schema
// where they may not read that of the cluster.
package crd

import _ "embed"

// Valkeys is the manifest of the CustomResourceDefinition of Valkeys, in YAML.
//
//go:embed bases/database.kuberly.io_valkeys.yaml
var Valkeys []byte
