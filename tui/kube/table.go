package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/clean"
)

const acceptTable = "application/json;as=Table;g=meta.k8s.io;v=v1,application/json"

// Table is what `kubectl get` prints: the list, or the named Valkeys, as the server prints them, cleaned. Each row carries the metadata of
// its object.
func (c *Client) Table(ctx context.Context, scope Scope, names ...string) (*metav1.Table, error) {
	if len(names) > 0 {
		return c.namedTable(ctx, scope, names)
	}
	var all *metav1.Table
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := c.fetchTable(ctx, scope, "", options)
		if err != nil {
			return nil, c.failed(err)
		}
		if all == nil {
			all = page
		} else {
			all.Rows = append(all.Rows, page.Rows...)
		}
		if options.Continue = page.Continue; options.Continue == "" {
			return all, explained(tidyTable(all))
		}
	}
}

// namedTable is the table of single objects. Those that are there are returned also where others are not: the error tells of the first.
func (c *Client) namedTable(ctx context.Context, scope Scope, names []string) (*metav1.Table, error) {
	var all *metav1.Table
	var first error
	for _, name := range names {
		table, err := c.fetchTable(ctx, scope, name, metav1.ListOptions{})
		switch {
		case err != nil && first == nil:
			first = explainedFor(c.failed(err), Ref{Namespace: scope.Namespace, Name: name})
		case err != nil:
		case all == nil:
			all = table
		default:
			all.Rows = append(all.Rows, table.Rows...)
		}
	}
	if all == nil {
		return nil, first
	}
	if err := tidyTable(all); err != nil {
		return nil, explained(err)
	}
	return all, first
}

// fetchTable is one page of a list, or one object, as the server prints it.
func (c *Client) fetchTable(ctx context.Context, scope Scope, name string, options metav1.ListOptions) (*metav1.Table, error) {
	request := c.connection().valkeys.Get().SetHeader("Accept", acceptTable).Resource(plural)
	if scope.Namespace != "" {
		request = request.Namespace(scope.Namespace)
	}
	if name != "" {
		request = request.Name(name)
	} else {
		request = request.Param("limit", strconv.FormatInt(options.Limit, 10)).Param("continue", options.Continue).
			Param("labelSelector", scope.LabelSelector)
	}
	result := request.Do(ctx)
	if err := result.Error(); err != nil { // Raw alone would not read what the server says
		return nil, err
	}
	data, err := result.Raw()
	if err != nil {
		return nil, err
	}
	table := &metav1.Table{}
	if err := json.Unmarshal(data, table); err != nil {
		return nil, fmt.Errorf("read the server's table: %w", err)
	}
	if table.Kind != "Table" {
		return nil, fmt.Errorf("the server sent %s instead of a table", clean.Text(table.Kind))
	}
	return table, nil
}

// tidyTable cleans the cells and decodes the metadata of the rows, which a printer needs for the namespace.
func tidyTable(table *metav1.Table) error {
	for i := range table.Rows {
		row := &table.Rows[i]
		meta := &metav1.PartialObjectMetadata{}
		if err := json.Unmarshal(row.Object.Raw, meta); err != nil {
			return fmt.Errorf("read the server's table: %w", err)
		}
		meta.Namespace, meta.Name = clean.Text(meta.Namespace), clean.Text(meta.Name)
		row.Object.Raw, row.Object.Object = nil, meta
		for j, cell := range row.Cells {
			switch value := cell.(type) {
			case string:
				row.Cells[j] = firstLine(value)
			case float64:
				if column := table.ColumnDefinitions[j]; column.Type == "integer" {
					row.Cells[j] = int64(value)
				}
			}
		}
	}
	for i := range table.ColumnDefinitions {
		table.ColumnDefinitions[i].Name = clean.Text(table.ColumnDefinitions[i].Name)
	}
	return nil
}

// TableOf is rows of a Store in the shape of a server's table.
func TableOf(columns []Column, rows []*Row) *metav1.Table {
	table := &metav1.Table{ColumnDefinitions: []metav1.TableColumnDefinition{{Name: "Name", Type: "string", Format: "name"}}}
	for _, c := range columns {
		table.ColumnDefinitions = append(table.ColumnDefinitions, metav1.TableColumnDefinition{
			Name: c.Name, Type: c.Type, Format: c.Format, Description: c.Description, Priority: c.Priority,
		})
	}
	for _, row := range rows {
		cells := make([]any, 1, 1+len(row.Cells))
		cells[0] = row.Name
		for _, cell := range row.Cells {
			cells = append(cells, cell.Text)
		}
		meta := &metav1.PartialObjectMetadata{}
		meta.Namespace, meta.Name = row.Namespace, row.Name
		r := metav1.TableRow{Cells: cells}
		r.Object.Object = meta
		table.Rows = append(table.Rows, r)
	}
	return table
}

// Objects are the Valkeys of the scope with every field that the cluster has; see Object.
func (c *Client) Objects(ctx context.Context, scope Scope, reveal bool) (*unstructured.UnstructuredList, error) {
	all := c.connection().dynamic.Resource(valkeyResource)
	options := metav1.ListOptions{Limit: pageSize, LabelSelector: scope.LabelSelector}
	result := &unstructured.UnstructuredList{}
	for {
		page, err := all.Namespace(scope.Namespace).List(ctx, options)
		if err != nil {
			return nil, c.failed(err)
		}
		for i := range page.Items {
			Tidy(&page.Items[i], reveal)
		}
		result.Items = append(result.Items, page.Items...)
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return result, nil
		}
	}
}

// Names are the names of the Valkeys of a namespace, for completion.
func (c *Client) Names(ctx context.Context, namespace string) ([]string, error) {
	list, err := c.connection().metadata.Resource(valkeyResource).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, c.failed(err)
	}
	names := make([]string, len(list.Items))
	for i := range list.Items {
		names[i] = clean.Text(list.Items[i].Name)
	}
	return names, nil
}
