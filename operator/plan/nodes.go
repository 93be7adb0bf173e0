package plan

import (
	"fmt"
	"slices"
)

// Wish is what is to become of one node.
type Wish string

const (
	// Run starts the node, or keeps it running as it is.
	Run Wish = "Run"
	// Roll gives the node its new pod template, which replaces its pod.
	Roll Wish = "Roll"
	// Stop ends the node's pod and keeps its claim.
	Stop Wish = "Stop"
	// Remove ends the node; its claim follows the reclaim policy.
	Remove Wish = "Remove"
)

// NodeWish is a wish for one node.
type NodeWish struct {
	Index int
	Wish  Wish
}

// Topology is what Arrange decides.
type Topology struct {
	Nodes []NodeWish
	// Actions is a handover that has to come first.
	Actions []Action
	// Waiting says in words what is waited for.
	Waiting string
	// Unrecorded says that nothing is decided before the change of the primary is on record.
	Unrecorded bool
	// NoSuccessor says that a handover has to come first, and no replica is in sync to take over.
	NoSuccessor bool
}

// Arrange decides which nodes run. Nodes with a higher index go first; the primary stops last, after it has handed
// over where another node goes on; a roll takes replicas first, one at a time, each in sync before the next.
func Arrange(s State, r Roles) Topology {
	if r.Primary != nil && s.Recorded != NoNode && r.Primary.Node != s.Recorded {
		// No node goes before it is on record who the primary is now: where the operator ended in between, and the servers after
		// it, the next one would begin with the wrong one.
		return Topology{Unrecorded: true}
	}
	if s.Wanted == 0 {
		return stop(s, r)
	}
	var t Topology
	for i := range s.Wanted {
		t.Nodes = append(t.Nodes, NodeWish{i, Run})
	}
	t.remove(s, r)
	if len(t.Actions) == 0 {
		t.vacate(s, r)
	}
	if len(t.Actions) == 0 {
		t.roll(s, r)
	}
	return t
}

// vacate moves the primary away from a pod that is being deleted or a host that is being drained, or to the node that a
// person asked for.
func (t *Topology) vacate(s State, r Roles) {
	p := r.Primary
	if p == nil || s.Wanted < 2 {
		return
	}
	wanted := func(other Pod) bool { return other.Node < s.Wanted }
	switch {
	case p.Terminating:
		t.handOver(s, r, wanted, "its pod is being deleted")
	case s.HandOverTo != NoNode && s.HandOverTo != p.Node:
		t.handOver(s, r, func(other Pod) bool { return other.Node == s.HandOverTo }, "a person asked for it")
	case p.Cordoned:
		t.handOver(s, r, func(other Pod) bool { return wanted(other) && !other.Cordoned }, "its host is being drained")
	}
}

// remove takes away the nodes that are not wanted any more, but not the primary: node 0 takes over from it first.
func (t *Topology) remove(s State, r Roles) {
	for _, n := range s.Nodes {
		if n.Index < s.Wanted {
			continue
		}
		if primaryNode(s, r) == n.Index {
			t.Nodes = append(t.Nodes, NodeWish{n.Index, Run})
			t.handOver(s, r, func(p Pod) bool { return p.Node < s.Wanted }, "its node is to be removed")
			continue
		}
		t.Nodes = append(t.Nodes, NodeWish{n.Index, Remove})
	}
}

// roll lets one outdated node at a time take its new template, replicas with a high index first and the primary last,
// and only while all others are in sync. A node that is broken anyway takes it at once: that is how a bad image or a
// bad directive is mended.
func (t *Topology) roll(s State, r Roles) {
	next := NoNode
	for _, n := range s.Nodes {
		switch {
		case n.Index >= s.Wanted || !n.Outdated:
		case isBroken(s, n.Index):
			t.wish(n.Index, Roll)
		case next == NoNode || next == primaryNode(s, r) || (n.Index > next && n.Index != primaryNode(s, r)):
			next = n.Index
		}
	}
	if next == NoNode {
		return
	}
	for i := range s.Wanted {
		if !inSync(s, r, i) && s.Wanted > 1 {
			t.Waiting = fmt.Sprintf("node %d has to be in sync before node %d is rolled", i, next)
			return
		}
	}
	if next == primaryNode(s, r) && s.Wanted > 1 {
		t.handOver(s, r, func(p Pod) bool { return p.Node < s.Wanted }, "its node is to be rolled")
		return
	}
	t.wish(next, Roll)
}

func (t *Topology) wish(node int, w Wish) {
	for i := range t.Nodes {
		if t.Nodes[i].Index == node {
			t.Nodes[i].Wish = w
		}
	}
}

// isBroken says that neither the kubelet nor the operator gets an answer from the node. One of them alone may have
// lost its network.
func isBroken(s State, node int) bool {
	for _, p := range s.Pods {
		if p.Node == node && (p.Ready || p.Server != nil) {
			return false
		}
	}
	return true
}

// stop ends the replicas first, so that the primary has all writes when it ends; node 0 is made the primary before,
// so that any later number of nodes starts from it.
func stop(s State, r Roles) Topology {
	var t Topology
	primary := primaryNode(s, r)
	if primary > 0 && r.Primary != nil {
		for _, n := range s.Nodes {
			t.Nodes = append(t.Nodes, NodeWish{n.Index, Run})
		}
		t.handOver(s, r, func(p Pod) bool { return p.Node == 0 }, "the servers are to be stopped, and node 0 starts first")
		return t
	}
	others := false
	for _, p := range s.Pods {
		others = others || p.Node != primary
	}
	for _, n := range s.Nodes {
		wish := Stop
		if n.Index == primary && others {
			wish = Run
		}
		t.Nodes = append(t.Nodes, NodeWish{n.Index, wish})
	}
	return t
}

// handOver asks the primary to change places with the best replica that may, or says what it waits for.
func (t *Topology) handOver(s State, r Roles, may func(Pod) bool, reason string) {
	if r.Primary == nil || !r.Primary.IsPrimary() {
		t.Waiting = "there is no primary to hand over from yet"
		return
	}
	if r.Primary.Server.HandingOver() {
		t.Waiting = r.Primary.Name + " is handing over"
		return
	}
	targets := filter(successors(s, *r.Primary), may)
	if len(targets) == 0 {
		t.Waiting, t.NoSuccessor = "no replica in sync to hand over to yet", true
		return
	}
	t.Actions = []Action{{Kind: HandOver, Pod: *r.Primary, To: best(targets), Reason: reason}}
}

// Successor is the replica that a primary would best hand over to, and whether there is one.
func Successor(s State, primary Pod) (Pod, bool) {
	targets := filter(successors(s, primary), func(p Pod) bool { return p.Node < s.Wanted && !p.Cordoned })
	if len(targets) == 0 {
		return Pod{}, false
	}
	return best(targets), true
}

// successors are the replicas that a primary can hand over to: in sync, and listed by it. One whose pod is about to be replaced
// would have to hand over again; it is taken only by a primary that ends itself.
func successors(s State, primary Pod) []Pod {
	return filter(s.Pods, func(p Pod) bool {
		return p.UID != primary.UID && isCandidate(p) && p.Server.IsReplicaOf(primary.IP) && p.Server.LinkUp && online(primary, p) &&
			(isSettled(s, p.Node) || primary.Terminating)
	})
}

// isSettled says that a node's Deployment has carried out what it was told.
func isSettled(s State, node int) bool {
	return !slices.ContainsFunc(s.Nodes, func(n Node) bool { return n.Index == node && !n.Settled })
}

// online says that the primary lists the replica as one that follows.
func online(primary, replica Pod) bool {
	for _, known := range primary.Server.Replicas {
		if known.Host == replica.IP && known.Online {
			return true
		}
	}
	return false
}

// inSync says that a node serves: the primary, or a replica with its link up; and that its Deployment has settled.
func inSync(s State, r Roles, node int) bool {
	if !isSettled(s, node) {
		return false
	}
	for _, p := range s.Pods {
		if p.Node != node || p.Server == nil || p.Terminating || p.Server.Loading {
			continue
		}
		if r.Primary != nil && p.UID == r.Primary.UID {
			return p.IsPrimary()
		}
		return r.Primary != nil && p.Server.IsReplicaOf(r.Primary.IP) && p.Server.LinkUp && !p.Server.Syncing
	}
	return false
}

// primaryNode is the node of the primary, or of the last one on record.
func primaryNode(s State, r Roles) int {
	if r.Primary != nil {
		return r.Primary.Node
	}
	return s.Recorded
}
