package plan

import (
	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

const (
	// NoNode is the index of no node.
	NoNode = -1
	// NeverHeard is for how long a primary has been silent that was never heard of.
	NeverHeard = -1
)

// Pod is one pod of a node. A node can have two for a while: one that ends, and one that waits for its lock.
type Pod struct {
	UID  string
	Name string
	IP   string
	// Node is the index of the node that the pod belongs to.
	Node int
	// Role is what the pod's label says.
	Role v1alpha1.Role
	// Ready is the pod's condition.
	Ready bool
	// Terminating says that the pod was told to end.
	Terminating bool
	// Cordoned says that the pod's host takes no new pods: it is about to be drained.
	Cordoned bool
	// HostDown says that Kubernetes has lost the pod's host.
	HostDown bool
	// Gone says that the server cannot be alive: its container does not run, or its port refuses connections. A server
	// that merely does not answer may be slow, or cut off.
	Gone bool
	// Synced says that this operator has seen the server with a whole copy of the primary's data since it last began to get one.
	Synced bool
	// Server is what the server said; nil where it did not answer.
	Server *info.Server
}

// IsPrimary says that the pod's server answers and is a primary.
func (p Pod) IsPrimary() bool { return p.Server != nil && p.Server.Role == v1alpha1.RolePrimary }

// Node is one node as far as Kubernetes knows it.
type Node struct {
	Index int
	// Outdated says that its pod template is not what it should be: it has to be rolled.
	Outdated bool
	// Settled says that its Deployment has carried out what it was told.
	Settled bool
}

// State is what was wanted and what was observed.
type State struct {
	// Wanted is the number of servers wanted.
	Wanted int
	// Recorded is the index of the node that was primary last, or NoNode. Whoever carries actions out records another one before
	// an action that Leads to it.
	Recorded int
	// RecordedIP is the address that it had then, empty where that is not known.
	RecordedIP string
	// RecordedHistory is the replication ID that it had then, empty where that is not known.
	RecordedHistory string
	// Volatile says that the data does not outlive the servers' processes: there is no volume.
	Volatile bool
	// Silent is for how many seconds this operator has not heard of the primary on record, NeverHeard where it never did.
	Silent int64
	// Waited is for how many seconds this operator has seen no primary.
	Waited int64
	// HandOverTo is the index of the node that a person wants to be the primary, or NoNode.
	HandOverTo int
	// Nodes are the nodes that exist, by index.
	Nodes []Node
	Pods  []Pod
}

// Kind says what an action does.
type Kind string

const (
	// Unlabel takes the role label from the pod.
	Unlabel Kind = "Unlabel"
	// Label gives the pod the role label Role.
	Label Kind = "Label"
	// Lead has the Service lead to the pod's node, whatever the labels say, until they have been moved: so it moves in one
	// step, not by way of none.
	Lead Kind = "Lead"
	// Drop closes the connections of the clients of the pod's server, a primary before: they come back by the Service.
	Drop Kind = "Drop"
	// Depose has the pod's server, a primary that does not answer, take no more writes from when it comes back.
	Depose Kind = "Depose"
	// Promote makes the pod's server a primary.
	Promote Kind = "Promote"
	// Follow makes the pod's server a replica of To.
	Follow Kind = "Follow"
	// HandOver makes the pod's server, a primary, change places with To.
	HandOver Kind = "HandOver"
	// Abort ends a handover of the pod's server whose successor is gone.
	Abort Kind = "Abort"
	// Fence makes the pod's server, a primary, refuse writes that no replica acknowledges.
	Fence Kind = "Fence"
	// Unfence lets it take them again.
	Unfence Kind = "Unfence"
)

// Action is one step on one pod.
type Action struct {
	Kind Kind
	Pod  Pod
	// Role goes with Label.
	Role v1alpha1.Role
	// To goes with Follow and HandOver.
	To Pod
	// Reason says in words why, for an event.
	Reason string
}

// Leads says that clients are led to the pod by it: by then it has to be on record as the primary.
func (a Action) Leads() bool {
	return a.Kind == Lead || a.Kind == Label && a.Role == v1alpha1.RolePrimary
}

// Roles is what Assign decides.
type Roles struct {
	Actions []Action
	// Primary is the pod whose server is the primary, nil while there is none.
	Primary *Pod
	// Waiting says in words what is waited for, while there is no primary.
	Waiting string
	// Ambiguous says in words why only a person can choose a primary.
	Ambiguous string
}
