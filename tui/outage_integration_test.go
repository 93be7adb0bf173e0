//go:build integration

package tui

import (
	"os"
	"testing"

	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

// cases 5, 6 and 7 (dashboard), the whole program on a real API server: nobody answers at start and later, the token has expired, the
// watch's version is forgotten. Each time a banner, the last known rows, and on without a restart.
func TestTroubleOnARealAPIServer(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client, err := kube.NewForConfig(server.Config(), namespace)
	if err != nil {
		t.Fatal(err)
	}
	create := func(name string) {
		t.Helper()
		if _, err := client.Create(t.Context(), kube.CreateOptions{Valkey: newValkey(namespace, name)}); err != nil {
			t.Fatal(err)
		}
	}
	create("app")
	w := newWire(t, server.Config())
	kubeconfig, token := w.kubeconfig(namespace)
	w.cut()
	p := startScene(t, "cluster", 140, 30, "KUBECONFIG="+kubeconfig)
	p.sees("tries now")
	p.sees("Nothing is known yet")
	w.open()
	p.sees("▌  app")
	p.misses("tries now")

	w.cut()
	p.sees("what is shown was true at")
	p.sees("▌  app")
	create("second")
	w.open()
	p.sees("second")
	p.misses("what is shown was true at")

	w.token.Store("renewed")
	w.cut()
	w.open()
	p.sees("credentials")
	p.sees("▌  app")
	if err := os.WriteFile(token, []byte("renewed"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.types(ctrlR)
	p.misses("credentials")

	// What happens while there is no watch is seen although its version is forgotten.
	w.cut()
	w.gone.Store(true)
	create("third")
	w.open()
	p.sees("third")
	p.until("the watch was told that its version is gone", func() bool { return !w.gone.Load() })
	create("fourth")
	p.sees("fourth")
	p.types("q")
	if code := p.exits(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.checkRestored()
}
