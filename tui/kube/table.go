package kube

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/tui/clean"
)

const acceptTable = "application/json;as=Table;g=meta.k8s.io;v=v1,application/json"

// fetchTable is a list as the server prints it, with its columns; rows carry the metadata of their objects.
func (c *Client) fetchTable(ctx context.Context, scope Scope, options metav1.ListOptions) (*metav1.Table, error) {
	options.LabelSelector = scope.LabelSelector
	request := c.connection().valkeys.Get().SetHeader("Accept", acceptTable).Resource(plural)
	request = request.Param("limit", fmt.Sprint(options.Limit)).Param("continue", options.Continue).Param("labelSelector", options.LabelSelector)
	if scope.Namespace != "" {
		request = request.Namespace(scope.Namespace)
	}
	data, err := request.Do(ctx).Raw()
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
