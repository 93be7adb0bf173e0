//go:build integration

package tui

import (
	"testing"

	"kuberly.io/valkey-operator/test/apiserver"
)

func TestMain(m *testing.M) {
	runChild()
	apiserver.Main(m)
}
