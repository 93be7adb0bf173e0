//go:build integration

package kube

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/valkeyserver"
	"kuberly.io/valkey-operator/tui/resp"
)

func openServer(t *testing.T, limits resp.Limits) (*Session, *valkeyserver.Server) {
	t.Helper()
	server := valkeyserver.Default(t).Start(t, valkeyserver.Options{Lines: []string{`user ann on +@all ~* &* >s3cret`}})
	conn, err := net.Dial("tcp", server.Address())
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(conn, limits)
	t.Cleanup(s.Close)
	return s, server
}

var console = resp.Limits{Bytes: 1 << 20, Items: 100}

func TestSessionWithARealServer(t *testing.T) {
	s, _ := openServer(t, console)
	if err := s.hello(t.Context(), "ann", "wrong"); !IsClass(err, ClassCredentials) || strings.Contains(err.Error(), "wrong") {
		t.Errorf("a wrong password: %v", err)
	}
	if err := s.hello(t.Context(), "ann", "s3cret"); err != nil {
		t.Fatal(err)
	}
	if s.Role != v1alpha1.RolePrimary || s.Version == "" {
		t.Errorf("role %q, version %q", s.Role, s.Version)
	}
	for _, c := range []struct{ line, want string }{
		{"PING", "PONG"},
		{"SET k \"a\\x00b\"", "OK"},
		{"GET k", `"a\x00b"`},
		{"GET none", "(nil)"},
		{"INCR n", "(integer) 1"},
		{"HSET h f v", "(integer) 1"},
		{"HGETALL h", `1# "f" => "v"`},
		{"SADD s x", "(integer) 1"},
		{"SMEMBERS s", `1~ "x"`},
		{"ZADD z 1.5 m", "(integer) 1"},
		{"ZSCORE z m", "(double) 1.5"},
		{"LRANGE l 0 1", "(empty array)"},
		{"HGET n f", "(error) WRONGTYPE"},
		{"DEBUG PROTOCOL bignum", "(error)"},
		{"CLIENT REPLY OFF", "(error) ERR not here"},
		{"UNSUBSCRIBE", "1) \"unsubscribe\""},
		{"PING", "PONG"},
	} {
		words, err := resp.Split(c.line)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Do(t.Context(), words, nil)
		if got := strings.Join(resp.Lines(v), "\n"); err != nil || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, %v; want %s", c.line, got, err, c.want)
		}
	}
}

// What a server tells of its commands, of each version that there is, decides what is asked about.
func TestCommandsOfARealServer(t *testing.T) {
	s, _ := openServer(t, console)
	if err := s.hello(t.Context(), "ann", "s3cret"); err != nil {
		t.Fatal(err)
	}
	commands, err := s.Commands(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for effect, lines := range map[resp.Effect][]string{
		resp.Dangerous: {
			"FLUSHALL", "FLUSHDB", "SHUTDOWN", "REPLICAOF a 1", "FAILOVER", "CONFIG SET a b", "CONFIG REWRITE", "DEBUG SLEEP 1", "KEYS *",
			"ACL SETUSER x", "ACL DELUSER x", "CLIENT KILL ID 1", "CLIENT PAUSE 1", "MONITOR", "SAVE", "BGSAVE", "SWAPDB 0 1", "MIGRATE", "SORT k", "MODULE LOAD x",
			"CLUSTER RESET", "LATENCY RESET", "SLOWLOG RESET",
		},
		resp.Writes: {"SET k v", "DEL k", "EVAL x 0", "FCALL f 0", "PUBLISH c m", "SCRIPT FLUSH", "XADD s * a b", "GETDEL k"},
		resp.Reads:  {"GET k", "INFO", "CONFIG GET *", "CLIENT LIST", "SLOWLOG GET", "ROLE", "SCAN 0", "HGETALL h", "PING", "ACL WHOAMI", "SUBSCRIBE c", "MEMORY USAGE k", "EVAL_RO x 0"},
	} {
		for _, line := range lines {
			if got := commands.Effect(strings.Fields(line)); got != effect {
				t.Errorf("%s: effect %d, want %d", line, got, effect)
			}
		}
	}
	if c := commands.Find([]string{"set"}); c == nil || !strings.Contains(c.Usage, "key value [") || c.Summary == "" {
		t.Errorf("SET is %+v", c)
	}
	again, err := s.Commands(t.Context())
	if err != nil || len(again) != len(commands) {
		t.Errorf("asked again: %d commands, %v", len(again), err)
	}
}

// A command that blocks or streams ends with its context, soon.
func TestSessionStops(t *testing.T) {
	for line, want := range map[string]string{"BLPOP none 0": "", "SUBSCRIBE news": "hello", "MONITOR": "ping"} {
		s, server := openServer(t, console)
		if err := s.hello(t.Context(), "ann", "s3cret"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		seen := make(chan string, 100)
		ended := make(chan error, 1)
		go func() {
			_, err := s.Do(ctx, strings.Fields(line), func(v resp.Value) { seen <- strings.Join(resp.Lines(v), " ") })
			ended <- err
		}()
		for want != "" {
			server.CLI(t, "-u", "redis://ann:s3cret@"+server.Address(), "PUBLISH", "news", "hello")
			server.CLI(t, "-u", "redis://ann:s3cret@"+server.Address(), "PING")
			select {
			case text := <-seen:
				if strings.Contains(strings.ToLower(text), want) {
					want = ""
				}
			default:
			}
		}
		cancel()
		select {
		case err := <-ended:
			if !IsClass(err, ClassCancelled) {
				t.Errorf("%s ends with %v", line, err)
			}
		case <-time.After(limit):
			t.Fatalf("%s is stuck", line)
		}
	}
}

func TestRepliesOfARealServerAreBounded(t *testing.T) {
	s, _ := openServer(t, resp.Limits{Bytes: 10_000, Items: 5})
	if err := s.hello(t.Context(), "ann", "s3cret"); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{"COMMAND": "elements more", "COMMAND DOCS": "elements more"} {
		v, err := s.Do(t.Context(), strings.Fields(line), nil)
		if err != nil || !strings.HasSuffix(strings.Join(resp.Lines(v), "\n"), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if v, err := s.Do(t.Context(), []string{"PING"}, nil); err != nil || v.Text != "PONG" {
		t.Errorf("behind it: %+v, %v", v, err)
	}
}
