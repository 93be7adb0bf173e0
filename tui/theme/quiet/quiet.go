// Package quiet keeps the start of the program from asking the terminal for its background colour, which stalls for
// seconds where nobody answers (SSH, multiplexers, slow links). It owns nothing else, and it must import nothing but syscall.
//
// bubbletea v1 asks in its init function. Go initializes packages in the order of their import paths as soon as their own
// imports are done; this package needs syscall alone, while everything that can ask needs os, which comes later. So its init
// function runs first, and lets termenv believe that it runs in CI, where it asks nothing. Restore undoes that.
package quiet

import "syscall"

const variable = "CI"

var changed, found bool

func init() {
	var value string
	if value, found = syscall.Getenv(variable); value != "" {
		return
	}
	changed = syscall.Setenv(variable, "true") == nil
}

// Restore takes back what init did to the environment. Package theme calls it in its own init function, which runs
// after that of bubbletea.
func Restore() {
	if !changed {
		return
	}
	changed = false
	// Neither can fail for a constant, valid name.
	if found {
		_ = syscall.Setenv(variable, "")
		return
	}
	_ = syscall.Unsetenv(variable)
}
