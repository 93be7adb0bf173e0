package controller

import (
	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

// caughtUpBytes is how far a replica that has just got its copy may be behind its primary.
const caughtUpBytes = 1 << 20

// isSynced says that a server was seen with a whole copy of the data since it last began to get one. It has to be kept: once the
// primary has ended, a replica that was still loading its copy looks like one that had followed all along.
func (s *scope) isSynced(uid string) bool {
	_, synced := s.r.synced.Load(uid)
	server, answers := s.seen[uid]
	switch {
	case !answers:
	case server.Role == v1alpha1.RolePrimary:
		synced = true
	case server.Loading || server.Syncing || server.IsParked():
		synced = false
	case server.LinkUp && !synced:
		if synced = s.hasCaughtUp(server); !synced {
			s.after(soon)
		}
	}
	if synced {
		s.r.synced.Store(uid, true)
	} else {
		s.r.synced.Delete(uid)
	}
	return synced
}

// hasCaughtUp says that a replica has what its primary took while it loaded its copy.
func (s *scope) hasCaughtUp(replica info.Server) bool {
	for _, server := range s.seen {
		if server.Role == v1alpha1.RolePrimary && server.ReplicationID == replica.ReplicationID {
			return server.Offset-replica.Offset <= caughtUpBytes
		}
	}
	return false
}
