//go:build integration

package v1alpha1_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// owned are the directives that the operator keeps to itself, each with the words that say why.
var owned = map[string][]string{
	"where a server listens is fixed": {
		"port", "bind", "bind-source-addr", "protected-mode", "unixsocket", "unixsocketperm", "unixsocketgroup",
	},
	"users and passwords come from spec.user and spec.password or spec.passwordSecretRef": {
		"user", "aclfile", "acl-pubsub-default", "requirepass", "masterauth", "primaryauth", "masteruser", "primaryuser",
	},
	"replication follows from spec.replicas": {
		"replicaof", "slaveof", "replica-read-only", "slave-read-only", "replica-announced", "replica-announce-ip",
		"replica-announce-port", "slave-announce-ip", "slave-announce-port", "repl-ping-replica-period",
		"repl-ping-slave-period", "min-replicas-to-write", "min-replicas-max-lag", "min-slaves-to-write",
		"min-slaves-max-lag",
	},
	"how a server starts, ends and where it writes is fixed": {
		"dir", "dbfilename", "appendfilename", "appenddirname", "daemonize", "pidfile", "supervised", "logfile",
		"syslog-enabled", "shutdown-on-sigterm", "shutdown-timeout",
	},
	"it would let a client past what the operator sets": {
		"include", "loadmodule", "rename-command", "enable-protected-configs", "enable-module-command",
		"enable-debug-command",
	},
}

const refusedPrefixes = "spec.config: Invalid value: directives that start with cluster-, tls- or rdma- are refused: cluster mode, TLS and RDMA are not supported"

func TestCreateConfig(t *testing.T) {
	const badName = "spec.config: Invalid value: the name of a directive is lower case letters, digits and dashes, at most 64"
	cases := verdicts{
		"the user's own":      {config(map[string]any{"save": `""`, "appendonly": "no", "maxmemory": "100mb", "maxmemory-policy": "allkeys-lru"}), ""},
		"empty":               {config(map[string]any{}), ""},
		"128 directives":      {config(directives(128)), ""},
		"129 directives":      {config(directives(129)), "spec.config: Too many: 129: must have at most 128 items"},
		"a name of 64":        {config(map[string]any{strings.Repeat("a", 64): "1"}), ""},
		"a name of 65":        {config(map[string]any{strings.Repeat("a", 65): "1"}), badName},
		"a name in capitals":  {config(map[string]any{"PORT": "1"}), badName},
		"a name with a space": {config(map[string]any{"save 1": "1"}), badName},
		"a name with a line":  {config(map[string]any{"save\nport": "1"}), badName},
		"an empty name":       {config(map[string]any{"": "1"}), badName},
		"a comment":           {config(map[string]any{"#": "1"}), badName},
		"a value of 1024":     {config(map[string]any{"save": strings.Repeat("1", 1024)}), ""},
		"a value of 1025":     {config(map[string]any{"save": strings.Repeat("1", 1025)}), "spec.config.save: Too long: may not be more than 1024 bytes"},
		"a second line":       {config(map[string]any{"save": "1 1\nport 1"}), `spec.config.save: Invalid value: "1 1\nport 1": spec.config.save in body should match '^[^\n\r\x00]*$'`},
		"a carriage return":   {config(map[string]any{"save": "1\r1"}), `spec.config.save: Invalid value: "1\r1": spec.config.save in body should match '^[^\n\r\x00]*$'`},
		"cluster mode":        {config(map[string]any{"cluster-enabled": "yes"}), refusedPrefixes},
		"TLS":                 {config(map[string]any{"tls-port": "1"}), refusedPrefixes},
		"RDMA":                {config(map[string]any{"rdma-port": "1"}), refusedPrefixes},
		"one of many refused": {config(map[string]any{"save": "1 1", "dir": "/", "timeout": "1"}), refusal("dir", "how a server starts, ends and where it writes is fixed")},
		"two kinds refused":   {config(map[string]any{"dir": "/", "port": "1"}), refusal("port", "where a server listens is fixed")},
	}
	for why, names := range owned {
		for _, name := range names {
			cases[name] = verdict{config(map[string]any{name: "1"}), refusal(name, why)}
		}
	}
	checkCreate(t, cases)
}

func TestUpdateConfig(t *testing.T) {
	client := valkeys(t)
	made, err := client.Create(t.Context(), manifest(t), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config(map[string]any{"replicaof": "example.org 6379"})(made.Object)
	_, err = client.Update(t.Context(), made, metav1.UpdateOptions{DryRun: dryRun})
	checkVerdict(t, err, refusal("replicaof", "replication follows from spec.replicas"))
}

func refusal(name, why string) string {
	return fmt.Sprintf("spec.config: Invalid value: the operator owns the directive %s: remove it from spec.config; %s", name, why)
}

// directives are as long as they may be: what they cost the server's rules counts too.
func directives(n int) map[string]any {
	list := map[string]any{}
	for i := range n {
		name := fmt.Sprintf("directive-%d-", i)
		list[name+strings.Repeat("x", 64-len(name))] = strings.Repeat("1", 1024)
	}
	return list
}

// A name that the server does not know guards nothing: a real server has to know every one that is refused, and none
// of its other aliases for the same setting may be left open.
func TestOwnedDirectivesAreTheServers(t *testing.T) {
	known := serverConfig(t)
	// These stand in a file alone: CONFIG GET does not list them.
	for _, name := range []string{"user", "include", "loadmodule", "rename-command"} {
		known[name] = true
	}
	guarded := map[string]bool{}
	for _, names := range owned {
		for _, name := range names {
			guarded[name] = true
			if !known[name] {
				t.Errorf("%s is refused, but the server knows no such directive", name)
			}
		}
	}
	for pair := range strings.SplitSeq("replica:slave replicas:slaves primary:master", " ") {
		now, once, _ := strings.Cut(pair, ":")
		for name := range guarded {
			for _, alias := range []string{strings.ReplaceAll(name, now, once), strings.ReplaceAll(name, once, now)} {
				if known[alias] && !guarded[alias] {
					t.Errorf("%s is refused, but its alias %s is not", name, alias)
				}
			}
		}
	}
}

// serverConfig returns the names of all directives of a real server.
func serverConfig(t *testing.T) map[string]bool {
	t.Helper()
	bin := os.Getenv("VALKEY_BIN")
	if bin == "" {
		t.Fatal("VALKEY_BIN is not set: it names the folder that holds valkey-server; run `make test-integration`")
	}
	// A socket's path may be 107 bytes long, which t.TempDir can go beyond.
	dir, err := os.MkdirTemp("", "vk-") //nolint:usetesting // As the line above says.
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	server := exec.CommandContext(t.Context(), filepath.Join(bin, "valkey-server"),
		"--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "")
	if err := server.Start(); err != nil {
		t.Fatalf("start valkey-server: %v", err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})

	var answer []byte
	err = wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, 20*time.Second, true, func(ctx context.Context) (bool, error) {
		ask := exec.CommandContext(ctx, filepath.Join(bin, "valkey-cli"), "-s", socket, "--json", "CONFIG", "GET", "*")
		var err error
		answer, err = ask.Output()
		return err == nil, nil
	})
	if err != nil {
		t.Fatalf("valkey-server does not answer: %v", err)
	}
	var config map[string]any
	if err := json.Unmarshal(answer, &config); err != nil {
		t.Fatalf("CONFIG GET: %v in %s", err, answer)
	}
	names := map[string]bool{}
	for name := range config {
		names[name] = true
	}
	return names
}
