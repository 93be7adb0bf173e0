//go:build integration

package server_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/test/valkeyserver"
	"kuberly.io/valkey-operator/tui/server"
)

var update = flag.Bool("update", false, "write defaults.txt anew")

// placed are the settings that say where a server was started or by whom, or that this test's helper sets.
var placed = []string{
	"port", "bind", "dir", "save", "repl-diskless-sync-delay", "replica-announce-ip", "slave-announce-ip", "logfile", "pidfile", "aclfile",
	"availability-zone", "server-cpulist", "bio-cpulist", "proc-title-template", "locale-collate", "maxclients", "oom-score-adj-values",
}

// What is told to be the default is what a server that nobody configured says.
func TestDefaultsAreThoseOfARealServer(t *testing.T) {
	bin := valkeyserver.Default(t)
	s := bin.Start(t, valkeyserver.Options{})
	lines := strings.Split(s.CLI(t, "CONFIG", "GET", "*"), "\n")
	var settings []string
	for i := 0; i+1 < len(lines); i += 2 {
		if name := strings.TrimSpace(lines[i]); !slices.Contains(placed, name) && !strings.Contains(name, "auth") && name != "requirepass" {
			settings = append(settings, strings.TrimSpace(name+" "+strings.TrimSpace(lines[i+1])))
		}
	}
	slices.Sort(settings)
	if *update {
		if err := os.WriteFile("defaults.txt", []byte(strings.Join(settings, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	known := server.Defaults(bin.Version(t))
	if len(known) < 100 {
		t.Fatalf("%d defaults are known of version %s", len(known), bin.Version(t))
	}
	for _, line := range settings {
		name, value, _ := strings.Cut(line, " ")
		if got, found := known[name]; !found || got != value {
			t.Errorf("the default of %s is told to be %q, the server says %q", name, got, value)
		}
	}
}
