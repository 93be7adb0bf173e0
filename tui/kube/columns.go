package kube

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
)

var (
	valkeyResource = v1alpha1.GroupVersion.WithResource(plural)
	crdResource    = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

// builtin are the columns of our own CRD, for users who may not read it. A test holds them against it.
var builtin = []Column{
	{Name: "Image", Type: "string", JSONPath: ".spec.image"},
	{Name: "CPU", Type: "string", JSONPath: ".spec.resource.cpu"},
	{Name: "Memory", Type: "string", JSONPath: ".spec.resource.memory"},
	{Name: "Status", Type: "string", JSONPath: ".status.status"},
	{Name: "Error", Type: "string", JSONPath: ".status.error"},
	{Name: "Has volume", Type: "boolean", JSONPath: ".spec.volume.enabled"},
	{Name: "Volume size", Type: "string", JSONPath: ".spec.volume.storage"},
	{Name: "Replicas", Type: "integer", JSONPath: ".spec.replicas"},
	{Name: "Ready replicas", Type: "integer", JSONPath: ".status.ready_replicas"},
	{Name: "Last reconcile", Type: "date", JSONPath: ".status.last_reconcile_at"},
	{Name: "Primary", Type: "string", JSONPath: ".status.primary", Priority: 1},
	{Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp", Priority: 1},
}

// BuiltinColumns is a copy of the columns of our own CRD.
func BuiltinColumns() []Column { return slices.Clone(builtin) }

// columnSet is the columns of a list and how to print them.
type columnSet struct {
	columns  []Column
	printers []*printer
}

// newColumnSet leaves out a column whose path cannot be read.
func newColumnSet(columns []Column) *columnSet {
	set := &columnSet{}
	for _, column := range columns {
		p, err := newPrinter(column)
		if err != nil {
			continue
		}
		column.Name, column.Description = clean.Text(column.Name), clean.Text(column.Description)
		set.columns = append(set.columns, column)
		set.printers = append(set.printers, p)
	}
	return set
}

// columnsOf are the columns that the CRD declares for our version. The API server shows the age where it declares none.
func columnsOf(crd *unstructured.Unstructured) ([]Column, error) {
	var typed apiextensionsv1.CustomResourceDefinition
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(crd.Object, &typed); err != nil {
		return nil, fmt.Errorf("read the CRD: %w", err)
	}
	for i := range typed.Spec.Versions {
		version := &typed.Spec.Versions[i]
		if version.Name != v1alpha1.GroupVersion.Version {
			continue
		}
		if len(version.AdditionalPrinterColumns) == 0 {
			return []Column{{Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp"}}, nil
		}
		columns := make([]Column, len(version.AdditionalPrinterColumns))
		for j, c := range version.AdditionalPrinterColumns {
			columns[j] = Column{Name: c.Name, Type: c.Type, Format: c.Format, Description: c.Description, Priority: c.Priority, JSONPath: c.JSONPath}
		}
		return columns, nil
	}
	return nil, noCRD()
}

// isEstablished reports whether the API server serves the CRD's kind.
func isEstablished(crd *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
	for _, c := range conditions {
		if m, ok := c.(map[string]any); ok && m["type"] == string(apiextensionsv1.Established) {
			return m["status"] == string(metav1.ConditionTrue)
		}
	}
	return false
}

// describedPath is how the API server describes a column that has no description of its own.
const describedPath = "Custom resource definition column (in JSONPath format): "

// tableColumns are the columns of a Table of the server, for a user who may list Valkeys but not read the CRD. A Table names a column's
// path only in its description; a column that has another one is known by its name where it is ours, and left out where it is not.
func (c *Client) tableColumns(ctx context.Context, scope Scope) ([]Column, error) {
	table, err := c.fetchTable(ctx, scope, "", metav1.ListOptions{Limit: 1})
	if err != nil {
		return nil, err
	}
	var columns []Column
	for _, definition := range table.ColumnDefinitions {
		column := Column{Name: definition.Name, Type: definition.Type, Format: definition.Format, Priority: definition.Priority}
		if path, ok := strings.CutPrefix(definition.Description, describedPath); ok {
			column.JSONPath = path
		} else if i := slices.IndexFunc(builtin, func(b Column) bool { return b.Name == column.Name && b.Type == column.Type }); i >= 0 {
			column.JSONPath, column.Description = builtin[i].JSONPath, definition.Description
		}
		if column.JSONPath != "" {
			columns = append(columns, column)
		}
	}
	if len(columns) == 0 {
		return BuiltinColumns(), nil
	}
	return columns, nil
}
