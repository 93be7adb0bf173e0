package apiserver

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

// shared is the one server of a test binary: a start takes seconds, so its tests share it and keep apart by namespace.
var shared struct {
	sync.Mutex
	inMain bool
	server *Server
	err    error
}

// Main runs the tests of a package and ends the shared server after them. A package that calls Start needs
//
//	func TestMain(m *testing.M) { apiserver.Main(m) }
//
// What has to end between the tests and the server, such as a manager that all tests share, is given as a function: the
// server waits for clients that watch.
func Main(m *testing.M, between ...func()) {
	shared.Lock()
	shared.inMain = true
	shared.Unlock()

	m.Run()

	for _, end := range between {
		end()
	}
	if err := endShared(); err != nil {
		fmt.Fprintln(os.Stderr, "API server:", err)
		os.Exit(1)
	}
}

func endShared() error {
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		return nil
	}
	return shared.server.end()
}

// Start returns an administrator's configuration for the shared server, which the first call starts. The caller may
// change what it gets.
func Start(t testing.TB) *rest.Config {
	t.Helper()
	return Shared(t).Config()
}

// Shared returns the server that all tests of the package share. No test may stop it: New is for that.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if !shared.inMain {
		t.Fatal("API server: the package needs `func TestMain(m *testing.M) { apiserver.Main(m) }`, or the server would outlive its tests")
	}
	if shared.server == nil && shared.err == nil {
		shared.server, shared.err = start()
	}
	if shared.err != nil {
		t.Fatalf("API server: %v", shared.err)
	}
	return shared.server
}
