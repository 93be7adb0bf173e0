package screen

import (
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
)

// OpenLogs shows the log of a Valkey, of some of its servers, or of the operator: what it says of a Valkey, or all.
type OpenLogs struct {
	Row      *kube.Row // nil for all of the operator's
	Nodes    []string  // none for all
	Operator bool
}

// ReadLog begins to read a log for the screen From, in place of what is read for it.
type ReadLog struct {
	From     ID
	Ref      kube.Ref
	Operator bool
	Options  kube.LogOptions
}

// OpenConsole sits down at a server of a Valkey, with Valkey commands.
type OpenConsole struct{ Row *kube.Row }

// Restricted is for Restricted.
func (o OpenConsole) Restricted() (keys.Action, []string) {
	return keys.OpenConsole, namespacesOf(o.Row)
}

// OpenShell runs a shell in a server's container of a Valkey.
type OpenShell struct{ Row *kube.Row }

// Restricted is for Restricted.
func (o OpenShell) Restricted() (keys.Action, []string) { return keys.OpenShell, namespacesOf(o.Row) }

// OpenCopy asks what of a Valkey is copied.
type OpenCopy struct{ Row *kube.Row }

// Copy puts a text into the terminal's clipboard.
type Copy struct {
	// What it is in words, for what is said of it.
	What string
	Text string
	// Newest says that the end of the text matters, where it is too long.
	Newest bool
}
