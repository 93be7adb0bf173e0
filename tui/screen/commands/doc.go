// Package commands is the screen on which Valkey commands are given to one server: a line to type in, with history, completion and the syntax
// of the command, below what was answered so far. It speaks to no server itself.
package commands
