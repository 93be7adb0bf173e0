package screen

import (
	"slices"

	"kuberly.io/valkey-operator/tui/keys"
)

// ReadOnly is why nothing may be changed where the dashboard was started so.
const ReadOnly = "read-only: nothing can be changed"

// Rights are what the user may not do, as far as it is known: what is not known is tried, and the cluster decides. The root alone changes
// them, between two messages.
type Rights struct {
	// Shown are the namespaces that are shown: what may not be done in any of them is not offered.
	Shown []string

	denied map[string]map[keys.Action]string // by namespace
}

// Set notes for one namespace what may not be done there, and why.
func (r *Rights) Set(namespace string, denied map[keys.Action]string) {
	if r.denied == nil {
		r.denied = map[string]map[keys.Action]string{}
	}
	r.denied[namespace] = denied
}

// Reset forgets everything, as for another cluster.
func (r *Rights) Reset() { *r = Rights{} }

// IsKnown says whether it was asked what may be done in a namespace.
func (r *Rights) IsKnown(namespace string) bool {
	_, known := r.denied[namespace]
	return known
}

// Why says why an action may not be done in one of the namespaces; empty where it may, or where nobody knows.
func (r *Rights) Why(action keys.Action, namespaces []string) string {
	for _, namespace := range namespaces {
		if why := r.denied[namespace][action]; why != "" {
			return why
		}
	}
	return ""
}

// Offered says why an action is not offered: it may not be done in any namespace that is shown. Empty where it is.
func (r *Rights) Offered(action keys.Action) string {
	why := ""
	for _, namespace := range r.Shown {
		if why = r.denied[namespace][action]; why == "" {
			return ""
		}
	}
	return why
}

// Why says why an action is not offered now; empty where it is. Changes says of an action whether it changes the cluster.
func (e Env) Why(action keys.Action) string {
	if e.ReadOnly && Changes(action) {
		return ReadOnly
	}
	if e.Rights == nil {
		return ""
	}
	return e.Rights.Offered(action)
}

// changing are the actions that change the cluster, wherever they are pressed. The console is none: it refuses by itself the commands that
// change anything.
var changing = []keys.Action{
	keys.Scale, keys.More, keys.Less, keys.Create, keys.Delete, keys.Submit, keys.Stop,
	keys.Edit, keys.EditText, keys.Failover, keys.Restart, keys.OpenShell,
}

// Changes says whether an action changes something in the cluster.
func Changes(action keys.Action) bool { return slices.Contains(changing, action) }
