package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

const (
	// leadTime is for how long the Service leads to a node after the primary's label has moved. By then whoever reads
	// the labels knows of it, and the Service can follow them again without a change of where it leads.
	leadTime = 5 * time.Second
	// leadAgainAfter is when Kubernetes is told of it once more. Where endpoints changed just before, as by the end of the old
	// primary's pod, its endpoints controller finds its cache out of date and puts the Service off for a second; it does what it is
	// told anew at once.
	leadAgainAfter = 100 * time.Millisecond
	// moveTime is for how long the label may be on its way.
	moveTime = 2 * time.Second
	// dropAfter is when the clients of a demoted primary are dropped once more: those that came back to it before every
	// host knew where the Service leads now. kube-proxy takes up to a second.
	dropAfter = 3 * time.Second
)

// lead has the Service x lead to a node. Where that cannot be written the Service follows the label, in two steps.
func (s *scope) lead(ctx context.Context, node int) {
	s.led.node, s.led.since = node, s.r.Clock.Now()
	if err := s.sendLed(ctx, false); err != nil {
		log.FromContext(ctx).Info("the Service follows the label", "reason", err.Error())
		s.led.since = time.Time{}
		s.after(soon)
	}
}

// leadAgain tells Kubernetes once more where the Service leads, when it is time. The next look would do it too; it comes only
// after the rest of this one. It is not worth ending this one for.
func (s *scope) leadAgain(ctx context.Context) {
	if s.led.since.IsZero() || s.r.Clock.Since(s.led.since) < leadAgainAfter {
		return
	}
	if err := s.sendLed(ctx, true); err != nil {
		log.FromContext(ctx).Info("the Service is not told again where it leads", "reason", err.Error())
	}
	s.led.since = time.Time{}
}

func (s *scope) sendLed(ctx context.Context, again bool) error {
	service := resources.LedService(s.v, s.led.node, s.led.since, again)
	want, err := toMap(service)
	if err != nil {
		return err
	}
	return s.send(ctx, want, service, "changed")
}

// primaryService is the Service x as it is to be: as it is for a while where it leads to the primary's node, so that
// nobody is led astray who does not know yet how the labels are.
func (s *scope) primaryService() *corev1.Service {
	plain := resources.PrimaryService(s.v)
	live, ok := s.live[keyOf(plain)].(*corev1.Service)
	if !ok {
		return plain
	}
	node, since, led := resources.LedTo(live)
	age := s.r.Clock.Since(since) // below nothing where another operator's clock was ahead
	if !led || age < 0 || age >= leadTime || (age >= moveTime && !s.isLabelled(node)) {
		return plain
	}
	s.after(leadAgainAfter - age)
	s.after(leadTime - age)
	return resources.LedService(s.v, node, since, age >= leadAgainAfter)
}

// isLabelled says that a pod of the node carries the primary's label.
func (s *scope) isLabelled(node int) bool {
	for _, pod := range s.node(node).pods {
		if pod.Labels[v1alpha1.LabelRole] == string(v1alpha1.RolePrimary) {
			return true
		}
	}
	return false
}

// isLed says that an object is the Service x while it leads to a node.
func (s *scope) isLed(o resources.Object) bool {
	live, ok := s.live[keyOf(o)].(*corev1.Service)
	if !ok {
		return false
	}
	_, _, led := resources.LedTo(live)
	return led
}

// dropAgain notes that the clients of a pod's server are to be dropped once more.
func (r *Reconciler) dropAgain(uid string, now time.Time) { r.demoted.Store(uid, now.Add(dropAfter)) }

// dropLatecomers drops the clients of servers that were primaries once more.
func (s *scope) dropLatecomers(ctx context.Context) error {
	for _, p := range s.state.Pods {
		due, ok := s.r.demoted.Load(p.UID)
		if !ok || p.Server == nil {
			continue
		}
		if left := due.(time.Time).Sub(s.r.Clock.Now()); left > 0 {
			s.after(left)
			continue
		}
		s.r.demoted.Delete(p.UID)
		if p.IsPrimary() {
			continue // it is one again
		}
		if err := s.r.Servers.DropClients(ctx, s.target(s.pod(p.UID)), s.operatorLogin()); err != nil {
			log.FromContext(ctx).Info("clients of the old primary are not dropped", "pod", p.Name, "reason", err.Error())
		}
	}
	return nil
}
