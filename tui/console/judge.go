package console

import (
	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/resp"
)

// Judge says of a command whether it is refused, because nothing may be changed, or is to be asked about: because it is dangerous, or writes to
// a replica. Both are empty for one that is simply given.
func Judge(commands resp.Commands, words []string, node string, role v1alpha1.Role, readOnly bool) (refusal, question string) {
	effect := commands.Effect(words)
	switch {
	case readOnly && effect != resp.Reads:
		return "read-only: " + commands.Why(words) + ", and nothing can be changed", ""
	case effect == resp.Dangerous:
		return "", commands.Why(words) + ". Do it on " + node + "?"
	case effect == resp.Writes && role == v1alpha1.RoleReplica:
		return "", node + " is a replica: what is written there is lost, if it is taken at all. Write?"
	default:
		return "", ""
	}
}
