package screen

import (
	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/resp"
)

// Sit connects the screen From to a server of a Valkey, in place of the connection that it has.
type Sit struct {
	From ID
	Ref  kube.Ref
	Node string
}

// Seated says that a screen is connected, to which server, and what that knows; Problem says why it is not.
type Seated struct {
	To   ID
	Node string
	Role v1alpha1.Role
	// Commands are nil where the server does not tell them.
	Commands resp.Commands
	Problem  *kube.Problem
}

// Give gives a command over the connection of a screen. One at a time.
type Give struct {
	From  ID
	Words []string
}

// StopCommand ends the command that runs for a screen.
type StopCommand struct{ From ID }

// Answer is what has come of a command: with End the last of it. Then Problem says that the connection broke, Stopped that it was ended.
type Answer struct {
	To           ID
	Values       []resp.Value
	End, Stopped bool
	Problem      *kube.Problem
}
