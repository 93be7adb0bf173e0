package resp

import (
	"slices"
	"strings"

	"kuberly.io/valkey-operator/tui/clean"
)

// Effect is what a command may do to a server and its data.
type Effect int

// Effects, from the least.
const (
	Reads     Effect = iota // looks, at most
	Writes                  // changes data
	Dangerous               // may end, block, reconfigure or empty the server, or needs a look at what it does
)

// harmless are commands that a server calls dangerous, because applications have no use for them, and which only look.
var harmless = []string{
	"info", "role", "lastsave", "config|get", "config|help", "client|list", "client|info", "client|help", "slowlog|get", "slowlog|len", "slowlog|help",
	"latency|doctor", "latency|graph", "latency|histogram", "latency|history", "latency|latest", "latency|help", "acl|whoami", "acl|cat", "acl|help",
	"acl|log", "acl|list", "acl|users", "acl|getuser", "acl|dryrun", "module|list", "module|help", "cluster|info", "cluster|nodes", "cluster|shards",
	"cluster|slots", "cluster|myid", "commandlog|get", "commandlog|len", "commandlog|help", "sort_ro",
}

// heard are commands that change no data, and which others hear.
var heard = []string{"publish", "spublish"}

// Effect is what the words may do: what the server says of the command, or, where it is not known, that it is dangerous.
func (c Commands) Effect(words []string) Effect {
	command := c.Find(words)
	switch {
	case command == nil:
		return unknownEffect(words)
	case slices.Contains(harmless, command.Name):
		return Reads
	case command.has("@dangerous") || command.has("@admin") && !command.has("readonly"):
		return Dangerous
	case slices.Contains(heard, command.Name), command.has("write"), command.has("may_replicate"), command.has("@scripting") && !command.has("readonly"):
		return Writes
	default:
		return Reads
	}
}

// Why says in words why the words have the effect that they have; empty where they only look.
func (c Commands) Why(words []string) string {
	switch c.Effect(words) {
	case Writes:
		return Shown(words) + " writes"
	case Dangerous:
		if c.Find(words) == nil {
			return "what " + Shown(words) + " does is not known"
		}
		return Shown(words) + " is dangerous"
	default:
		return ""
	}
}

// unknownEffect is for a server that has not told its commands.
func unknownEffect(words []string) Effect {
	if len(words) == 0 {
		return Reads
	}
	switch name := strings.ToLower(words[0]); name {
	case "ping", "echo", "get", "mget", "exists", "ttl", "pttl", "type", "strlen", "dbsize", "hget", "hgetall", "lrange", "llen", "smembers",
		"scard", "zrange", "zcard", "info", "role", "time", "auth", "hello", "select", "command":
		return Reads
	default:
		return Dangerous
	}
}

func (c *Command) has(word string) bool {
	return slices.Contains(c.flags, word) || slices.Contains(c.categories, word)
}

// Streams says whether a command has no end: what it brings goes on until somebody stops it.
func Streams(words []string) bool {
	return len(words) > 0 && slices.Contains([]string{"subscribe", "psubscribe", "ssubscribe", "monitor"}, strings.ToLower(words[0]))
}

// AnswersByPush says whether the reply to a command comes as a push.
func AnswersByPush(words []string) bool {
	return len(words) > 0 && slices.Contains([]string{"unsubscribe", "punsubscribe", "sunsubscribe"}, strings.ToLower(words[0]))
}

// Unanswered says in words why a command cannot be given over one connection that waits for replies; empty where it can.
func Unanswered(words []string) string {
	if len(words) == 0 {
		return ""
	}
	switch strings.ToLower(words[0]) {
	case "sync", "psync":
		return "a replica's stream of data is nothing for a console"
	case "client":
		if len(words) > 1 && strings.EqualFold(words[1], "reply") {
			return "without replies a console has nothing to show"
		}
	}
	return ""
}

// Shown is what a command is called on a screen: its name, and that of its subcommand. Its arguments may be secret.
func Shown(words []string) string {
	if len(words) > 1 && slices.Contains([]string{"acl", "client", "cluster", "config", "debug", "function", "script", "module"}, strings.ToLower(words[0])) {
		words = words[:2]
	} else {
		words = words[:min(len(words), 1)]
	}
	return clean.Text(strings.ToUpper(strings.Join(words, " ")))
}

// secretDirectives are directives whose value is a password, or leads to one.
var secretDirectives = []string{"requirepass", "masterauth", "primaryauth", "tls-key-file-pass", "tls-client-key-file-pass"}

// HoldsSecret says whether the words hold a password, so that they are neither kept nor shown.
func HoldsSecret(words []string) bool {
	if len(words) == 0 {
		return false
	}
	is := func(i int, name string) bool { return len(words) > i && strings.EqualFold(words[i], name) }
	switch {
	case is(0, "auth"), is(0, "hello") && len(words) > 2, is(0, "migrate"), is(0, "acl") && is(1, "setuser"):
		return true
	case is(0, "config") && is(1, "set"):
		for i := 2; i < len(words); i += 2 {
			if slices.Contains(secretDirectives, strings.ToLower(words[i])) {
				return true
			}
		}
	}
	return false
}
