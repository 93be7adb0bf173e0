package controller

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

const (
	// FieldOwner is the name under which the operator applies.
	FieldOwner = "valkey-operator"

	// soon is when to look again while a server is on its way: what happens in a server raises no watch event.
	soon = 300 * time.Millisecond
	// justNow is when to see what came of an order: a handover takes a few milliseconds, and until its end is seen no
	// write is taken.
	justNow = 50 * time.Millisecond
	// atRest is when to look again at servers that are as they should be.
	atRest = 30 * time.Second
)

// Servers is what the controller needs of the servers.
type Servers interface {
	Observe(context.Context, valkey.Target, valkey.Login) (info.Server, error)
	SetUsers(context.Context, valkey.Target, valkey.Login, string, []valkey.User) (bool, error)
	Orders
	Forget(gone func(id string) bool)
	Heard(valkey.Target) (time.Time, bool)
}

// Orders are the orders that a server takes.
type Orders interface {
	Depose(context.Context, valkey.Target, valkey.Login) (served bool)
	Promote(context.Context, valkey.Target, valkey.Login) error
	Follow(ctx context.Context, t valkey.Target, l valkey.Login, host, port string) error
	HandOver(ctx context.Context, t valkey.Target, l valkey.Login, to valkey.Target, timeout time.Duration) error
	Abort(context.Context, valkey.Target, valkey.Login) error
	Fence(ctx context.Context, t valkey.Target, l valkey.Login, fenced bool) error
	DropClients(context.Context, valkey.Target, valkey.Login) error
}

// Hosts knows the Kubernetes nodes.
type Hosts interface {
	Host(ctx context.Context, name string) Host
}

// Host is what matters of a Kubernetes node.
type Host struct {
	// Cordoned says that it takes no new pods.
	Cordoned bool
	// Down says that Kubernetes has lost it: its kubelet has not been heard of for a while, or it is no node any more.
	Down bool
}

// Reconciler reconciles Valkeys.
type Reconciler struct {
	// Client reads from the cache, which holds only objects with our labels.
	Client client.Client
	// Live reads from the API server: for what the cache does not hold.
	Live     client.Reader
	Servers  Servers
	Recorder events.EventRecorder
	Clock    clock.PassiveClock
	// Hosts is nil where the operator may not read Kubernetes nodes: a drain then waits for the kubelet's word.
	Hosts Hosts
	// Wake takes the Valkeys of servers that there is news of.
	Wake <-chan event.GenericEvent

	// known keeps the credentials of each Valkey, so that an internal Secret deleted or changed by hand comes back as it
	// was.
	known sync.Map // types.UID -> resources.Credentials
	// silent keeps since when a server of a running Valkey has not answered.
	silent sync.Map // types.NamespacedName -> time.Time
	// absent keeps since when a Valkey has been seen without a primary.
	absent sync.Map // types.NamespacedName -> time.Time
	// moves keeps the change of the primary that is under way.
	moves sync.Map // types.NamespacedName -> move
	// demoted keeps when the clients of a server that was a primary are dropped once more, by the pod's UID.
	demoted sync.Map // string -> time.Time
	// synced keeps the servers that were seen with a whole copy of the data since they last began to get one, by the pod's UID.
	synced sync.Map // string -> true
	// pods keeps the UIDs of the pods of each Valkey, to forget connections by.
	pods sync.Map // types.NamespacedName -> map[string]bool
}

// Reconcile brings one Valkey a step further.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	v := &v1alpha1.Valkey{}
	if err := r.Client.Get(ctx, req.NamespacedName, v); err != nil {
		if apierrors.IsNotFound(err) {
			r.forget(req.NamespacedName)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	s := newScope(r, v)
	err := s.run(ctx)
	if statusErr := s.writeStatus(ctx, err); statusErr != nil {
		err = errors.Join(err, statusErr)
	}
	return s.result(ctx, err)
}

// run makes what is to be there, and then has the servers serve. What stands in the way of the first, a quota that is used up or
// a Secret that is missing, may stand there for days, and must not leave clients without a primary.
func (s *scope) run(ctx context.Context) error {
	if s.v.DeletionTimestamp != nil {
		return s.delete(ctx)
	}
	err := inOrder(ctx, s.finalize, s.gather, s.credentials, s.applyClaims, s.applyShared, s.observe, s.assign, s.applyNodes)
	if err != nil {
		if s.login.Operator == "" {
			return err
		}
		err = errors.Join(err, s.look(ctx))
	}
	err = errors.Join(err, s.carryOut(ctx))
	if s.handingOver {
		return err // the next look must not wait for what is left: its end is told within milliseconds
	}
	return errors.Join(err, inOrder(ctx, s.dropLatecomers, s.answerRequest, s.findWarnings))
}

// inOrder carries out phases. One that finds a problem ends the list.
func inOrder(ctx context.Context, phases ...func(context.Context) error) error {
	for _, phase := range phases {
		if err := phase(ctx); err != nil {
			return err
		}
	}
	return nil
}

// look decides the roles where a phase before failed, from what is there.
func (s *scope) look(ctx context.Context) error {
	if s.state.Pods == nil {
		if err := inOrder(ctx, s.observe, s.assign); err != nil {
			return err
		}
	}
	s.arrange()
	return nil
}

// finalize puts our finalizer on the object before anything is made for it.
func (s *scope) finalize(ctx context.Context) error {
	if controllerutil.ContainsFinalizer(s.v, v1alpha1.Finalizer) {
		return nil
	}
	before := s.v.DeepCopy()
	controllerutil.AddFinalizer(s.v, v1alpha1.Finalizer)
	return s.r.Client.Patch(ctx, s.v, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
}

// result turns what a phase said into when to look again. Waiting is not an error, a conflict is a quiet retry, and
// a namespace that is going needs nothing. Where servers change their roles that does not wait until the queue tries anew
// what failed.
func (s *scope) result(ctx context.Context, err error) (ctrl.Result, error) {
	var p *problemError
	switch {
	case err == nil, errors.As(err, &p):
		return ctrl.Result{RequeueAfter: s.again}, nil
	case apierrors.IsConflict(err):
		s.after(soon)
		return ctrl.Result{RequeueAfter: s.again}, nil
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		return ctrl.Result{}, nil
	case s.isMoving():
		log.FromContext(ctx).Error(err, "a part failed, the servers are looked at again", "after", s.again.String())
		return ctrl.Result{RequeueAfter: cmp.Or(s.again, soon)}, nil
	default:
		return ctrl.Result{}, err
	}
}

// isMoving says that the servers do not have the roles yet that they are to have.
func (s *scope) isMoving() bool {
	return len(s.seen) > 0 && (len(s.roles.Actions) > 0 || len(s.topology.Actions) > 0 || s.roles.Waiting != "")
}

func (r *Reconciler) forget(name types.NamespacedName) {
	r.silent.Delete(name)
	r.absent.Delete(name)
	r.moves.Delete(name)
	if held, ok := r.pods.LoadAndDelete(name); ok {
		uids := held.(map[string]bool)
		r.Servers.Forget(func(id string) bool { return uids[id] })
		for uid := range uids {
			r.forgetPod(uid)
		}
	}
}

func (r *Reconciler) forgetPod(uid string) {
	r.demoted.Delete(uid)
	r.synced.Delete(uid)
}

// remember notes the pods that a Valkey has now, and closes the connections to those that it had.
func (r *Reconciler) remember(name types.NamespacedName, now map[string]bool) {
	before, _ := r.pods.Swap(name, now)
	if had, ok := before.(map[string]bool); ok {
		r.Servers.Forget(func(id string) bool { return had[id] && !now[id] })
		for uid := range had {
			if !now[uid] {
				r.forgetPod(uid)
			}
		}
	}
}

// problemError carries a problem out of a phase; it is for the status, not for the work queue.
type problemError struct{ conditions.Problem }

func (p *problemError) Error() string { return p.Message }

func problemf(reason string, needsPerson bool, message string) error {
	return &problemError{conditions.Problem{Reason: reason, Message: conditions.Text(message), NeedsPerson: needsPerson}}
}
