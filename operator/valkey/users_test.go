//go:build integration

package valkey_test

import (
	"strings"
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/valkeyserver"
)

// each runs a test on every version that there is.
func each(t *testing.T, test func(t *testing.T, bin valkeyserver.Bin)) {
	t.Helper()
	for _, bin := range valkeyserver.Bins(t) {
		t.Run(bin.Version(t), func(t *testing.T) { test(t, bin) })
	}
}

// Case 1 (operator): the password counts byte for byte, and nobody else gets in.
func TestSetUsersLetsInWhoIsMeant(t *testing.T) {
	each(t, func(t *testing.T, bin valkeyserver.Bin) {
		s, c := start(t, bin, valkeyserver.Options{}), newClients(t)
		admin(t, s, "ACL", "SETUSER", "mallory", "on", "nopass", "~*", "+@all")
		changed := credentials
		changed.Admin = awkward + "2"
		seen, err := c.Observe(t.Context(), target(s), operatorLogin)
		if err != nil {
			t.Fatal(err)
		}
		if told, err := c.SetUsers(t.Context(), target(s), operatorLogin, seen.RunID, users(changed)); err != nil || !told {
			t.Fatalf("told: %v, %v", told, err)
		}
		for name, try := range map[string]struct {
			user, password string
			in             bool
		}{
			"the exact password":         {"root", changed.Admin, true},
			"the password before":        {"root", credentials.Admin, false},
			"the password with a blank":  {"root", changed.Admin + " ", false},
			"another user's password":    {"root", credentials.Operator, false},
			"the default user":           {"default", changed.Admin, false},
			"a user that was not wanted": {"mallory", "x", false},
		} {
			got := as(t, s, try.user, try.password, "SET", "key", "value")
			if (got == "OK") != try.in {
				t.Errorf("%s: the server says %q", name, got)
			}
		}
		if got := s.CLI(t, "PING"); !strings.HasPrefix(got, "NOAUTH") {
			t.Errorf("without any login the server says %q", got)
		}
	})
}

// Telling a server its users resets their connections' rights, so it is done once for each start and each change.
func TestSetUsersTellsOnce(t *testing.T) {
	s, c := start(t, valkeyserver.Default(t), valkeyserver.Options{}), newClients(t)
	tell := func(runID string, want bool) {
		t.Helper()
		told, err := c.SetUsers(t.Context(), target(s), operatorLogin, runID, users(credentials))
		if err != nil || told != want {
			t.Errorf("told: %v, %v; want %v", told, err, want)
		}
	}
	tell("run-1", true)
	tell("run-1", false)
	tell("run-2", true) // it has started anew, with what its ACL file said
	c.Forget(func(id string) bool { return id == target(s).ID })
	tell("run-2", true)
}

// Case 21 (operator): each user may do what its commands need, on each version, and not more.
func TestRights(t *testing.T) {
	const refusal = "NOPERM"
	for name, c := range map[string]struct {
		user, password string
		may, mayNot    []string
	}{
		"operator": {
			v1alpha1.UserOperator, credentials.Operator,
			[]string{
				"PING", "INFO server replication persistence keyspace", "ROLE", "REPLICAOF NO ONE", "FAILOVER ABORT",
				"CONFIG SET min-replicas-to-write 0", "CONFIG GET maxmemory", "ACL USERS", "ACL SETUSER x on", "ACL DELUSER x",
				"CLIENT KILL TYPE normal SKIPME yes", "DBSIZE", "LASTSAVE", "BGSAVE", "WAIT 0 1",
			},
			[]string{"GET k", "SET k v", "KEYS *", "FLUSHALL", "DEL k", "EVAL return(1) 0", "SCAN 0", "MONITOR", "SUBSCRIBE c"},
		},
		"replication": {
			v1alpha1.UserReplication, credentials.Replication,
			[]string{"PING", "REPLCONF listening-port 1", "FAILOVER ABORT"},
			[]string{"GET k", "SET k v", "KEYS *", "CONFIG GET maxmemory", "ACL USERS", "INFO", "REPLICAOF NO ONE", "SHUTDOWN NOSAVE"},
		},
		"probe": {
			v1alpha1.UserProbe, credentials.Probe,
			[]string{"PING", "ROLE", "INFO replication"},
			[]string{"GET k", "SET k v", "KEYS *", "CONFIG GET maxmemory", "ACL USERS", "CLIENT LIST", "REPLICAOF NO ONE", "SHUTDOWN NOSAVE"},
		},
		"observer": {
			v1alpha1.UserObserver, credentials.Observer,
			[]string{
				"PING", "ROLE", "INFO", "DBSIZE", "LASTSAVE", "SLOWLOG GET 1", "SLOWLOG LEN", "CLIENT LIST", "CLIENT INFO",
				"MEMORY STATS", "LATENCY LATEST",
			},
			[]string{
				"GET k", "SET k v", "KEYS *", "SCAN 0", "CONFIG GET masterauth", "CONFIG SET maxmemory 1", "ACL LIST", "SLOWLOG RESET",
				"CLIENT KILL TYPE normal", "REPLICAOF NO ONE", "FAILOVER ABORT", "SHUTDOWN NOSAVE", "MONITOR", "EVAL return(1) 0",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, bin valkeyserver.Bin) {
				s := start(t, bin, valkeyserver.Options{})
				for _, line := range c.may {
					if got := as(t, s, c.user, c.password, strings.Fields(line)...); strings.HasPrefix(got, refusal) || strings.Contains(got, "AUTH failed") {
						t.Errorf("%s: %s", line, got)
					}
				}
				for _, line := range c.mayNot {
					if got := as(t, s, c.user, c.password, strings.Fields(line)...); !strings.HasPrefix(got, refusal) {
						t.Errorf("%s is not refused: %s", line, got)
					}
				}
			})
		})
	}
}
