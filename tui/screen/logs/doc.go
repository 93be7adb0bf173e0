// Package logs is the merged log of all pods of one Valkey. It owns which lines are shown and how; the lines come to it as
// messages, a colour for each node. It makes no API call.
package logs
