package controller

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
	"kuberly.io/valkey-operator/operator/plan"
	"kuberly.io/valkey-operator/operator/resources"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

// scope is one reconcile of one Valkey: what was gathered, what was decided, and what has been done.
type scope struct {
	r *Reconciler
	v *v1alpha1.Valkey

	// live are the children in the cache, ours or not.
	live  map[childKey]resources.Object
	nodes map[int]*node
	// gathered says that live and nodes are filled.
	gathered bool
	login    resources.Credentials

	// seen and unreachable hold what each running pod answered, by UID.
	seen        map[string]info.Server
	unreachable map[string]error

	state    plan.State
	roles    plan.Roles
	topology plan.Topology
	warnings map[string]string

	// beside is a problem that does not stop the rest: a claim that cannot grow.
	beside *conditions.Problem
	// changed says that something was written, in Kubernetes or in a server.
	changed bool
	again   time.Duration
	// handingOver says that a primary was just told to hand over.
	handingOver bool
	// recorded is what was just written down as the primary.
	recorded primary
	// led is where the Service was just made to lead.
	led struct {
		node  int
		since time.Time
	}
}

type childKey struct{ kind, name string }

// primary is a primary as the status names it: its node, the address of its pod, and the replication ID of its data.
type primary struct{ node, address, history string }

// node is what the cache holds of one node.
type node struct {
	index      int
	deployment *appsv1.Deployment
	claim      *corev1.PersistentVolumeClaim
	pods       []*corev1.Pod
	// outdated says that the Deployment's pod template is not what it should be, asWanted that nothing of it differs from
	// a running node's.
	outdated, asWanted bool
}

// isSettled says that the node's Deployment has carried out what it was told: no pod of an earlier template is left.
func (n *node) isSettled() bool {
	d := n.deployment
	return d == nil || d.Status.ObservedGeneration >= d.Generation && d.Status.UpdatedReplicas == d.Status.Replicas
}

func newScope(r *Reconciler, v *v1alpha1.Valkey) *scope {
	return &scope{
		r: r, v: v,
		live: map[childKey]resources.Object{}, nodes: map[int]*node{},
		seen: map[string]info.Server{}, unreachable: map[string]error{}, warnings: map[string]string{},
	}
}

// after asks for a next look after d at the latest.
func (s *scope) after(d time.Duration) {
	if d > 0 && (s.again == 0 || d < s.again) {
		s.again = d
	}
}

func (s *scope) node(i int) *node {
	if s.nodes[i] == nil {
		s.nodes[i] = &node{index: i}
	}
	return s.nodes[i]
}

func (s *scope) operatorLogin() valkey.Login {
	return valkey.Login{User: v1alpha1.UserOperator, Password: s.login.Operator}
}

// holder is the pod that has the node's data: the one whose server answers, or else the newest that is not ending.
func (n *node) holder(answers func(*corev1.Pod) bool) *corev1.Pod {
	var best *corev1.Pod
	for _, pod := range n.pods {
		if answers(pod) {
			return pod
		}
		if best == nil || (best.DeletionTimestamp != nil && pod.DeletionTimestamp == nil) {
			best = pod
		}
	}
	return best
}
