package server

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

const sample = "# Server\r\nvalkey_version:9.1.2\r\nuptime_in_seconds:3600\r\ntcp_port:6379\r\nconfigured_hz:10\r\n" +
	"# Clients\r\nconnected_clients:12\r\nmaxclients:10000\r\nblocked_clients:1\r\n" +
	"# Memory\r\nused_memory:1048576\r\nmaxmemory:50331648\r\nmaxmemory_policy:noeviction\r\nmem_fragmentation_ratio:1.50\r\n" +
	"# Persistence\r\nrdb_last_save_time:1700000000\r\nrdb_last_bgsave_status:ok\r\naof_enabled:1\r\naof_last_write_status:ok\r\n" +
	"# Stats\r\ninstantaneous_ops_per_sec:250\r\nkeyspace_hits:90\r\nkeyspace_misses:10\r\nevicted_keys:3\r\n" +
	"# Replication\r\nrole:master\r\nmaster_repl_offset:1000\r\nslave0:ip=10.0.0.2,port=6379,state=online,offset=900,lag=1\r\n" +
	"# Keyspace\r\ndb0:keys=7,expires=2,avg_ttl=1500\r\ndb3:keys=1,expires=0,avg_ttl=0\r\n"

func TestParse(t *testing.T) {
	i := parse(sample)
	if i.Role != v1alpha1.RolePrimary || i.Version != "9.1.2" || i.Uptime != time.Hour || i.Clients != 12 || i.Used != 1<<20 ||
		i.OpsPerSecond != 250 || !i.AOF || !i.AOFOK || !i.SaveOK || i.LastSave.Unix() != 1_700_000_000 || i.Evicted != 3 {
		t.Errorf("read %+v", i)
	}
	want := []Database{{Name: "db0", Keys: 7, Expires: 2, TTL: 1500 * time.Millisecond}, {Name: "db3", Keys: 1}}
	if diff := cmp.Diff(want, i.Databases); diff != "" {
		t.Error(diff)
	}
	if ratio, known := i.HitRatio(); !known || ratio != 0.9 {
		t.Errorf("hit ratio %v, %v", ratio, known)
	}
	if bytes, seconds, known := i.Lag("10.0.0.2"); !known || bytes != 100 || seconds != 1 {
		t.Errorf("lag %d bytes, %d s, %v", bytes, seconds, known)
	}
	if _, _, known := i.Lag("10.0.0.3"); known {
		t.Error("it knows the lag of a replica that is not listed")
	}
	settings := i.Settings()
	if settings["maxmemory"] != "50331648" || settings["appendonly"] != "yes" || settings["hz"] != "10" {
		t.Errorf("settings %v", settings)
	}
	if _, found := settings["replica-read-only"]; found {
		t.Error("a primary does not say whether it is read-only")
	}
}

// case 12 (dashboard): what a server says cannot drive the terminal.
func TestWhatAServerSaysIsCleaned(t *testing.T) {
	const evil = "\x1b]0;pwned\x07\x1b[2J\u202e"
	i := parse(strings.ReplaceAll(sample, "noeviction", "no"+evil+"eviction"))
	if strings.ContainsAny(i.Policy, "\x1b\x07\u202e") {
		t.Errorf("policy %q", i.Policy)
	}
	slow := slowlog([]any{[]any{int64(1), int64(2), int64(3), []any{"SET", "k" + evil}, "10.0.0.1:5", evil}})
	if len(slow) != 1 || strings.ContainsAny(slow[0].Command+slow[0].Client, "\x1b\x07\u202e") {
		t.Errorf("slow %+v", slow)
	}
}

func TestWhatIsKeptOfACommandIsBounded(t *testing.T) {
	long := command([]any{"SET", "key", strings.Repeat("é", 10_000)})
	if len(long) > longestCommand+10 || !strings.HasSuffix(long, "...") {
		t.Errorf("%d bytes are kept", len(long))
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("db0:keys=,expires\r\n:\r\nslave0:\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		i := parse(text)
		for key, value := range i.Settings() {
			if strings.ContainsAny(value, "\x1b\x07\n") {
				t.Errorf("%s is %q", key, value)
			}
		}
		for _, c := range connections(text) {
			if c.ID == "" {
				t.Error("a client without an id")
			}
		}
	})
}
