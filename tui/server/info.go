package server

import (
	"strconv"
	"strings"
	"time"

	"kuberly.io/valkey-operator/operator/valkey/info"
	"kuberly.io/valkey-operator/tui/clean"
)

// sections of INFO that are read.
var sections = []string{"server", "clients", "memory", "persistence", "stats", "replication", "keyspace"}

// Info is what a server says of itself at one moment, cleaned. What a server of another version does not tell is zero.
type Info struct {
	info.Server

	Uptime time.Duration

	// In bytes; Max is maxmemory, 0 for no limit.
	Used, Peak, RSS, Max int64
	Policy               string
	Fragmentation        float64

	Clients, Blocked, MaxClients int64

	// OpsPerSecond, In and Out (bytes per second) are of the last moment, the others since the server started.
	OpsPerSecond                int64
	In, Out                     float64
	Commands, Hits, Misses      int64
	Expired, Evicted, Rejected  int64
	SyncFull, SyncPartialFailed int64

	// LastSave is zero where there was none. SaveOK and AOFOK are of the last one.
	LastSave      time.Time
	SaveOK, AOFOK bool
	Saving, AOF   bool
	Changes       int64 // since the last save

	Databases []Database

	values map[string]string
}

// Database is one of a server's databases that holds keys.
type Database struct {
	Name          string
	Keys, Expires int64
	// TTL is the mean one of the keys that expire.
	TTL time.Duration
}

// parse reads an INFO reply, see https://valkey.io/commands/info/.
func parse(text string) Info {
	text = clean.Block(text)
	i := Info{Server: info.Parse(text), values: map[string]string{}}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(key, "#") {
			continue
		}
		if db, found := database(key, value); found {
			i.Databases = append(i.Databases, db)
			continue
		}
		i.values[key] = value
	}
	i.fill()
	return i
}

func (i *Info) fill() {
	i.Uptime = time.Duration(i.number("uptime_in_seconds")) * time.Second
	i.Used, i.Peak, i.RSS = i.number("used_memory"), i.number("used_memory_peak"), i.number("used_memory_rss")
	i.Max, i.Policy = i.number("maxmemory"), i.values["maxmemory_policy"]
	i.Fragmentation = i.float("mem_fragmentation_ratio")
	i.Clients, i.Blocked, i.MaxClients = i.number("connected_clients"), i.number("blocked_clients"), i.number("maxclients")
	i.OpsPerSecond = i.number("instantaneous_ops_per_sec")
	const kilo = 1024
	i.In, i.Out = kilo*i.float("instantaneous_input_kbps"), kilo*i.float("instantaneous_output_kbps")
	i.Commands, i.Hits, i.Misses = i.number("total_commands_processed"), i.number("keyspace_hits"), i.number("keyspace_misses")
	i.Expired, i.Evicted, i.Rejected = i.number("expired_keys"), i.number("evicted_keys"), i.number("rejected_connections")
	i.SyncFull, i.SyncPartialFailed = i.number("sync_full"), i.number("sync_partial_err")
	if at := i.number("rdb_last_save_time"); at > 0 {
		i.LastSave = time.Unix(at, 0)
	}
	i.SaveOK, i.AOFOK = i.values["rdb_last_bgsave_status"] == "ok", i.values["aof_last_write_status"] == "ok"
	i.Saving = i.values["rdb_bgsave_in_progress"] == "1" || i.values["aof_rewrite_in_progress"] == "1"
	i.AOF, i.Changes = i.values["aof_enabled"] == "1", i.number("rdb_changes_since_last_save")
}

// effective are the settings that INFO tells, by the name of the directive.
var effective = map[string]string{
	"maxmemory": "maxmemory", "maxmemory-policy": "maxmemory_policy", "maxclients": "maxclients", "hz": "configured_hz",
	"port": "tcp_port", "repl-backlog-size": "repl_backlog_size", "replica-priority": "slave_priority",
}

// Settings are the settings in force as far as INFO tells them, by the name of the directive.
func (i *Info) Settings() map[string]string {
	settings := map[string]string{}
	for directive, key := range effective {
		if value, found := i.values[key]; found {
			settings[directive] = value
		}
	}
	for directive, key := range map[string]string{"appendonly": "aof_enabled", "replica-read-only": "slave_read_only"} {
		switch i.values[key] {
		case "1":
			settings[directive] = "yes"
		case "0":
			settings[directive] = "no"
		}
	}
	return settings
}

// HitRatio is the part of the reads that found a key, since the server started; false where there was none.
func (i *Info) HitRatio() (ratio float64, known bool) { return ratioOf(i.Hits, i.Misses) }

func ratioOf(hits, misses int64) (float64, bool) {
	if hits+misses <= 0 {
		return 0, false
	}
	return float64(hits) / float64(hits+misses), true
}

// Lag is how far a replica at an address lies behind, as its primary sees it: in bytes, and in seconds since it last
// acknowledged. It is not known where the primary does not list the replica.
func (i *Info) Lag(address string) (bytes, seconds int64, known bool) {
	for _, r := range i.Replicas {
		if r.Host == address {
			return max(i.Offset-r.Offset, 0), r.Lag, true
		}
	}
	return 0, 0, false
}

func (i *Info) number(key string) int64 { return number(i.values[key]) }

func (i *Info) float(key string) float64 {
	f, err := strconv.ParseFloat(strings.TrimSpace(i.values[key]), 64)
	if err != nil {
		return 0
	}
	return f
}

func number(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// database reads db0:keys=1,expires=0,avg_ttl=0
func database(key, value string) (db Database, found bool) {
	index, ok := strings.CutPrefix(key, "db")
	if _, err := strconv.Atoi(index); !ok || err != nil {
		return Database{}, false
	}
	db.Name = key
	for part := range strings.SplitSeq(value, ",") {
		switch name, n, _ := strings.Cut(part, "="); name {
		case "keys":
			db.Keys = number(n)
		case "expires":
			db.Expires = number(n)
		case "avg_ttl":
			db.TTL = time.Duration(number(n)) * time.Millisecond
		}
	}
	return db, true
}
