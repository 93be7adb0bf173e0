package info_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

// versions are those that testdata has replies of.
var versions = map[string]string{"8.1": "8.1.1", "9.1": "9.1.2"}

func reply(t *testing.T, state, version string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", state+"-"+version+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// facts is what a state means, without what differs from server to server.
type facts struct {
	Role          v1alpha1.Role
	Primary       string
	LinkUp        bool
	Syncing       bool
	Loading       bool
	HasHeard      bool
	HasLostLink   bool
	Replicas      []info.Replica
	FailoverState string
	Keys          int64
}

func factsOf(s info.Server) facts {
	f := facts{
		Role: s.Role, LinkUp: s.LinkUp, Syncing: s.Syncing, Loading: s.Loading,
		HasHeard: s.LastIO >= 0, HasLostLink: s.LinkDownFor >= 0, FailoverState: s.FailoverState, Keys: s.Keys,
	}
	if s.PrimaryPort != 0 {
		f.Primary = s.PrimaryAddress()
	}
	for _, r := range s.Replicas {
		r.Offset, r.Lag = 0, 0
		f.Replicas = append(f.Replicas, r)
	}
	return f
}

func TestParseRealReplies(t *testing.T) {
	const rest = "no-failover"
	replica := func(port int, online bool) []info.Replica {
		return []info.Replica{{Host: "127.0.0.1", Port: port, Online: online}}
	}
	for state, want := range map[string]facts{
		"primary-alone":        {Role: v1alpha1.RolePrimary, FailoverState: rest, Keys: 3},
		"primary":              {Role: v1alpha1.RolePrimary, FailoverState: rest, Keys: 3, Replicas: replica(17002, true)},
		"primary-fenced":       {Role: v1alpha1.RolePrimary, FailoverState: rest, Keys: 3, Replicas: replica(17002, true)},
		"primary-of-syncing":   {Role: v1alpha1.RolePrimary, FailoverState: rest, Keys: 4000, Replicas: replica(17004, false)},
		"primary-handing-over": {Role: v1alpha1.RolePrimary, FailoverState: "waiting-for-sync", Keys: 4, Replicas: replica(17002, true)},
		"replica-up": {
			Role: v1alpha1.RoleReplica, Primary: "127.0.0.1:17001", LinkUp: true, HasHeard: true, FailoverState: rest, Keys: 3,
		},
		"replica-down": {
			Role: v1alpha1.RoleReplica, Primary: "127.0.0.1:17001", HasLostLink: true, FailoverState: rest, Keys: 4,
		},
		"replica-syncing": {Role: v1alpha1.RoleReplica, Primary: "127.0.0.1:17003", Syncing: true, FailoverState: rest},
		"replica-parked":  {Role: v1alpha1.RoleReplica, Primary: "127.0.0.1:1", FailoverState: rest},
		"loading":         {Role: v1alpha1.RolePrimary, Loading: true, FailoverState: rest, Keys: -1},
	} {
		for version, exact := range versions {
			t.Run(state+" of "+version, func(t *testing.T) {
				got := info.Parse(reply(t, state, version))
				if got.Version != exact {
					t.Errorf("version %q, want %q", got.Version, exact)
				}
				if len(got.RunID) != 40 || len(got.ReplicationID) != 40 || len(got.ReplicationID2) != 40 {
					t.Errorf("run id %q, replication ids %q and %q: want 40 digits each", got.RunID, got.ReplicationID, got.ReplicationID2)
				}
				f := factsOf(got)
				if want.Keys < 0 { // how far it had come is chance
					f.Keys = want.Keys
				}
				if diff := cmp.Diff(want, f); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

// Offsets decide who takes over, so they are compared one by one.
func TestParseReadsOffsets(t *testing.T) {
	for version := range versions {
		primary, up := info.Parse(reply(t, "primary", version)), info.Parse(reply(t, "replica-up", version))
		if primary.Offset == 0 || primary.Offset != up.Offset {
			t.Errorf("%s: primary at %d, its idle replica at %d: want the same, above zero", version, primary.Offset, up.Offset)
		}
		if known := primary.Replicas[0].Offset; known != up.Offset {
			t.Errorf("%s: the primary says its replica is at %d, the replica says %d", version, known, up.Offset)
		}
		if primary.ReplicationID != up.ReplicationID {
			t.Errorf("%s: history %q of the primary, %q of its replica", version, primary.ReplicationID, up.ReplicationID)
		}
	}
}

func TestParseText(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want info.Server
	}{
		"an empty reply says nothing": {"", info.Server{LastIO: -1, LinkDownFor: -1}},
		"sections and lines without a value are passed over": {
			"# Replication\r\n\r\nrole\r\nnonsense\r\n", info.Server{LastIO: -1, LinkDownFor: -1},
		},
		"the version of Redis stands in only where there is no other": {
			"redis_version:7.2.4\r\n", info.Server{Version: "7.2.4", LastIO: -1, LinkDownFor: -1},
		},
		"the server's own version wins whatever comes first": {
			"valkey_version:9.1.2\r\nredis_version:7.2.4\r\n", info.Server{Version: "9.1.2", LastIO: -1, LinkDownFor: -1},
		},
		"a number that is none counts as zero": {
			"master_port:x\r\nmaster_repl_offset:99999999999999999999\r\n", info.Server{LastIO: -1, LinkDownFor: -1},
		},
		"fields that only begin like a replica or a database are none": {
			"slave_priority:100\r\ndbsize:keys=5\r\nslave:ip=10.0.0.1\r\n", info.Server{LastIO: -1, LinkDownFor: -1},
		},
		"the address of a replica by IPv6": {
			"slave0:ip=fd00::7,port=6379,state=online,offset=9,lag=1\r\n",
			info.Server{LastIO: -1, LinkDownFor: -1, Replicas: []info.Replica{{Host: "fd00::7", Port: 6379, Online: true, Offset: 9, Lag: 1}}},
		},
		"keys of all databases are counted": {
			"db0:keys=2,expires=0\r\ndb15:keys=40,expires=1\r\n", info.Server{Keys: 42, LastIO: -1, LinkDownFor: -1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, info.Parse(c.text)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestIsReplicaOf(t *testing.T) {
	of := func(role v1alpha1.Role, host string, port int) *info.Server {
		return &info.Server{Role: role, PrimaryHost: host, PrimaryPort: port}
	}
	for name, c := range map[string]struct {
		server *info.Server
		want   bool
	}{
		"a replica of that address":            {of(v1alpha1.RoleReplica, "10.0.0.1", v1alpha1.Port), true},
		"a replica of another address":         {of(v1alpha1.RoleReplica, "10.0.0.11", v1alpha1.Port), false},
		"a parked server, on the host itself":  {of(v1alpha1.RoleReplica, "10.0.0.1", 1), false},
		"a primary that remembers the address": {of(v1alpha1.RolePrimary, "10.0.0.1", v1alpha1.Port), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.server.IsReplicaOf("10.0.0.1"); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// A server may say anything; what it says is read without a panic, and the lines that it did not send stay unset.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no replies in testdata: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("slave0:\r\ndb0:keys\r\n:\r\nslave18446744073709551616:ip=,port=,")
	f.Fuzz(func(t *testing.T, text string) {
		s := info.Parse(text)
		if s.Role != "" && s.Role != v1alpha1.RolePrimary && s.Role != v1alpha1.RoleReplica {
			t.Errorf("role %q", s.Role)
		}
		if len(s.Replicas) > strings.Count(text, "slave") {
			t.Errorf("%d replicas out of %q", len(s.Replicas), text)
		}
		if !strings.Contains(text, "master_link_status:up") && s.LinkUp {
			t.Errorf("a link is up that %q does not speak of", text)
		}
		if again := info.Parse(text); !cmp.Equal(s, again) {
			t.Errorf("two answers to one text: %s", cmp.Diff(s, again))
		}
	})
}
