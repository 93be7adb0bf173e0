package controller

import (
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
	"kuberly.io/valkey-operator/operator/plan"
	"kuberly.io/valkey-operator/operator/resources"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

const (
	// suspense is how long a look lasts at the most for replicas that are about to call their primary quiet: a living one
	// pings them within it, and the next look would cost a second again for the one that does not answer. Servers count whole
	// seconds, on a clock that is up to a tenth behind.
	suspense    = 1300 * time.Millisecond
	suspenseGap = 100 * time.Millisecond
)

// observe asks every server whose container runs, all at once, and makes the state that decisions are made from. A
// server that answers is told its users first: its ACL file may be older than the Secret.
func (s *scope) observe(ctx context.Context) error {
	users := s.users()
	s.askAll(ctx, users, runs)
	if len(s.unreachable) > 0 && !s.hasPrimary() {
		// That it does not answer took a second or two to find, and how long its replicas have not heard from it decides
		// what becomes of it: what they said before is old.
		_ = wait.PollUntilContextTimeout(ctx, suspenseGap, suspense, true, func(ctx context.Context) (bool, error) {
			s.askAll(ctx, users, s.isLinkedReplica)
			return !s.isSuspended(), nil
		}) // what they said last counts, also where the time is over
	}
	s.state = s.stateOf(ctx)
	return nil
}

func (s *scope) askAll(ctx context.Context, users []valkey.User, which func(*corev1.Pod) bool) {
	var pods []*corev1.Pod
	for _, n := range s.nodes {
		for _, pod := range n.pods {
			if which(pod) {
				pods = append(pods, pod)
			}
		}
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, pod := range pods {
		wg.Go(func() {
			server, err := s.ask(ctx, pod, users)
			mu.Lock()
			defer mu.Unlock()
			if uid := string(pod.UID); err != nil {
				s.unreachable[uid] = err
				delete(s.seen, uid)
			} else {
				s.seen[uid] = server
			}
		})
	}
	wg.Wait()
}

// hasPrimary says that a primary answers: then nothing depends on when its replicas last heard from it.
func (s *scope) hasPrimary() bool {
	for _, server := range s.seen {
		if server.Role == v1alpha1.RolePrimary {
			return true
		}
	}
	return false
}

// isSuspended says that replicas have missed one ping of their primary and not two yet: a moment more decides.
func (s *scope) isSuspended() bool {
	heard := int64(plan.QuietSeconds)
	for _, server := range s.seen {
		if server.Role == v1alpha1.RoleReplica && server.LinkUp {
			heard = min(heard, server.LastIO)
		}
	}
	return heard == plan.QuietSeconds-1
}

func (s *scope) isLinkedReplica(pod *corev1.Pod) bool {
	server, isSeen := s.seen[string(pod.UID)]
	return isSeen && server.Role == v1alpha1.RoleReplica && server.LinkUp
}

// users are the users that every server is to have; nil while the admin's password is not known.
func (s *scope) users() []valkey.User {
	if s.login.Admin == "" {
		return nil
	}
	var users []valkey.User
	for _, u := range resources.Users(s.v, s.login) {
		users = append(users, valkey.User(u))
	}
	return users
}

func (s *scope) ask(ctx context.Context, pod *corev1.Pod, users []valkey.User) (info.Server, error) {
	t := s.target(pod)
	server, err := s.r.Servers.Observe(ctx, t, s.operatorLogin())
	if err != nil {
		log.FromContext(ctx).V(1).Info("server does not answer", "pod", pod.Name, "reason", err.Error())
		return server, err
	}
	if server.Loading || users == nil {
		return server, nil // a server that loads takes no ACL command
	}
	told, err := s.r.Servers.SetUsers(ctx, t, s.operatorLogin(), server.RunID, users)
	if told {
		log.FromContext(ctx).V(1).Info("told the server its users", "pod", pod.Name)
	}
	return server, err
}

func (s *scope) target(pod *corev1.Pod) valkey.Target {
	return valkey.Target{
		ID: string(pod.UID), Owner: s.v.Name, Namespace: pod.Namespace, Pod: pod.Name, IP: pod.Status.PodIP, Port: v1alpha1.Port,
	}
}

func runs(pod *corev1.Pod) bool {
	if pod.Status.PodIP == "" {
		return false
	}
	for _, c := range pod.Status.ContainerStatuses {
		if c.Name == v1alpha1.ContainerName {
			return c.State.Running != nil
		}
	}
	return false
}

// stateOf is the state as the plan package takes it.
func (s *scope) stateOf(ctx context.Context) plan.State {
	st := plan.State{
		Wanted: s.v.WantedReplicas(), Recorded: plan.NoNode, RecordedIP: s.v.Status.PrimaryAddress,
		RecordedHistory: s.v.Status.ReplicationID, HandOverTo: s.requestedNode(), Volatile: !s.v.Spec.Volume.Enabled,
	}
	st.Silent, st.Waited = s.absence()
	for _, i := range s.indices() {
		n := s.nodes[i]
		if s.v.Status.Primary == s.v.NodeName(i) || s.v.Status.Primary == "" && wasPrimary(n) {
			st.Recorded = i
		}
		if n.deployment != nil {
			st.Nodes = append(st.Nodes, plan.Node{Index: i, Settled: n.isSettled()})
		}
		for _, pod := range n.pods {
			st.Pods = append(st.Pods, s.podState(ctx, i, pod))
		}
	}
	return st
}

// absence says for how many seconds the primary on record has not been heard of, and for how many this operator has seen none.
func (s *scope) absence() (silent, waited int64) {
	name, now := client.ObjectKeyFromObject(s.v), s.r.Clock.Now()
	if s.hasPrimary() {
		s.r.absent.Delete(name)
		return 0, 0
	}
	silent = plan.NeverHeard
	before := valkey.Target{Namespace: name.Namespace, Owner: name.Name, IP: s.v.Status.PrimaryAddress}
	if at, heard := s.r.Servers.Heard(before); heard {
		silent = int64(now.Sub(at).Seconds())
	}
	since, _ := s.r.absent.LoadOrStore(name, now)
	return silent, int64(now.Sub(since.(time.Time)).Seconds())
}

// wasPrimary says that a claim taken back is the one that the primary had.
func wasPrimary(n *node) bool {
	return n.claim != nil && n.claim.Annotations[v1alpha1.AnnotationWasPrimary] != ""
}

func (s *scope) podState(ctx context.Context, i int, pod *corev1.Pod) plan.Pod {
	var host Host
	if s.r.Hosts != nil {
		host = s.r.Hosts.Host(ctx, pod.Spec.NodeName)
	}
	p := plan.Pod{
		UID: string(pod.UID), Name: pod.Name, IP: pod.Status.PodIP, Node: i,
		Role:        v1alpha1.Role(pod.Labels[v1alpha1.LabelRole]),
		Ready:       conditions.PodReady(pod),
		Terminating: pod.DeletionTimestamp != nil,
		Cordoned:    host.Cordoned,
		HostDown:    host.Down,
		Gone:        !runs(pod) || errors.Is(s.unreachable[string(pod.UID)], valkey.ErrGone),
		Synced:      s.isSynced(string(pod.UID)),
	}
	if server, ok := s.seen[p.UID]; ok {
		p.Server = &server
	}
	return p
}
