package plan

import (
	"cmp"
	"fmt"
	"slices"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// elect chooses a primary where no server is one. The rules, in this order:
//   - Replicas that went on while the primary restarted have all that was replicated; the restarted one has what was on
//     disk. So the furthest of them takes over.
//   - After all were down, the node that was primary last is preferred, if it has data.
//   - One that is empty is chosen only once every wanted node was seen to be empty too: a server that starts empty must
//     never be promoted over one that has data.
//   - With no record, several nodes with data are not chosen between: offsets say nothing after all were down.
func elect(s State) Roles {
	candidates := filter(s.Pods, isCandidate)
	full := filter(candidates, hasData)
	recorded := onNode(candidates, s.Recorded)
	survivors := filter(full, hasFollowed)
	switch {
	case recorded != nil && hasRestarted(*recorded) && len(survivors) > 0:
		return promote(best(survivors), "the primary restarted, and this one went on")
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

func isCandidate(p Pod) bool {
	return p.Server != nil && !p.Server.Loading && !p.Server.Syncing && !p.Terminating
}

// hasRestarted says that the server has not been given a role since it started.
func hasRestarted(p Pod) bool { return p.Server.PrimaryPort != v1alpha1.Port }

// hasFollowed says that a replica had its full copy of the primary's data since it started. One that was told to follow
// and never got through may hold old data.
func hasFollowed(p Pod) bool {
	return p.Server.PrimaryPort == v1alpha1.Port && (p.Server.LinkUp || p.Server.LinkDownFor >= 0)
}

func onNode(pods []Pod, node int) *Pod {
	for i := range pods {
		if pods[i].Node == node {
			return &pods[i]
		}
	}
	return nil
}

// unseen names a wanted node that may hold data and has not been seen; empty where there is none.
func unseen(s State, candidates []Pod) string {
	if len(candidates) == 0 {
		return "no server answers yet"
	}
	for node := range s.Wanted {
		if onNode(candidates, node) == nil {
			return fmt.Sprintf("node %d has to be seen before a primary is chosen, since it may hold data", node)
		}
	}
	return ""
}

// best is the candidate that is furthest: of one history the highest offset; of several, which should not be, the one
// with the most keys.
func best(full []Pod) Pod {
	return slices.MaxFunc(full, func(a, b Pod) int {
		if a.Server.ReplicationID == b.Server.ReplicationID {
			return cmp.Or(cmp.Compare(a.Server.Offset, b.Server.Offset), cmp.Compare(b.Node, a.Node))
		}
		return cmp.Or(cmp.Compare(a.Server.Keys, b.Server.Keys), cmp.Compare(b.Node, a.Node))
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
