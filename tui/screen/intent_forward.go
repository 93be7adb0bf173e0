package screen

import (
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
)

// OpenForward leads a port of this machine to a server of the Valkey; where to is asked.
type OpenForward struct{ Row *kube.Row }

// Restricted is for Restricted.
func (o OpenForward) Restricted() (keys.Action, []string) { return keys.Forward, namespacesOf(o.Row) }

// OpenForwards shows the ports that lead somewhere now.
type OpenForwards struct{}

// StartForward leads a port to the server Node of a Valkey, or where that is empty to its primary. A Local of 0 is Valkey's own
// port, or where that is taken a free one.
type StartForward struct {
	From  ID
	Ref   kube.Ref
	Node  string
	Local int
}

// StopForward ends one with all its connections.
type StopForward struct{ ID uint64 }

// ForwardRefused says why a port could not be taken.
type ForwardRefused struct {
	To      ID
	Wish    StartForward
	Problem *kube.Problem
}

// Forwards are those that there are, the newest last.
type Forwards struct{ List []Forward }

// Forward is one of them.
type Forward struct {
	ID     uint64
	Status kube.ForwardStatus
	// End says why it has ended by itself; nil while it goes on.
	End *kube.Problem
}
