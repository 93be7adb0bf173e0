package plan

import (
	"cmp"
	"fmt"
	"slices"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// QuietSeconds is for how long a replica must not have heard from its primary to be a witness of its end. A living
// primary pings each second; master_link_status alone stays up for a minute after a freeze or a cut.
const QuietSeconds = 2

const (
	// slackSeconds is by how much a replica may have lost its primary before the operator did: both count whole seconds, and the
	// operator hears of it once a second.
	slackSeconds = 2
	// freshSeconds is the same for an operator that never heard of the primary: another one died with it, and was succeeded.
	freshSeconds = 15
	// patienceSeconds is how long such an operator waits for a primary whose end was seen by its replicas, for it may have lived on
	// without them; and how long a primary is waited for whose replica was still getting its copy.
	patienceSeconds = 60
)

// quietSecondsOfDeleted is the same for a primary whose pod was deleted by force. Its server may live for a second more, and
// while it takes writes the replicas hear from it all the time.
const quietSecondsOfDeleted = 1

// elect chooses a primary where no server is one. The rules, in this order:
//   - Replicas that went on while the primary died or restarted have all that was replicated; a restarted one has what
//     was on disk. So the furthest of them takes over, once none of them has heard from the primary lately. One that had lost the
//     primary before counts only where the primary does not come back with what it misses.
//   - One that was deposed and answers after all has everything, and counts with them, also where it is to end.
//   - After all were down, the node that was primary last is preferred, if it has data.
//   - One that is empty is chosen only once every wanted node was seen to be empty too: a server that starts empty must
//     never be promoted over one that has data.
//   - With no record, several nodes with data are not chosen between: offsets say nothing after all were down.
func elect(s State) Roles {
	candidates := filter(s.Pods, isCandidate)
	full := filter(candidates, hasData)
	recorded := onNode(candidates, s.Recorded)
	survivors, heardBy := survivorsOf(s, candidates)
	switch {
	case len(survivors) > 0 && heardBy != "":
		return Roles{Waiting: heardBy + " still hears from the primary, which does not answer the operator"}
	case len(survivors) > 0:
		return succeed(s, survivors)
	case recorded != nil && hasData(*recorded):
		return promote(*recorded, "it was the primary before")
	case s.Recorded == NoNode && len(full) > 1 && !same(full):
		return Roles{Ambiguous: ambiguous(full, "hold data")}
	}
	// From here on nobody on record has data, or the one on record is not there.
	if missing := unseen(s, candidates); missing != "" {
		return Roles{Waiting: missing}
	}
	switch {
	case len(full) > 0:
		return promote(best(full), "the primary came back empty, and this one has data")
	case recorded != nil:
		return promote(*recorded, "it was the primary before")
	default:
		return promote(candidates[0], "the first primary")
	}
}

// survivorsOf are the pods whose servers have what a primary that died had, and a replica that still hears from that; empty where
// none does.
func survivorsOf(s State, candidates []Pod) (survivors []Pod, heardBy string) {
	replicas := filter(candidates, func(p Pod) bool { return hasFollowed(s, p) && isCurrent(s, p) })
	if deposed := filter(s.Pods, func(p Pod) bool { return isDeposed(s, p) }); len(deposed) > 0 {
		return append(deposed, replicas...), "" // offsets say who has more
	}
	return filter(replicas, func(p Pod) bool { return !isStale(s, p) || isLost(s) }), isHeard(s, replicas)
}

// isHeard names a replica that has heard from the primary lately, whatever it misses: then that is alive, and it is the
// operator's own network that fails. It is empty where there is none.
func isHeard(s State, replicas []Pod) string {
	var quiet int64 = QuietSeconds
	if isDeleted(s, s.RecordedIP) {
		quiet = quietSecondsOfDeleted
	}
	for _, p := range replicas {
		if p.Server.LinkUp && p.Server.LastIO < quiet {
			return p.Name
		}
	}
	return ""
}

// succeed promotes the furthest survivor of a primary that died. One whose node is to be removed gets the role only where it
// had it: it hands over then.
func succeed(s State, survivors []Pod) Roles {
	wanted := filter(survivors, func(p Pod) bool { return p.Node < s.Wanted || isDeposed(s, p) })
	if len(wanted) == 0 {
		wanted = survivors
	}
	chosen := best(wanted)
	if isDeposed(s, chosen) {
		return promote(chosen, "it was the primary before, and answers again")
	}
	return promote(chosen, "the primary is down, and this one has the most of its data")
}

// isDeposed says that a pod's server is the primary on record with all of its history, and a primary no more: it came back when
// it had been deposed.
func isDeposed(s State, p Pod) bool {
	return s.RecordedHistory != "" && p.IP == s.RecordedIP && p.Server != nil && !p.Server.Loading && p.Server.IsParked() &&
		p.Server.ReplicationID == s.RecordedHistory
}

// comesBack says that the primary on record may come back with what a replica misses: its data outlives its process, or that may
// still live.
func comesBack(s State) bool {
	return !s.Volatile || slices.ContainsFunc(s.Pods, func(p Pod) bool { return p.IP == s.RecordedIP && p.Server == nil && !p.Gone })
}

// isDeleted says that the pod of an address is not there any more.
func isDeleted(s State, ip string) bool {
	return ip != "" && !slices.ContainsFunc(s.Pods, func(p Pod) bool { return p.IP == ip })
}

func isCandidate(p Pod) bool {
	return p.Server != nil && !p.Server.Loading && !p.Server.Syncing && !p.Terminating
}

// hasFollowed says that a replica had its full copy of the primary's data. One that was told to follow and never got through may
// hold old data: that of before it started, or, by its history, that of a primary before.
func hasFollowed(s State, p Pod) bool {
	if p.Server.IsParked() {
		return false
	}
	hasHistory := s.RecordedHistory == "" || s.RecordedHistory == p.Server.ReplicationID || s.RecordedHistory == p.Server.ReplicationID2
	return p.Server.LinkUp || p.Server.LinkDownFor >= 0 && hasHistory
}

// isStale says that a replica may have lost its primary before that ended, or was still getting its copy, and so misses what was
// written since it lost it, or since the copy was begun: with much data, minutes. The primary has it, and comes back with it.
func isStale(s State, p Pod) bool {
	without := max(p.Server.LastIO, p.Server.LinkDownFor)
	switch {
	case !comesBack(s):
		return false
	case s.Silent != NeverHeard:
		return without > s.Silent+slackSeconds || !p.Synced && s.Waited < patienceSeconds
	case p.Server.LinkUp:
		return without > freshSeconds
	default:
		return s.Waited < patienceSeconds || without-s.Waited > freshSeconds
	}
}

// isLost says that the primary on record cannot come back soon: its host does not answer either.
func isLost(s State) bool {
	return slices.ContainsFunc(s.Pods, func(p Pod) bool { return p.Node == s.Recorded && p.HostDown })
}

// isCurrent says that a replica followed the last primary on record. One that was cut off during an earlier failover
// still follows the primary before, and misses what was written since.
func isCurrent(s State, p Pod) bool {
	return s.RecordedIP == "" || p.Node == s.Recorded || p.Server.PrimaryHost == s.RecordedIP
}

func onNode(pods []Pod, node int) *Pod {
	for i := range pods {
		if pods[i].Node == node {
			return &pods[i]
		}
	}
	return nil
}

// unseen names a node that may hold data and has not been seen; empty where there is none. Such are those that are wanted, and
// the one on record, which goes only after it has handed over.
func unseen(s State, candidates []Pod) string {
	if len(candidates) == 0 {
		return "no server answers yet"
	}
	for node := range max(s.Wanted, s.Recorded+1) {
		isThere := node < s.Wanted || node == s.Recorded && slices.ContainsFunc(s.Nodes, func(n Node) bool { return n.Index == node })
		if isThere && onNode(candidates, node) == nil {
			return fmt.Sprintf("node %d has to be seen before a primary is chosen, since it may hold data", node)
		}
	}
	return ""
}

// best is the candidate that is furthest. Of one history that is the one with the highest offset; a history that grew
// out of another at a promotion is further than that; of histories that have nothing in common, which should not be,
// the one with the most keys is taken.
func best(full []Pod) Pod {
	return slices.MaxFunc(full, func(a, b Pod) int {
		byNode := cmp.Compare(b.Node, a.Node)
		switch x, y := a.Server, b.Server; {
		case x.ReplicationID == y.ReplicationID:
			return cmp.Or(cmp.Compare(x.Offset, y.Offset), byNode)
		case x.ReplicationID2 == y.ReplicationID:
			return 1
		case y.ReplicationID2 == x.ReplicationID:
			return -1
		default:
			return cmp.Or(cmp.Compare(x.Keys, y.Keys), byNode)
		}
	})
}

// same says that all have the same history up to the same point.
func same(pods []Pod) bool {
	first := pods[0].Server
	for _, p := range pods[1:] {
		if p.Server.ReplicationID != first.ReplicationID || p.Server.Offset != first.Offset || p.Server.Keys != first.Keys {
			return false
		}
	}
	return true
}

func promote(p Pod, reason string) Roles {
	return Roles{
		Actions: []Action{{Kind: Promote, Pod: p, Role: v1alpha1.RolePrimary, Reason: reason}},
		Waiting: p.Name + " is being promoted",
	}
}
