// Package roster joins what is known of each node of one Valkey: what the operator says in the status, what the cluster says of
// the pods and what the servers say of themselves. It is pure.
package roster

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/server"
)

// Node is one pod of a node, or a node that has none.
type Node struct {
	kube.Node
	// Role is what the server says it is, else what the operator has made it.
	Role v1alpha1.Role
	// Message is why the operator does not count it as ready.
	Message string
	// Reading is what its server said; nil where it was not asked or never answered.
	Reading *server.Reading
	// HasPod says whether there is a pod at all, as far as it is known.
	HasPod bool

	// Behind and Since are how far a replica lies behind in bytes, and how many seconds ago it was heard of; KnowsLag says
	// whether they are known.
	Behind, Since int64
	KnowsLag      bool
}

// Info is the last that the server said; nil where it said nothing.
func (n *Node) Info() *server.Info {
	if n.Reading == nil {
		return nil
	}
	return n.Reading.Info
}

// Problem says why the server cannot be looked at now.
func (n *Node) Problem() string {
	if n.Reading == nil {
		return ""
	}
	return n.Reading.Problem
}

// IsPrimary says whether it serves writes.
func (n *Node) IsPrimary() bool { return n.Role == v1alpha1.RolePrimary }

// Short is the name of the node without that of its Valkey: node-0.
func Short(node, valkey string) string { return strings.TrimPrefix(node, valkey+"-") }

// Of joins what is known, in the order of the nodes.
func Of(d kube.Detail, readings []server.Reading) []Node {
	status := map[string]v1alpha1.NodeStatus{}
	if d.Valkey != nil {
		for _, s := range d.Valkey.Status.Nodes {
			status[s.Name] = s
		}
	}
	nodes := make([]Node, 0, len(d.Nodes))
	for _, pod := range d.Nodes {
		n := Node{Node: pod, Role: pod.Role, HasPod: true}
		if s, found := status[pod.Name]; found && (s.Pod == pod.Pod || s.Pod == "") {
			n.Message, n.Ready = s.Message, s.Ready
			n.Role = cmp.Or(n.Role, s.Role)
		}
		nodes = append(nodes, n)
	}
	if d.Valkey != nil {
		nodes = append(nodes, withoutPod(d, nodes)...)
	}
	for i := range nodes {
		nodes[i].read(readings)
	}
	if p := primaryOf(nodes); p != nil {
		for i := range nodes {
			nodes[i].measure(p)
		}
	}
	return nodes
}

// withoutPod are the nodes that only the status knows: there is no pod, or it may not be seen.
func withoutPod(d kube.Detail, nodes []Node) []Node {
	var more []Node
	for _, s := range d.Valkey.Status.Nodes {
		if slices.ContainsFunc(nodes, func(n Node) bool { return n.Name == s.Name }) {
			continue
		}
		n := Node{Role: s.Role, Message: s.Message, HasPod: s.Pod != "" && d.PodsProblem != nil}
		n.Node = kube.Node{Name: s.Name, Pod: s.Pod, Host: s.Host, Ready: s.Ready, Role: s.Role}
		if !n.HasPod {
			n.State = "no pod"
		}
		more = append(more, n)
	}
	return more
}

func (n *Node) read(readings []server.Reading) {
	if n.Pod == "" {
		return
	}
	i := slices.IndexFunc(readings, func(r server.Reading) bool { return r.Pod == n.Pod })
	if i < 0 {
		return
	}
	n.Reading = &readings[i]
	// What the server says counts, unless it is the last word of one that is silent now.
	if n.Reading.Info != nil && n.Reading.Problem == "" {
		n.Role = n.Reading.Info.Role
	}
}

// primaryOf is the node that says it is the primary, and is labelled so where more than one says it.
func primaryOf(nodes []Node) *Node {
	var found *Node
	for i := range nodes {
		n := &nodes[i]
		if n.Info() == nil || n.Info().Role != v1alpha1.RolePrimary || n.Problem() != "" {
			continue
		}
		if found == nil || n.Node.Role == v1alpha1.RolePrimary {
			found = n
		}
	}
	return found
}

// measure finds how far a replica lies behind the primary.
func (n *Node) measure(primary *Node) {
	i := n.Info()
	if n == primary || i == nil || i.Role != v1alpha1.RoleReplica {
		return
	}
	n.Behind, n.Since, n.KnowsLag = primary.Info().Lag(n.IP)
	if !n.KnowsLag && n.Problem() == "" && i.LinkUp {
		// Both were asked at about the same time, which is not the same moment.
		n.Behind, n.Since, n.KnowsLag = max(primary.Info().Offset-i.Offset, 0), max(i.LastIO, 0), true
	}
}

// Pods are the pods whose servers can be asked.
func Pods(d kube.Detail) []string {
	var pods []string
	for _, n := range d.Nodes {
		if n.IP != "" && (n.State == "" || n.Ending) {
			pods = append(pods, n.Pod)
		}
	}
	if d.PodsProblem != nil && len(d.Nodes) == 0 && d.Valkey != nil {
		for _, s := range d.Valkey.Status.Nodes {
			if s.Pod != "" {
				pods = append(pods, s.Pod)
			}
		}
	}
	return pods
}

// Best is the place of the replica that loses least as a primary; -1 where none can be one.
func Best(nodes []Node) int {
	best := -1
	for i := range nodes {
		if n := &nodes[i]; !CanLead(n) || best >= 0 && !isBetter(n, &nodes[best]) {
			continue
		}
		best = i
	}
	return best
}

// CanLead says whether a node is a replica that is ready.
func CanLead(n *Node) bool { return !n.IsPrimary() && n.Ready && n.HasPod && !n.Ending }

func isBetter(a, b *Node) bool {
	switch {
	case a.KnowsLag != b.KnowsLag:
		return a.KnowsLag
	case a.Behind != b.Behind:
		return a.Behind < b.Behind
	default:
		return a.Since < b.Since
	}
}

// Step is where a node stands in a roll.
type Step int

const (
	// Waits for its turn.
	Waits Step = iota
	// Now is being replaced.
	Now
	// Done runs anew and is ready.
	Done
)

// Steps are where the nodes stand in a roll that began at a time, by node.
func Steps(nodes []Node, since time.Time) map[string]Step {
	steps := map[string]Step{}
	for i := range nodes {
		n := &nodes[i]
		isNew := n.HasPod && !n.Created.IsZero() && !n.Created.Before(since.Truncate(time.Second))
		step := Waits
		switch {
		case isNew && n.Ready && !n.Ending:
			step = Done
		case isNew, n.Ending, !n.HasPod:
			step = Now
		}
		// Of two pods of one node the new one counts.
		if known, found := steps[n.Name]; !found || step > known {
			steps[n.Name] = step
		}
	}
	return steps
}

// Lag is how far a replica lies behind, in words: 1.5Mi 2s.
func Lag(n *Node) string { return Size(n.Behind) + " " + strconv.FormatInt(n.Since, 10) + "s" }
