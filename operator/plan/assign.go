package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Assign decides the roles. A running primary stays what it is; where there is none one is elected; everybody else
// follows it. Labels follow what the servers say, so that the Service moves only after the promotion held.
func Assign(s State) Roles {
	pods := slices.Clone(s.Pods)
	slices.SortFunc(pods, func(a, b Pod) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), strings.Compare(a.UID, b.UID))
	})
	s.Pods = pods

	var r Roles
	switch primaries := serving(pods); {
	case isBetween(pods):
		return between(pods)
	case len(primaries) == 1:
		r.Primary = &primaries[0]
	case len(primaries) > 1:
		r.Primary = keep(s, primaries)
		if r.Primary == nil {
			r.Ambiguous = ambiguous(primaries, "take writes at the same time")
		}
	case s.Wanted > 0:
		r = elect(s)
	}
	if r.Primary == nil {
		if len(r.Actions) == 0 {
			r.Actions = unlabelPrimaries(pods, "")
			return r
		}
		// The label goes before the promotion, so that no client is led to two primaries.
		promoted := r.Actions[0].Pod
		r.Actions = slices.Concat(unlabelPrimaries(pods, promoted.UID), depose(s, promoted), r.Actions)
		return r
	}
	r.Actions = append(r.Actions, moveLabel(s, *r.Primary)...)
	r.Actions = append(r.Actions, follow(s, *r.Primary)...)
	r.Actions = append(r.Actions, fence(s, *r.Primary)...)
	return r
}

// serving are the pods whose servers are primaries.
func serving(pods []Pod) []Pod {
	return filter(pods, Pod.IsPrimary)
}

// keep chooses between several primaries: the one that clients were sent to, or else the one on record. Only where all
// but one are empty does the choice need neither.
func keep(s State, primaries []Pod) *Pod {
	for _, claim := range []func(Pod) bool{
		func(p Pod) bool { return p.Role == v1alpha1.RolePrimary },
		func(p Pod) bool { return p.Node == s.Recorded },
		func(p Pod) bool { return p.Server.Keys > 0 },
	} {
		if those := filter(primaries, claim); len(those) == 1 {
			return &those[0]
		}
	}
	if len(filter(primaries, hasData)) == 0 {
		return &primaries[0]
	}
	if isOneFamily(primaries) {
		// An operator that died between two steps promoted one after the other; clients were led to neither.
		chosen := best(primaries)
		return &chosen
	}
	return nil
}

// isOneFamily says that all were replicas of one primary before.
func isOneFamily(primaries []Pod) bool {
	parent := primaries[0].Server.ReplicationID2
	return strings.Trim(parent, "0") != "" && len(filter(primaries, func(p Pod) bool { return p.Server.ReplicationID2 == parent })) == len(primaries)
}

// moveLabel gives the primary its label, and before that takes it from the pod that has it. The Service goes first, in one
// step; the clients of the old primary are sent away last, when there is somewhere to go.
func moveLabel(s State, primary Pod) []Action {
	gives := label(primary, v1alpha1.RolePrimary)
	takes := unlabelPrimaries(s.Pods, primary.UID)
	var out []Action
	if len(gives) > 0 && s.Recorded != NoNode && isAlone(s, primary) {
		out = append(out, Action{Kind: Lead, Pod: primary, Reason: "it is the primary now"})
	}
	out = append(append(out, takes...), gives...)
	for _, a := range takes {
		if a.Pod.Server != nil {
			out = append(out, Action{Kind: Drop, Pod: a.Pod, Reason: "it is not the primary any more"})
		}
	}
	return out
}

// isAlone says that no other pod of the node is there, which the Service would lead to as well.
func isAlone(s State, pod Pod) bool {
	return len(filter(s.Pods, func(p Pod) bool { return p.Node == pod.Node })) == 1
}

// unlabelPrimaries takes the primary's label from every pod but one.
func unlabelPrimaries(pods []Pod, but string) []Action {
	var out []Action
	for _, p := range pods {
		if p.Role == v1alpha1.RolePrimary && p.UID != but && (but != "" || isDemoted(p)) {
			out = append(out, Action{Kind: Unlabel, Pod: p, Reason: "it is not the primary"})
		}
	}
	return out
}

// depose has the primary before take no more writes once another is promoted: one that is frozen comes back at any moment, and
// what it took until it is seen would be lost.
func depose(s State, promoted Pod) []Action {
	var out []Action
	for _, p := range s.Pods {
		if p.UID != promoted.UID && p.Server == nil && !p.Gone && (p.Role == v1alpha1.RolePrimary || p.IP == s.RecordedIP) {
			out = append(out, Action{Kind: Depose, Pod: p, Reason: "it does not answer, and another is promoted"})
		}
	}
	return out
}

// isDemoted says that a pod is known not to be a primary. One that merely does not answer keeps its label: there is
// nobody better to send clients to.
func isDemoted(p Pod) bool {
	return p.Server != nil && !p.IsPrimary()
}

func label(p Pod, role v1alpha1.Role) []Action {
	if p.Role == role || p.Server == nil || p.Server.Role != role {
		return nil
	}
	return []Action{{Kind: Label, Pod: p, Role: role}}
}

// follow makes every other server that is wanted a replica of the primary, and labels those that are.
func follow(s State, primary Pod) []Action {
	if !primary.IsPrimary() || primary.Server.Loading || primary.Server.HandingOver() {
		return nil // REPLICAOF during a handover would break it
	}
	var out []Action
	for _, p := range s.Pods {
		if p.UID == primary.UID || p.Server == nil {
			continue
		}
		if p.Server.IsReplicaOf(primary.IP) {
			out = append(out, label(p, v1alpha1.RoleReplica)...)
			continue
		}
		if p.Role == v1alpha1.RoleReplica {
			out = append(out, Action{Kind: Unlabel, Pod: p, Reason: "it does not follow the primary"})
		}
		if p.Node < s.Wanted && !p.Server.Loading && !p.Terminating {
			out = append(out, Action{Kind: Follow, Pod: p, To: primary, Reason: followReason(p)})
		}
	}
	return out
}

// fence keeps a primary that was cut off from everybody from taking writes that would be lost: with three nodes or more
// it needs a replica that acknowledges. While only one replica is left the fence is down, since that one's end would
// stop all writes; with two nodes there is none for the same reason.
func fence(s State, primary Pod) []Action {
	if !primary.IsPrimary() || primary.Server.Loading || primary.Server.HandingOver() {
		return nil
	}
	linked := filter(s.Pods, func(p Pod) bool {
		return p.UID != primary.UID && p.Server != nil && !p.Terminating && p.Node < s.Wanted &&
			p.Server.IsReplicaOf(primary.IP) && p.Server.LinkUp && online(primary, p)
	})
	want := s.Wanted >= 3 && len(linked) >= 2
	switch {
	case want && !primary.Server.Fenced:
		return []Action{{Kind: Fence, Pod: primary, Reason: "two replicas follow"}}
	case !want && primary.Server.Fenced:
		return []Action{{Kind: Unfence, Pod: primary, Reason: "fewer than two replicas follow"}}
	default:
		return nil
	}
}

func followReason(p Pod) string {
	switch {
	case p.IsPrimary():
		return "two servers took writes"
	case p.Server.IsParked():
		return "it has started"
	default:
		return "it followed " + p.Server.PrimaryHost
	}
}

// isBetween says that a primary has stepped down in a handover and its successor has not taken over yet.
func isBetween(pods []Pod) bool {
	return len(serving(pods)) == 0 && slices.ContainsFunc(pods, func(p Pod) bool { return p.Server != nil && p.Server.HandingOver() })
}

// between leaves a handover alone in which neither of the two is a primary for a moment: a REPLICAOF now would break
// it. Only where the successor is known to be gone, the old primary takes its place back.
func between(pods []Pod) Roles {
	for _, p := range pods {
		if p.Server == nil || !p.Server.HandingOver() {
			continue
		}
		successor := slices.IndexFunc(pods, func(other Pod) bool { return other.IP == p.Server.PrimaryHost && !other.Gone })
		if successor < 0 {
			return Roles{
				Actions: []Action{{Kind: Abort, Pod: p, Reason: "its successor is gone"}},
				Waiting: p.Name + " takes its place back, since its successor is gone",
			}
		}
	}
	return Roles{Waiting: "a handover is under way"}
}

func hasData(p Pod) bool { return p.Server.Keys > 0 }

func filter(pods []Pod, is func(Pod) bool) []Pod {
	var out []Pod
	for _, p := range pods {
		if is(p) {
			out = append(out, p)
		}
	}
	return out
}

func ambiguous(pods []Pod, what string) string {
	said := make([]string, 0, len(pods))
	for _, p := range pods {
		said = append(said, fmt.Sprintf("%s (%d keys)", p.Name, p.Server.Keys))
	}
	return strings.Join(said, " and ") + " " + what + " and nothing says which is right: look at both, then empty the" +
		" wrong one (valkey-cli FLUSHALL after REPLICAOF NO ONE on it, or delete its claim and pod)"
}
