package screen

import (
	"slices"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
)

// Restricted is for Restricted.
func (o OpenLogs) Restricted() (keys.Action, []string) { return keys.Logs, namespacesOf(o.Row) }

// Restricted is for Restricted.
func (o OpenScale) Restricted() (keys.Action, []string) { return keys.Scale, namespacesOf(o.Rows...) }

// Restricted is for Restricted.
func (o OpenDelete) Restricted() (keys.Action, []string) { return keys.Delete, namespacesOf(o.Rows...) }

// Restricted is for Restricted.
func (o OpenCreate) Restricted() (keys.Action, []string) { return keys.Create, []string{o.Namespace} }

// namespacesOf are the namespaces of rows, each once.
func namespacesOf(rows ...*kube.Row) []string {
	var all []string
	for _, r := range rows {
		if r != nil && !slices.Contains(all, r.Namespace) {
			all = append(all, r.Namespace)
		}
	}
	return all
}
