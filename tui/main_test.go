//go:build !integration

package tui

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	runChild()
	// The tick that hides a password again ends by itself.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/charmbracelet/bubbletea.Tick.func1"))
}
