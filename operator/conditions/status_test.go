package conditions_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
)

var start = time.Date(2030, 1, 2, 3, 4, 5, 678, time.UTC)

// story tells what is observed of one Valkey over time, and keeps its status as the API would.
type story struct {
	t   *testing.T
	v   *v1alpha1.Valkey
	now time.Time
}

func newStory(t *testing.T, replicas int32) *story {
	t.Helper()
	v := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: "db", Namespace: "team-a", Generation: 1}}
	v.Spec.Replicas = ptr.To(replicas)
	return &story{t: t, v: v, now: start}
}

// see makes the status of what is observed now, and says after what time it would change by itself.
func (s *story) see(in conditions.Input) time.Duration {
	s.t.Helper()
	in.Valkey, in.Now = s.v.DeepCopy(), s.now
	status, again := conditions.Status(in)
	s.v.Status = status
	return again
}

func (s *story) want(phase v1alpha1.Phase, ready int32) {
	s.t.Helper()
	if s.v.Status.Status != phase || s.v.Status.ReadyReplicas != ready {
		s.t.Errorf("status %s with %d ready, want %s with %d; error %q", s.v.Status.Status, s.v.Status.ReadyReplicas, phase, ready, s.v.Status.Error)
	}
}

func (s *story) wantCondition(kind string, is metav1.ConditionStatus, reason string) {
	s.t.Helper()
	c := meta.FindStatusCondition(s.v.Status.Conditions, kind)
	if c == nil || c.Status != is || c.Reason != reason {
		s.t.Errorf("condition %s is %+v, want %s because of %s", kind, c, is, reason)
	}
}

func serving(i int, role v1alpha1.Role) conditions.Facts {
	return conditions.Facts{Index: i, Name: nodeName(i), Pod: pod(), Role: role, Serves: true, Deployment: deployment(1)}
}

func startingNode(i int) conditions.Facts {
	return conditions.Facts{Index: i, Name: nodeName(i), Pod: pod(unready), Deployment: deployment(1)}
}

func crashing(i int) conditions.Facts {
	return conditions.Facts{Index: i, Name: nodeName(i), Pod: pod(exited(1, "Error", "no", 1)), Deployment: deployment(1)}
}

func stoppedNode(i int) conditions.Facts {
	return conditions.Facts{Index: i, Name: nodeName(i), Deployment: deployment(0)}
}

func deployment(replicas int32) *appsv1.Deployment {
	return &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Replicas: ptr.To(replicas)}}
}

func nodeName(i int) string {
	return (&v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: "db"}}).NodeName(i)
}

var one = conditions.Input{Nodes: []conditions.Facts{serving(0, v1alpha1.RolePrimary)}, Primary: "db-node-0", Version: "9.1.2"}

func TestStatusOfAStandalone(t *testing.T) {
	s := newStory(t, 1)
	s.see(conditions.Input{Nodes: []conditions.Facts{{Index: 0, Name: "db-node-0"}}, Changed: true})
	s.want(v1alpha1.PhaseInProgress, 0)
	s.wantCondition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonNoPrimary)
	s.see(conditions.Input{Nodes: []conditions.Facts{startingNode(0)}, Primary: "db-node-0", Version: "9.1.2"})
	s.want(v1alpha1.PhaseInProgress, 0)
	s.wantCondition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonStarting)
	s.see(one)
	s.want(v1alpha1.PhaseRunning, 1)
	s.wantCondition(v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonReady)
	s.wantCondition(v1alpha1.ConditionProgressing, metav1.ConditionFalse, v1alpha1.ReasonAsWanted)
	s.wantCondition(v1alpha1.ConditionDegraded, metav1.ConditionFalse, v1alpha1.ReasonAsWanted)
	want := v1alpha1.ValkeyStatus{
		Status: v1alpha1.PhaseRunning, ReadyReplicas: 1, ObservedGeneration: 1, Primary: "db-node-0", Version: "9.1.2",
		Selector: "app.kubernetes.io/instance=db,app.kubernetes.io/managed-by=valkey-operator,app.kubernetes.io/name=valkey",
		Nodes:    []v1alpha1.NodeStatus{{Name: "db-node-0", Pod: "db-node-0-abc", Host: "host-1", Role: v1alpha1.RolePrimary, Ready: true}},
	}
	got := *s.v.Status.DeepCopy()
	got.Conditions, got.LastReconcileAt = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Case 10 (operator): ready and stopped are said only of what is.
func TestReadyAndStoppedAreTrue(t *testing.T) {
	notReadyByKubelet := serving(0, v1alpha1.RolePrimary)
	notReadyByKubelet.Pod = pod(unready)
	notServing := serving(0, v1alpha1.RolePrimary)
	notServing.Serves = false
	endingNode := serving(0, v1alpha1.RolePrimary)
	endingNode.Pod = pod(ending)
	for name, c := range map[string]struct {
		replicas int32
		nodes    []conditions.Facts
		phase    v1alpha1.Phase
		ready    int32
		reason   string
	}{
		"none wanted and none left":                {0, []conditions.Facts{stoppedNode(0)}, v1alpha1.PhaseStopped, 0, v1alpha1.ReasonStopped},
		"none wanted and nothing there":            {0, nil, v1alpha1.PhaseStopped, 0, v1alpha1.ReasonStopped},
		"none wanted and one that still runs":      {0, []conditions.Facts{serving(0, v1alpha1.RolePrimary)}, v1alpha1.PhaseInProgress, 0, v1alpha1.ReasonStopping},
		"none wanted and one that ends":            {0, []conditions.Facts{endingNode}, v1alpha1.PhaseInProgress, 0, v1alpha1.ReasonStopping},
		"one wanted and no pod":                    {1, []conditions.Facts{stoppedNode(0)}, v1alpha1.PhaseInProgress, 0, v1alpha1.ReasonStarting},
		"one wanted and it ends":                   {1, []conditions.Facts{endingNode}, v1alpha1.PhaseInProgress, 0, v1alpha1.ReasonStarting},
		"the kubelet says it is not ready":         {1, []conditions.Facts{notReadyByKubelet}, v1alpha1.PhaseInProgress, 0, v1alpha1.ReasonStarting},
		"the server says it does not serve":        {1, []conditions.Facts{notServing}, v1alpha1.PhaseInProgress, 0, v1alpha1.ReasonStarting},
		"one of two":                               {2, []conditions.Facts{serving(0, v1alpha1.RolePrimary), startingNode(1)}, v1alpha1.PhaseInProgress, 1, v1alpha1.ReasonStarting},
		"two of two":                               {2, []conditions.Facts{serving(0, v1alpha1.RolePrimary), serving(1, v1alpha1.RoleReplica)}, v1alpha1.PhaseRunning, 2, v1alpha1.ReasonReady},
		"one wanted and a second one not gone yet": {1, []conditions.Facts{serving(0, v1alpha1.RolePrimary), serving(1, v1alpha1.RoleReplica)}, v1alpha1.PhaseInProgress, 1, v1alpha1.ReasonStopping},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t, c.replicas)
			s.see(conditions.Input{Nodes: c.nodes, Primary: "db-node-0"})
			s.want(c.phase, c.ready)
			is := metav1.ConditionFalse
			if c.phase == v1alpha1.PhaseRunning || c.phase == v1alpha1.PhaseStopped {
				is = metav1.ConditionTrue
			}
			s.wantCondition(v1alpha1.ConditionReady, is, c.reason)
		})
	}
}

func TestErrorIsAFailureOnceItLasts(t *testing.T) {
	s := newStory(t, 1)
	broken := conditions.Input{Nodes: []conditions.Facts{crashing(0)}, Primary: "db-node-0"}
	again := s.see(broken)
	s.want(v1alpha1.PhaseInProgress, 0)
	if s.v.Status.Error == "" {
		t.Error("the error is not said at once")
	}
	if again <= 0 || again > conditions.Patience {
		t.Errorf("to be looked at again after %s, want within a minute", again)
	}
	s.now = s.now.Add(59 * time.Second)
	s.see(broken)
	s.want(v1alpha1.PhaseInProgress, 0)
	s.now = s.now.Add(time.Second)
	if again := s.see(broken); again != 0 {
		t.Errorf("to be looked at again after %s, though nothing will change by itself", again)
	}
	s.want(v1alpha1.PhaseFailed, 0)
	s.wantCondition(v1alpha1.ConditionDegraded, metav1.ConditionTrue, v1alpha1.ReasonCrash)
	s.see(one)
	s.want(v1alpha1.PhaseRunning, 1)
	if s.v.Status.Error != "" {
		t.Errorf("error %q is over and still said", s.v.Status.Error)
	}
}

func TestWhatNeedsAPersonFailsAtOnce(t *testing.T) {
	s := newStory(t, 1)
	s.see(conditions.Input{Problem: &conditions.Problem{Reason: v1alpha1.ReasonConflict, Message: "Secret db exists", NeedsPerson: true}})
	s.want(v1alpha1.PhaseFailed, 0)
	if s.v.Status.Error != "Secret db exists" {
		t.Errorf("error %q", s.v.Status.Error)
	}
}

// A problem that does not keep the servers from serving is said, and is not a failure however long it lasts. It does not
// make a failure of the next restart either.
func TestProblemBesideIsNoFailure(t *testing.T) {
	s := newStory(t, 1)
	beside := &conditions.Problem{Reason: v1alpha1.ReasonClaimResize, Message: "the claim cannot grow"}
	serves := one
	serves.Problem = beside
	s.see(serves)
	s.now = s.now.Add(time.Hour)
	s.see(serves)
	s.want(v1alpha1.PhaseRunning, 1)
	s.wantCondition(v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonReady)
	s.wantCondition(v1alpha1.ConditionDegraded, metav1.ConditionTrue, v1alpha1.ReasonClaimResize)
	s.see(conditions.Input{Nodes: []conditions.Facts{startingNode(0)}, Primary: "db-node-0", Problem: beside})
	s.want(v1alpha1.PhaseInProgress, 0)
	s.now = s.now.Add(conditions.Patience)
	s.see(conditions.Input{Nodes: []conditions.Facts{startingNode(0)}, Primary: "db-node-0", Problem: beside})
	s.want(v1alpha1.PhaseFailed, 0)
}

// The status never flaps: what is still true stays while something else is not known for a moment.
func TestStatusKeepsWhatIsTrue(t *testing.T) {
	s := newStory(t, 2)
	both := conditions.Input{
		Nodes:   []conditions.Facts{serving(0, v1alpha1.RolePrimary), serving(1, v1alpha1.RoleReplica)},
		Primary: "db-node-0", Version: "9.1.2",
	}
	s.see(both)
	before := s.v.Status.DeepCopy()
	s.now = s.now.Add(time.Hour)
	s.see(both)
	if diff := cmp.Diff(*before, s.v.Status); diff != "" {
		t.Errorf("nothing happened, and the status changed:\n%s", diff)
	}
	s.see(conditions.Input{Nodes: []conditions.Facts{startingNode(0), serving(1, v1alpha1.RoleReplica)}})
	if s.v.Status.Primary != "db-node-0" || s.v.Status.Version != "9.1.2" {
		t.Errorf("the last primary %q and its version %q are forgotten", s.v.Status.Primary, s.v.Status.Version)
	}
	s.want(v1alpha1.PhaseInProgress, 1)
}

// While a change is carried out every server may serve all along; it is not called running as wanted until it is done.
func TestUnfinishedIsInProgress(t *testing.T) {
	s := newStory(t, 1)
	in := one
	in.Unfinished = true
	s.see(in)
	s.want(v1alpha1.PhaseInProgress, 1)
	s.wantCondition(v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonReady)
	s.wantCondition(v1alpha1.ConditionProgressing, metav1.ConditionTrue, v1alpha1.ReasonReconciling)
}

// Case 11 (operator): the time of the last reconcile moves only when something changed.
func TestLastReconcileMovesOnlyWithAChange(t *testing.T) {
	s := newStory(t, 1)
	s.see(one)
	first := s.v.Status.LastReconcileAt
	if first == nil || !first.Time.Equal(start.Truncate(time.Second)) {
		t.Fatalf("last reconcile at %v, want %v in whole seconds, as the API keeps it", first, start)
	}
	s.now = s.now.Add(time.Minute)
	s.see(one)
	if !s.v.Status.LastReconcileAt.Equal(first) {
		t.Errorf("nothing changed, and the last reconcile moved to %v", s.v.Status.LastReconcileAt)
	}
	written := one
	written.Changed = true
	s.see(written)
	if !s.v.Status.LastReconcileAt.Time.Equal(s.now.Truncate(time.Second)) {
		t.Errorf("something was written, and the last reconcile is still %v", s.v.Status.LastReconcileAt)
	}
	s.now = s.now.Add(time.Minute)
	s.v.Generation++
	s.see(one)
	if !s.v.Status.LastReconcileAt.Time.Equal(s.now.Truncate(time.Second)) || s.v.Status.ObservedGeneration != 2 {
		t.Errorf("the spec changed, and the status of generation %d is from %v", s.v.Status.ObservedGeneration, s.v.Status.LastReconcileAt)
	}
}

func TestNodesSayWhatTheyDo(t *testing.T) {
	syncing := startingNode(1)
	syncing.Role, syncing.Syncing = v1alpha1.RoleReplica, true
	unreachable := serving(1, "")
	unreachable.Serves, unreachable.Unreachable = false, errors.New("i/o timeout")
	pendingNode := conditions.Facts{Index: 1, Name: "db-node-1", Pod: pod(pending)}
	endingNode := conditions.Facts{Index: 1, Name: "db-node-1", Pod: pod(ending)}
	for name, c := range map[string]struct {
		node conditions.Facts
		want string
	}{
		"serves":      {serving(1, v1alpha1.RoleReplica), ""},
		"stopped":     {stoppedNode(1), "stopped"},
		"no pod":      {conditions.Facts{Index: 1, Name: "db-node-1"}, "has no pod yet"},
		"ends":        {endingNode, "its pod is ending"},
		"syncs":       {syncing, "receives its copy of the data"},
		"pending":     {pendingNode, "its pod is being started"},
		"not ready":   {startingNode(1), "its server is not ready"},
		"has a cause": {crashing(1), "db-node-1 exited with code 1 (1 restarts): no"},
		"unreachable": {unreachable, "the operator cannot ask db-node-1, though it is ready (does a NetworkPolicy keep it out?): i/o timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t, 2)
			s.see(conditions.Input{Nodes: []conditions.Facts{serving(0, v1alpha1.RolePrimary), c.node}, Primary: "db-node-0"})
			if got := s.v.Status.Nodes[1].Message; got != c.want {
				t.Errorf("says %q, want %q", got, c.want)
			}
			if got := s.v.Status.Nodes[1].Ready; got != (c.want == "") {
				t.Errorf("ready: %v", got)
			}
		})
	}
}

func TestReplicaThatSyncsIsSaid(t *testing.T) {
	s := newStory(t, 2)
	syncing := startingNode(1)
	syncing.Syncing = true
	s.see(conditions.Input{Nodes: []conditions.Facts{serving(0, v1alpha1.RolePrimary), syncing}, Primary: "db-node-0"})
	s.wantCondition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonSyncing)
}

func TestDeletionIsSaid(t *testing.T) {
	s := newStory(t, 1)
	s.v.DeletionTimestamp = &metav1.Time{Time: start}
	s.see(one)
	s.want(v1alpha1.PhaseInProgress, 1)
	s.wantCondition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonDeleting)
}

// A node that is not wanted any more is no cause for an error.
func TestUnwantedNodeIsNoCause(t *testing.T) {
	s := newStory(t, 1)
	s.see(conditions.Input{Nodes: []conditions.Facts{serving(0, v1alpha1.RolePrimary), crashing(1)}, Primary: "db-node-0"})
	if s.v.Status.Error != "" {
		t.Errorf("error %q", s.v.Status.Error)
	}
	s.want(v1alpha1.PhaseInProgress, 1)
}
