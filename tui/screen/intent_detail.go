package screen

import (
	"time"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/server"
)

// OpenDetail shows one Valkey; where YAML is set, its manifest first.
type OpenDetail struct {
	Row  *kube.Row
	YAML bool
}

// OpenFailover asks which node shall become the primary.
type OpenFailover struct{ Rows []*kube.Row }

// OpenRestart asks whether the servers shall be restarted, one after the other.
type OpenRestart struct{ Rows []*kube.Row }

// Restricted is for Restricted.
func (o OpenFailover) Restricted() (keys.Action, []string) {
	return keys.Failover, namespacesOf(o.Rows...)
}

// Restricted is for Restricted.
func (o OpenRestart) Restricted() (keys.Action, []string) {
	return keys.Restart, namespacesOf(o.Rows...)
}

// Failover hands over the primary of one Valkey after the other.
type Failover struct {
	From  ID
	Items []FailoverItem
}

// FailoverItem is one Valkey and the node that shall become its primary; empty for the best one.
type FailoverItem struct {
	Ref  kube.Ref
	Node string
}

// CancelFailover takes back a failover that was asked for and waits.
type CancelFailover struct {
	From ID
	Ref  kube.Ref
}

// FailoverCancelled tells whether there was a request to take back.
type FailoverCancelled struct {
	To      ID
	Waited  bool
	Problem *kube.Problem
}

// Restart rolls the servers of one Valkey after the other.
type Restart struct {
	From ID
	Refs []kube.Ref
}

// Look says what the servers of a Valkey are asked for beside what they say of themselves.
type Look struct {
	Ref  kube.Ref
	Look server.Look
}

// Reveal asks for the connection string of a Valkey with its password, for a person who wants to see it.
type Reveal struct {
	From ID
	Ref  kube.Ref
}

// Revealed is the connection string. It is a secret: it is forgotten after a few seconds.
type Revealed struct {
	To      ID
	URI     string
	Problem *kube.Problem
}

// LoadConfig asks for the configuration file that the servers of a Valkey start with.
type LoadConfig struct {
	From ID
	Ref  kube.Ref
}

// ConfigLoaded is that file, as directives and their values.
type ConfigLoaded struct {
	To      ID
	Lines   map[string]string
	Problem *kube.Problem
}

// Detail is what the cluster knows of one Valkey, for the screens that show it.
type Detail struct {
	kube.Detail
	Ref kube.Ref
	At  time.Time
}

// Readings are what the servers of one Valkey say of themselves.
type Readings struct {
	Ref  kube.Ref
	List []server.Reading
	At   time.Time
}
