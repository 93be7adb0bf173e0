package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

// world is a small model of the servers of one Valkey, as much of it as decisions depend on: histories that are copied
// by replication, pods that are replaced, and an operator that sees only some of it.
type world struct {
	rng             *rand.Rand
	persistent      bool
	wanted          int
	recorded        int
	recordedIP      string
	recordedHistory string
	// silent is for how long the operator has not heard of a primary.
	silent  int64
	servers []*server
	version int // of the pod template
	serial  int // makes UIDs, addresses and histories unique
	writes  int
	// led is the node that the Service leads to; NoNode where it goes by the label.
	led int
	// lost are violations of an invariant, in words.
	lost []string
}

type server struct {
	node    int
	uid, ip string
	label   v1alpha1.Role
	exists  bool // the pod
	wanted  bool // there is a Deployment
	stopped bool // that wants no pod
	alive   bool // the process
	silent  bool // does not answer the operator
	frozen  bool // does not answer anybody
	deposed bool // finds the order to take no more writes when it goes on
	version int

	primary        bool
	follows        string // address
	followed       bool   // had a full copy since its start
	linked         bool
	quiet          int64 // seconds without a word from the primary
	replid, second string
	data, disk     []int
}

func newWorld(wanted int, persistent bool, seed uint64) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 1)), persistent: persistent, wanted: wanted, recorded: NoNode, led: NoNode}
	return w
}

func (w *world) at(node int) *server {
	for len(w.servers) <= node {
		w.servers = append(w.servers, &server{node: len(w.servers)})
	}
	return w.servers[node]
}

func (w *world) next(prefix string) string {
	w.serial++
	return fmt.Sprintf("%s-%d", prefix, w.serial)
}

// thaw lets a frozen server go on.
func (w *world) thaw(s *server) {
	if s.deposed && s.alive {
		s.primary, s.follows, s.followed, s.linked = false, "127.0.0.1", false, false
	}
	s.frozen, s.deposed = false, false
}

// start brings a server up as the product does: as nobody's replica, with what was on its disk.
func (w *world) start(s *server) {
	s.alive, s.primary, s.follows, s.followed, s.linked, s.quiet = true, false, "127.0.0.1", false, false, 0
	s.data, s.deposed = nil, false
	if w.persistent {
		s.data = slices.Clone(s.disk)
	}
	s.replid, s.second = w.next("history"), ""
}

func (w *world) create(s *server) {
	s.exists, s.wanted, s.stopped, s.label, s.silent, s.frozen, s.deposed, s.version = true, true, false, "", false, false, false, w.version
	s.uid, s.ip = w.next("pod"), w.next("10.0.0")
	w.start(s)
}

func (w *world) byIP(ip string) *server {
	for _, s := range w.servers {
		if s.exists && s.alive && s.ip == ip {
			return s
		}
	}
	return nil
}

// pass lets a second pass: Deployments make pods, dead processes restart, replicas sync.
func (w *world) pass() {
	w.silent += 2
	for _, s := range w.servers {
		switch {
		case s.stopped:
		case !s.exists && (s.wanted || s.node < max(w.wanted, 1)):
			w.create(s)
		case s.exists && !s.alive:
			w.start(s)
		}
	}
	for range 2 { // twice, since replicas of replicas get it a step later
		for _, s := range w.servers {
			w.sync(s)
		}
	}
	for _, s := range w.servers {
		if s.alive {
			s.disk = slices.Clone(s.data)
		}
	}
}

func (w *world) sync(s *server) {
	if !s.exists || !s.alive || s.primary || s.frozen {
		return
	}
	from := w.byIP(s.follows)
	if from == nil || from.frozen || (!from.primary && !from.linked) {
		s.linked = false
		s.quiet += 2
		return
	}
	if s.linked && w.rng.IntN(3) == 0 {
		return // it lags
	}
	s.linked, s.followed, s.quiet = true, true, 0
	s.replid, s.second, s.data = from.replid, from.second, slices.Clone(from.data)
}

// write is a client that goes where the Service leads.
func (w *world) write() {
	for _, s := range w.servers {
		leads := s.label == v1alpha1.RolePrimary && w.led == NoNode || s.node == w.led
		if s.exists && s.alive && !s.frozen && s.primary && leads {
			w.writes++
			s.data = append(s.data, w.writes)
		}
	}
}

// state is what the operator sees.
func (w *world) state() State {
	st := State{
		Wanted: w.wanted, Recorded: w.recorded, RecordedIP: w.recordedIP, RecordedHistory: w.recordedHistory, Silent: w.silent, HandOverTo: NoNode,
		Volatile: !w.persistent,
	}
	for _, s := range w.servers {
		if s.wanted || s.node < w.wanted {
			st.Nodes = append(st.Nodes, Node{Index: s.node, Outdated: s.version != w.version, Settled: true})
		}
		if !s.exists {
			continue
		}
		p := Pod{UID: s.uid, Name: s.uid, IP: s.ip, Node: s.node, Role: s.label, Gone: !s.alive, Synced: s.followed || s.primary}
		if s.alive && !s.silent && !s.frozen {
			p.Ready, p.Server = true, w.info(s)
			if s.primary || s.ip == w.recordedIP { // it is heard of by its address, also where it has started again
				w.silent = 0
			}
		}
		st.Pods = append(st.Pods, p)
	}
	return st
}

func (w *world) info(s *server) *info.Server {
	i := &info.Server{
		RunID: s.uid, ReplicationID: s.replid, ReplicationID2: s.second, Offset: int64(len(s.data)), Keys: int64(len(s.data)),
		Role: v1alpha1.RolePrimary, LastIO: -1, LinkDownFor: -1, FailoverState: "no-failover",
	}
	if s.primary {
		for _, r := range w.servers {
			if r.exists && r.alive && r.linked && r.follows == s.ip {
				i.Replicas = append(i.Replicas, info.Replica{Host: r.ip, Port: v1alpha1.Port, Online: true, Offset: int64(len(r.data))})
			}
		}
		return i
	}
	i.Role, i.PrimaryHost, i.PrimaryPort, i.LinkUp = v1alpha1.RoleReplica, s.follows, v1alpha1.Port, s.linked
	if s.follows == "127.0.0.1" {
		i.PrimaryPort = 1
	}
	switch {
	case s.linked:
		i.LastIO = s.quiet
	case s.followed:
		i.LinkDownFor = s.quiet
	}
	return i
}

func (w *world) pod(uid string) *server {
	for _, s := range w.servers {
		if s.exists && s.uid == uid {
			return s
		}
	}
	return nil
}

// operate is one reconcile. stopAfter actions the operator dies; a negative number lets it finish.
func (w *world) operate(stopAfter int) {
	w.led = NoNode // a while has passed: it goes by the label again
	st := w.state()
	r := Assign(st)
	topology := Arrange(st, r)
	for _, wish := range topology.Nodes {
		w.carryOutWish(wish)
	}
	for i, a := range append(slices.Clone(r.Actions), topology.Actions...) {
		if i == stopAfter {
			return
		}
		w.carryOut(a)
		w.check()
	}
	if r.Primary != nil {
		w.record(*r.Primary)
	}
}

func (w *world) record(p Pod) {
	w.recorded, w.recordedIP, w.recordedHistory = p.Node, p.IP, p.Server.ReplicationID
}

func (w *world) carryOutWish(wish NodeWish) {
	s := w.at(wish.Index)
	if s.alive {
		s.disk = slices.Clone(s.data) // a server that is told to end saves first
	}
	switch wish.Wish {
	case Run:
		s.stopped = false
	case Roll:
		s.exists, s.alive, s.version = false, false, w.version
	case Stop:
		s.exists, s.alive, s.stopped, s.version = false, false, true, w.version
	case Remove:
		s.exists, s.alive, s.wanted, s.stopped, s.disk = false, false, false, false, nil
	}
}

func (w *world) carryOut(a Action) {
	s := w.pod(a.Pod.UID)
	if s == nil {
		return
	}
	if a.Leads() {
		w.record(a.Pod)
	}
	if a.Kind == Label || a.Kind == Unlabel {
		s.label = a.Role
		return
	}
	if a.Kind == Lead {
		w.led = s.node
		return
	}
	if a.Kind == Depose && s.alive && s.frozen {
		s.deposed = true
		return
	}
	if !s.alive || s.frozen || s.silent {
		return
	}
	switch a.Kind {
	case Promote:
		w.checkPromotion(s)
		s.primary, s.linked, s.followed, s.second, s.replid = true, false, false, s.replid, w.next("history")
	case Follow:
		// A replica that followed another before says that it lost its link just now, not that it never had this one.
		s.primary, s.linked, s.follows, s.quiet = false, false, a.To.IP, 0
	case HandOver:
		to := w.pod(a.To.UID)
		if to == nil || !to.alive || to.frozen || !to.linked || to.follows != s.ip {
			return
		}
		to.data = slices.Clone(s.data)
		to.primary, to.linked, to.followed, to.second, to.replid = true, false, false, s.replid, w.next("history")
		s.primary, s.follows, s.linked, s.followed = false, to.ip, true, true
	default:
	}
}

// checkPromotion looks at the invariants that a promotion could break.
func (w *world) checkPromotion(s *server) {
	for _, other := range w.servers {
		if w.persistent && other.node == w.recorded && other != s && !s.followed && !other.deposed && len(other.disk) > len(s.data) {
			w.lost = append(w.lost, fmt.Sprintf("node %d is promoted with what it had when it started, while node %d was the primary and has more", s.node, other.node))
		}
		if other == s || other.node >= w.wanted {
			continue
		}
		if !s.followed && len(s.data) == 0 && (len(other.data) > 0 && other.alive || w.persistent && len(other.disk) > 0) {
			w.lost = append(w.lost, fmt.Sprintf("node %d is promoted empty while node %d has data", s.node, other.node))
		}
		if other.exists && other.alive && !other.silent && !other.frozen && (other.linked || !w.persistent) && len(other.data) > len(s.data) {
			w.lost = append(w.lost, fmt.Sprintf("node %d is promoted over node %d, which is further", s.node, other.node))
		}
	}
}

// check looks at the invariants that hold at any time.
func (w *world) check() {
	labelled := 0
	for _, s := range w.servers {
		if s.exists && s.label == v1alpha1.RolePrimary {
			labelled++
		}
	}
	if labelled > 1 {
		w.lost = append(w.lost, fmt.Sprintf("%d pods carry the primary's label", labelled))
	}
}

// settled says in words why the world is not as wanted; empty where it is.
func (w *world) settled() string {
	primaries := 0
	for _, s := range w.servers {
		switch {
		case s.node >= w.wanted && s.exists:
			return fmt.Sprintf("node %d is still there", s.node)
		case s.node >= w.wanted:
		case !s.exists || !s.alive:
			return fmt.Sprintf("node %d is down", s.node)
		case s.version != w.version:
			return fmt.Sprintf("node %d is not rolled", s.node)
		case s.primary && s.label == v1alpha1.RolePrimary:
			primaries++
		case s.label != v1alpha1.RoleReplica || !s.linked:
			return fmt.Sprintf("node %d is neither primary nor a linked replica", s.node)
		}
	}
	if w.wanted > 0 && primaries != 1 {
		return fmt.Sprintf("%d primaries", primaries)
	}
	return ""
}

func (w *world) describe() string {
	out := fmt.Sprintf("wanted %d recorded %d\n", w.wanted, w.recorded)
	for _, s := range w.servers {
		out += fmt.Sprintf("node %d: exists %v alive %v frozen %v silent %v primary %v label %q follows %s linked %v keys %d disk %d\n",
			s.node, s.exists, s.alive, s.frozen, s.silent, s.primary, s.label, s.follows, s.linked, len(s.data), len(s.disk))
	}
	return out
}
