package tui

import (
	"strings"
	"testing"
)

// Where others have changed the very field that is changed here, it says whose word it is.
func TestFormSaysWhoseChangeWins(t *testing.T) {
	f := newFake(cast()...)
	s := openEdit(t, f)
	s.field("Memory")
	s.retype("1Gi")
	f.meanwhile("2Gi", "spec", "resource", "memory")
	f.meanwhile(int64(4), "spec", "replicas")
	s.press("ctrl+s")
	s.sees("▲ spec.resource.memory: 512Mi -> 2Gi, also changed here: yours wins")
	s.sees("◐ spec.replicas: 3 -> 4")
	s.misses("3 -> 4, also")
}

func TestNameIsCheckedWhileItIsTyped(t *testing.T) {
	f := newFake(cast()...)
	s := openForm(t, f)
	s.write("my-")
	s.misses("lower case letters")
	s.write("App")
	s.sees("lower case letters, digits and dashes")
	s.retype(strings.Repeat("a", 51))
	s.sees("at most 50 characters")
	s.retype("app-node-0")
	s.misses("at most 50")
	s.press("tab")
	s.sees("may not end in")
}

// A choice that reads as before is not said to be another.
func TestChoiceThatReadsAsBeforeIsNoChange(t *testing.T) {
	s := openEdit(t, newFake(cast()...))
	s.field("Volume")
	s.press("right")
	s.sees("was ")
	s.press("left")
	s.misses("was ")
	s.field("CPU")
	s.retype("many")
	s.press("tab")
	s.sees("e.g. 200m, 1 or 2.5")
}
