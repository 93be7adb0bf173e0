// Package conditions turns what was observed of a Valkey into its status: one word, an error in words, conditions, and
// a line for each node. It is pure: it takes facts, the status before and the time, and returns the status now.
package conditions
