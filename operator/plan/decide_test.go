package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// steps are actions in short: kind, pod, and to whom.
func steps(actions []Action) (out []string) {
	for _, a := range actions {
		step := string(a.Kind) + " " + a.Pod.UID
		if a.To.UID != "" {
			step += " " + a.To.UID
		}
		if a.Role != "" && a.Kind == Label {
			step += " " + string(a.Role)
		}
		out = append(out, step)
	}
	return out
}

func TestAssign(t *testing.T) {
	t.Parallel()
	for sentence, c := range map[string]struct {
		state State
		want  []string
	}{
		"a new standalone is labelled": {
			State{Wanted: 1, Recorded: NoNode, Pods: []Pod{with(primary(0), func(p *Pod) { p.Role = "" })}},
			[]string{"Label a primary"},
		},
		"nothing is done at rest": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{primary(0, replica(1, 100)), replica(1, 100)}}, nil,
		},
		"with nothing on record and all empty, node 0 is the first primary": {
			State{Wanted: 3, Recorded: NoNode, Pods: []Pod{started(2, 0), started(1, 0), started(0, 0)}},
			[]string{"Promote a"},
		},
		"an empty node waits while another was not seen (case 22)": {
			State{Wanted: 3, Recorded: NoNode, Pods: []Pod{started(0, 0), started(1, 0)}}, nil,
		},
		"nor do others with data succeed a primary that was not seen, though its node is to be removed": {
			State{Wanted: 2, Recorded: 2, Nodes: []Node{{Index: 0}, {Index: 1}, {Index: 2}}, Pods: []Pod{started(0, 5), started(1, 9)}}, nil,
		},
		"unless that was removed": {
			State{Wanted: 2, Recorded: 2, Nodes: []Node{{Index: 0}, {Index: 1}}, Pods: []Pod{started(0, 5), started(1, 5)}}, []string{"Promote a"},
		},
		"an empty restarted primary does not wipe its replicas (case 22)": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{started(0, 0), cutOff(replica(1, 100))}},
			[]string{"Promote b"},
		},
		"the furthest survivor succeeds a primary that is gone, and loses the label first": {
			State{Wanted: 3, Recorded: 0, Pods: []Pod{gone(dead(0)), cutOff(replica(1, 90)), cutOff(replica(2, 100))}},
			[]string{"Unlabel a", "Promote c"},
		},
		"one that merely does not answer is deposed before, since it may come back (case 23)": {
			State{Wanted: 3, Recorded: 0, Pods: []Pod{dead(0), cutOff(replica(1, 90)), cutOff(replica(2, 100))}},
			[]string{"Unlabel a", "Depose a", "Promote c"},
		},
		"so is one that has lost its label before": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", Pods: []Pod{with(dead(0), func(p *Pod) { p.Role = "" }), cutOff(replica(1, 90))}},
			[]string{"Depose a", "Promote b"},
		},
		"a replica that does not answer is not": {
			State{Wanted: 3, Recorded: 0, RecordedIP: "10.0.0.a", Pods: []Pod{
				gone(dead(0)), cutOff(replica(1, 90)), with(dead(2), func(p *Pod) { p.Role = v1alpha1.RoleReplica }),
			}},
			[]string{"Unlabel a", "Promote b"},
		},
		"one that was deposed and answers after all has what no replica has, and nobody hears from it": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", RecordedHistory: history, Pods: []Pod{
				with(started(0, 12), func(p *Pod) { p.Server.ReplicationID, p.Server.Offset = history, 120 }), replica(1, 100),
			}},
			[]string{"Promote a"},
		},
		"unless a replica is further, as where it has started again since": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", RecordedHistory: history, Pods: []Pod{
				with(started(0, 9), func(p *Pod) { p.Server.ReplicationID, p.Server.Offset = history, 90 }), cutOff(replica(1, 100)),
			}},
			[]string{"Promote b"},
		},
		"though that had lost its link before": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", RecordedHistory: history, Pods: []Pod{
				with(started(0, 9), func(p *Pod) { p.Server.ReplicationID, p.Server.Offset = history, 90 }), downFor(replica(1, 100), 20),
			}},
			[]string{"Promote b"},
		},
		"one that was deposed has what no replica has, also where its node is to be removed": {
			State{Wanted: 2, Recorded: 2, RecordedIP: "10.0.0.c", RecordedHistory: history, Pods: []Pod{
				with(replica(1, 110), func(p *Pod) { p.Server.PrimaryHost = "10.0.0.c" }), with(started(2, 12), func(p *Pod) { p.Server.ReplicationID, p.Server.Offset = history, 120 }),
			}},
			[]string{"Promote c"},
		},
		"and where its pod is ending": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", RecordedHistory: history, Pods: []Pod{
				with(started(0, 12), func(p *Pod) { p.Server.ReplicationID, p.Server.Offset, p.Terminating = history, 120, true }), downFor(replica(1, 100), 3),
			}},
			[]string{"Promote a"},
		},
		"one whose node is to be removed does not succeed, though it is further": {
			State{Wanted: 1, Recorded: 1, Pods: []Pod{gone(dead(1)), cutOff(replica(0, 90)), cutOff(replica(2, 100))}},
			[]string{"Unlabel b", "Promote a"},
		},
		"a primary that a replica still hears is not succeeded (case 24)": {
			State{Wanted: 3, Recorded: 0, Pods: []Pod{dead(0), replica(1, 90), cutOff(replica(2, 100))}}, nil,
		},
		"nor is one that a replica hears that was still getting its copy": {
			State{Wanted: 3, Recorded: 0, Silent: 2, Pods: []Pod{
				dead(0), cutOff(replica(1, 100)), with(replica(2, 90), func(p *Pod) { p.Synced = false }),
			}}, nil,
		},
		"a primary that nobody has heard from for two seconds is, though the links say up": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{dead(0), with(replica(1, 9), func(p *Pod) { p.Server.LastIO = 2 })}},
			[]string{"Unlabel a", "Depose a", "Promote b"},
		},
		"one whose pod was deleted is after one second": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", Pods: []Pod{with(replica(1, 9), func(p *Pod) { p.Server.LastIO = 1 })}},
			[]string{"Promote b"},
		},
		"but not while a replica hears from it": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", Pods: []Pod{replica(1, 9)}}, nil,
		},
		"a second without a word is not enough where the pod is there": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", Pods: []Pod{dead(0), with(replica(1, 9), func(p *Pod) { p.Server.LastIO = 1 })}}, nil,
		},
		"two nodes are enough for a failover (case 25)": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{cutOff(replica(1, 100))}}, []string{"Promote b"},
		},
		"a replica that follows a primary from before the last one does not succeed": {
			State{Wanted: 2, Recorded: 1, RecordedIP: "10.0.0.b", Pods: []Pod{with(dead(1), func(p *Pod) { p.Gone = true }), cutOff(replica(2, 100))}}, nil,
		},
		"a replica that never had its copy does not succeed": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{dead(0), with(cutOff(replica(1, 5)), func(p *Pod) { p.Server.LinkDownFor = -1 })}}, nil,
		},
		"one that was told to follow it and holds the history of the primary before does not succeed": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", RecordedHistory: "cccc", Pods: []Pod{dead(0), cutOff(replica(1, 5))}}, nil,
		},
		"one whose history has grown out of the primary's does": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", RecordedHistory: "cccc", Pods: []Pod{
				dead(0), with(cutOff(replica(1, 5)), func(p *Pod) { p.Server.ReplicationID2 = "cccc" }),
			}},
			[]string{"Unlabel a", "Depose a", "Promote b"},
		},
		"one that lost the primary before the operator did does not succeed it": {
			State{Wanted: 2, Recorded: 0, Silent: 2, Pods: []Pod{dead(0), downFor(replica(1, 5), 5)}}, nil,
		},
		"nor one that heard nothing for longer, on a link that says up": {
			State{Wanted: 2, Recorded: 0, Silent: 2, Pods: []Pod{dead(0), with(replica(1, 5), func(p *Pod) { p.Server.LastIO = 5 })}}, nil,
		},
		"one that lost it when the operator did does, however long ago": {
			State{Wanted: 2, Recorded: 0, Silent: 100, Pods: []Pod{dead(0), downFor(replica(1, 5), 101)}}, []string{"Unlabel a", "Depose a", "Promote b"},
		},
		"one that was still getting its copy waits for the primary": {
			State{Wanted: 2, Recorded: 0, Silent: 2, Waited: 59, Pods: []Pod{gone(dead(0)), with(cutOff(replica(1, 5)), func(p *Pod) { p.Synced = false })}},
			nil,
		},
		"for no more than a minute": {
			State{Wanted: 2, Recorded: 0, Silent: 62, Waited: 60, Pods: []Pod{gone(dead(0)), with(downFor(replica(1, 5), 61), func(p *Pod) { p.Synced = false })}},
			[]string{"Unlabel a", "Promote b"},
		},
		"without a volume nobody waits for a primary that has started again: it misses more": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", Volatile: true, Pods: []Pod{
				started(0, 9), with(downFor(replica(1, 5), 6), func(p *Pod) { p.Synced = false }),
			}},
			[]string{"Promote b"},
		},
		"nor for one that is gone": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", Volatile: true, Silent: NeverHeard, Pods: []Pod{gone(dead(0)), downFor(replica(1, 5), 6)}},
			[]string{"Unlabel a", "Promote b"},
		},
		"but for one that may live": {
			State{Wanted: 2, Recorded: 0, RecordedIP: "10.0.0.a", Volatile: true, Silent: 2, Pods: []Pod{dead(0), downFor(replica(1, 5), 6)}}, nil,
		},
		"an operator that never heard of the primary waits for it where its end was seen": {
			State{Wanted: 2, Recorded: 0, Silent: NeverHeard, Waited: 59, Pods: []Pod{dead(0), downFor(replica(1, 5), 60)}}, nil,
		},
		"for a minute": {
			State{Wanted: 2, Recorded: 0, Silent: NeverHeard, Waited: 60, Pods: []Pod{dead(0), downFor(replica(1, 5), 75)}}, []string{"Unlabel a", "Depose a", "Promote b"},
		},
		"and longer where a replica had lost it long before": {
			State{Wanted: 2, Recorded: 0, Silent: NeverHeard, Waited: 60, Pods: []Pod{dead(0), downFor(replica(1, 5), 76)}}, nil,
		},
		"but not where it fell silent, as with its host": {
			State{Wanted: 2, Recorded: 0, Silent: NeverHeard, Pods: []Pod{dead(0), with(replica(1, 5), func(p *Pod) { p.Server.LastIO = 15 })}},
			[]string{"Unlabel a", "Depose a", "Promote b"},
		},
		"unless that was long before": {
			State{Wanted: 2, Recorded: 0, Silent: NeverHeard, Pods: []Pod{dead(0), with(replica(1, 5), func(p *Pod) { p.Server.LastIO = 16 })}}, nil,
		},
		"the primary that comes back does": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{started(0, 9), downFor(replica(1, 5), 16)}},
			[]string{"Promote a"},
		},
		"but one that comes back empty does not": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{started(0, 0), downFor(replica(1, 5), 16)}},
			[]string{"Promote b"},
		},
		"where the primary's host is lost nobody waits for it": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{
				with(dead(0), func(p *Pod) { p.HostDown = true }), downFor(replica(1, 5), 16),
			}},
			[]string{"Unlabel a", "Depose a", "Promote b"},
		},
		"after all were down the primary on record is preferred, if it has data": {
			State{Wanted: 2, Recorded: 1, Pods: []Pod{started(0, 50), started(1, 7)}}, []string{"Promote b"},
		},
		"two nodes with data and no record are not chosen between": {
			State{Wanted: 2, Recorded: NoNode, Pods: []Pod{started(0, 50), with(started(1, 7), func(p *Pod) { p.Server.ReplicationID = history })}}, nil,
		},
		"a replica with a stale address is re-pointed (case 26)": {
			State{Wanted: 2, Recorded: 1, Pods: []Pod{replica(0, 90), with(primary(1), func(p *Pod) { p.IP = "10.0.0.9" })}},
			[]string{"Unlabel a", "Follow a b"},
		},
		"a primary that comes back is demoted (case 23)": {
			State{Wanted: 2, Recorded: 1, Pods: []Pod{with(primary(0), func(p *Pod) { p.Role = "" }), primary(1)}},
			[]string{"Follow a b"},
		},
		"after a handover the Service moves in one step, then the label, then the clients (case 23)": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{
				with(replica(0, 9), func(p *Pod) { p.Role, p.Server.PrimaryHost = v1alpha1.RolePrimary, "10.0.0.b" }),
				with(primary(1, replica(0, 9)), func(p *Pod) { p.Role = v1alpha1.RoleReplica }),
			}},
			[]string{"Lead b", "Unlabel a", "Label b primary", "Drop a", "Label a replica"},
		},
		"the Service leads to no node that has a second pod": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{
				with(primary(1), func(p *Pod) { p.Role = "" }), with(pod(1), func(p *Pod) { p.UID = "z" }),
			}},
			[]string{"Label b primary"},
		},
		"two replicas that follow raise the fence": {
			State{Wanted: 3, Recorded: 0, Pods: []Pod{primary(0, replica(1, 0), replica(2, 0)), replica(1, 0), replica(2, 0)}},
			[]string{"Fence a"},
		},
		"one that is left lowers it": {
			State{Wanted: 3, Recorded: 0, Pods: []Pod{with(primary(0, replica(1, 0)), func(p *Pod) { p.Server.Fenced = true }), replica(1, 0)}},
			[]string{"Unfence a"},
		},
		"a handover is left alone while neither of the two is a primary": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{
				with(replica(0, 9), func(p *Pod) { p.Server.FailoverState, p.Server.PrimaryHost = "failover-in-progress", "10.0.0.b" }), cutOff(replica(1, 9)),
			}}, nil,
		},
		"a handover to one that died is ended": {
			State{Wanted: 2, Recorded: 0, Pods: []Pod{
				with(replica(0, 9), func(p *Pod) { p.Server.FailoverState, p.Server.PrimaryHost = "failover-in-progress", "10.0.0.b" }),
				with(pod(1), func(p *Pod) { p.Gone = true }),
			}}, []string{"Abort a"},
		},
	} {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, steps(Assign(c.state).Actions)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestArrange(t *testing.T) {
	t.Parallel()
	nodes := func(outdated ...int) (out []Node) {
		for i := range 3 {
			n := Node{Index: i, Settled: true}
			for _, o := range outdated {
				n.Outdated = n.Outdated || o == i
			}
			out = append(out, n)
		}
		return out
	}
	three := []Pod{primary(0, replica(1, 0), replica(2, 0)), replica(1, 0), replica(2, 0)}
	cordoned := []Pod{with(three[0], func(p *Pod) { p.Cordoned = true }), three[1], three[2]}
	unsettled := func(which ...int) []Node {
		out := nodes()
		for _, i := range which {
			out[i].Settled = false
		}
		return out
	}
	for sentence, c := range map[string]struct {
		state State
		want  []NodeWish
		steps []string
	}{
		"a roll takes the last replica first": {
			State{Wanted: 3, Recorded: 0, Nodes: nodes(0, 1, 2), Pods: three},
			[]NodeWish{{0, Run}, {1, Run}, {2, Roll}},
			nil,
		},
		"none goes before it is on record who the primary is": {
			State{Wanted: 3, Recorded: 1, Nodes: nodes(0, 1, 2), Pods: three}, nil, nil,
		},
		"the next one waits until that is in sync (case 7)": {
			State{Wanted: 3, Recorded: 0, Nodes: nodes(0, 1), Pods: []Pod{three[0], three[1], cutOff(three[2])}},
			[]NodeWish{{0, Run}, {1, Run}, {2, Run}},
			nil,
		},
		"the primary hands over before it is rolled": {
			State{Wanted: 3, Recorded: 0, Nodes: nodes(0), Pods: three},
			[]NodeWish{{0, Run}, {1, Run}, {2, Run}},
			[]string{"HandOver a b"},
		},
		"a node that is broken takes a new template at once": {
			State{Wanted: 3, Recorded: 0, Nodes: nodes(0, 1, 2), Pods: []Pod{three[0], three[1], dead(2)}},
			[]NodeWish{{0, Run}, {1, Run}, {2, Roll}},
			nil,
		},
		"one node alone is rolled with a pause": {
			State{Wanted: 1, Recorded: 0, Nodes: nodes(0)[:1], Pods: []Pod{primary(0)}},
			[]NodeWish{{0, Roll}},
			nil,
		},
		"the primary is not removed before it has handed over": {
			State{Wanted: 2, Recorded: 2, Nodes: nodes(), Pods: []Pod{
				with(replica(0, 0), func(p *Pod) { p.Server.PrimaryHost = pod(2).IP }), primary(2, replica(0, 0)),
			}},
			[]NodeWish{{0, Run}, {1, Run}, {2, Run}},
			[]string{"HandOver c a"},
		},
		"a stop ends the replicas first": {
			State{Wanted: 0, Recorded: 0, Nodes: nodes(), Pods: three},
			[]NodeWish{{0, Run}, {1, Stop}, {2, Stop}},
			nil,
		},
		"and the primary when they are gone": {
			State{Wanted: 0, Recorded: 0, Nodes: nodes(), Pods: []Pod{primary(0)}},
			[]NodeWish{{0, Stop}, {1, Stop}, {2, Stop}},
			nil,
		},
		"a primary whose pod is deleted hands over": {
			State{Wanted: 3, Recorded: 0, Nodes: nodes(), Pods: []Pod{with(three[0], func(p *Pod) { p.Terminating = true }), three[1], three[2]}},
			[]NodeWish{{0, Run}, {1, Run}, {2, Run}},
			[]string{"HandOver a b"},
		},
		"a primary on a host that is drained hands over to one that is not": {
			State{Wanted: 3, Recorded: 0, Nodes: nodes(), Pods: []Pod{
				with(three[0], func(p *Pod) { p.Cordoned = true }), with(three[1], func(p *Pod) { p.Cordoned = true }), three[2],
			}},
			[]NodeWish{{0, Run}, {1, Run}, {2, Run}},
			[]string{"HandOver a c"},
		},
		"nor to one whose pod is about to be replaced": {
			State{Wanted: 3, Recorded: 0, Nodes: unsettled(1), Pods: cordoned},
			[]NodeWish{{0, Run}, {1, Run}, {2, Run}},
			[]string{"HandOver a c"},
		},
		"it waits where there is no other": {
			State{Wanted: 3, Recorded: 0, Nodes: unsettled(1, 2), Pods: cordoned},
			[]NodeWish{{0, Run}, {1, Run}, {2, Run}},
			nil,
		},
		"one that ends itself does not": {
			State{Wanted: 3, Recorded: 0, Nodes: unsettled(1, 2), Pods: []Pod{with(three[0], func(p *Pod) { p.Terminating = true }), three[1], three[2]}},
			[]NodeWish{{0, Run}, {1, Run}, {2, Run}},
			[]string{"HandOver a b"},
		},
	} {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			if c.state.HandOverTo == 0 {
				c.state.HandOverTo = NoNode
			}
			got := Arrange(c.state, Assign(c.state))
			if diff := cmp.Diff(c.want, got.Nodes); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.steps, steps(got.Actions)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
