// Package info reads what a Valkey server says of itself in its INFO reply. It is pure: it takes the text and returns
// values, and never speaks to a server.
package info

import (
	"bufio"
	"net"
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Sections are the sections of INFO that Parse reads, to be named in the command.
var Sections = []string{"server", "replication", "persistence", "keyspace"}

// Server is the state of one server at one moment.
type Server struct {
	// RunID is random and new at every start of the process.
	RunID string
	// Version of the server, e.g. 9.1.2.
	Version string
	Role    v1alpha1.Role

	// ReplicationID names the history that the server's data belongs to; Offset is how much of it it has, in bytes.
	// Offsets compare within one history only.
	ReplicationID  string
	ReplicationID2 string
	Offset         int64

	// PrimaryHost and PrimaryPort are what a replica replicates from.
	PrimaryHost string
	PrimaryPort int
	// LinkUp says whether a replica's link is up. It stays so for a minute after the primary froze: see LastIO.
	LinkUp bool
	// LastIO is how many seconds ago a replica last heard from its primary, -1 while its link is down.
	LastIO int64
	// LinkDownFor is how many seconds ago the link of a replica broke, -1 while it is up and where it never was.
	LinkDownFor int64
	// Syncing says whether a replica is receiving a full copy.
	Syncing bool

	// Replicas are the replicas that a primary knows.
	Replicas []Replica
	// Fenced says that a primary refuses writes while no replica acknowledges them (min-replicas-to-write).
	Fenced bool
	// FailoverState of a primary: no-failover, waiting-for-sync or failover-in-progress.
	FailoverState string

	// Loading says whether the server is still reading its data.
	Loading bool
	// Keys is the number of keys in all databases.
	Keys int64
}

// Replica is what a primary says of one of its replicas.
type Replica struct {
	Host string
	Port int
	// Online says whether the replica has its full copy and follows.
	Online bool
	Offset int64
	// Lag is how many seconds ago the replica last acknowledged.
	Lag int64
}

// PrimaryAddress is the address of the server that a replica replicates from, as host:port.
func (s *Server) PrimaryAddress() string {
	return net.JoinHostPort(s.PrimaryHost, strconv.Itoa(s.PrimaryPort))
}

// HandingOver says that the server, a primary up to now, is changing places with a replica.
func (s *Server) HandingOver() bool {
	return s.FailoverState != "" && s.FailoverState != "no-failover"
}

// IsParked says that a server is the replica of an address where nobody answers: it has been given no role since it started, or was
// deposed.
func (s *Server) IsParked() bool {
	return s.Role == v1alpha1.RoleReplica && s.PrimaryPort != v1alpha1.Port
}

// IsReplicaOf says whether the server is told to replicate from host, whether or not the link is up.
func (s *Server) IsReplicaOf(host string) bool {
	return s.Role == v1alpha1.RoleReplica && s.PrimaryHost == host && s.PrimaryPort == v1alpha1.Port
}

// Parse reads an INFO reply, see https://valkey.io/commands/info/. Fields that are missing or unreadable stay zero: a
// server of another version may lack some.
func Parse(text string) Server {
	s := Server{LastIO: -1, LinkDownFor: -1}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		key, value, ok := strings.Cut(strings.TrimRight(lines.Text(), "\r"), ":")
		if !ok || strings.HasPrefix(key, "#") {
			continue
		}
		s.set(key, value)
	}
	return s
}

func (s *Server) set(key, value string) {
	switch key {
	case "run_id":
		s.RunID = value
	case "valkey_version":
		s.Version = value
	case "redis_version":
		if s.Version == "" { // Valkey states the version of Redis that it is compatible with as well
			s.Version = value
		}
	case "role":
		s.Role = role(value)
	case "master_replid":
		s.ReplicationID = value
	case "master_replid2":
		s.ReplicationID2 = value
	case "loading":
		s.Loading = value == "1"
	case "min_slaves_good_slaves": // there only while min-replicas-to-write is set
		s.Fenced = true
	case "master_failover_state":
		s.FailoverState = value
	default:
		s.setLink(key, value)
	}
}

func (s *Server) setLink(key, value string) {
	switch key {
	case "master_host":
		s.PrimaryHost = value
	case "master_port":
		s.PrimaryPort = int(number(value))
	case "master_link_status":
		s.LinkUp = value == "up"
	case "master_last_io_seconds_ago":
		s.LastIO = number(value)
	case "master_link_down_since_seconds":
		s.LinkDownFor = number(value)
	case "master_sync_in_progress":
		s.Syncing = value == "1"
	case "slave_repl_offset":
		s.Offset = max(s.Offset, number(value))
	case "master_repl_offset":
		s.Offset = max(s.Offset, number(value))
	default:
		s.setNumbered(key, value)
	}
}

// setNumbered reads the lines of which there is one for each replica or database: slave0:ip=..,port=.. and
// db0:keys=..,expires=..
func (s *Server) setNumbered(key, value string) {
	switch {
	case isNumbered(key, "slave"):
		f := fields(value)
		s.Replicas = append(s.Replicas, Replica{
			Host: f["ip"], Port: int(number(f["port"])), Online: f["state"] == "online",
			Offset: number(f["offset"]), Lag: number(f["lag"]),
		})
	case isNumbered(key, "db"):
		s.Keys += number(fields(value)["keys"])
	}
}

func role(word string) v1alpha1.Role {
	if word == "master" {
		return v1alpha1.RolePrimary
	}
	return v1alpha1.RoleReplica
}

func isNumbered(key, prefix string) bool {
	rest, ok := strings.CutPrefix(key, prefix)
	if !ok || rest == "" {
		return false
	}
	return strings.Trim(rest, "0123456789") == ""
}

func fields(value string) map[string]string {
	m := map[string]string{}
	for part := range strings.SplitSeq(value, ",") {
		if key, v, ok := strings.Cut(part, "="); ok {
			m[key] = v
		}
	}
	return m
}

func number(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
