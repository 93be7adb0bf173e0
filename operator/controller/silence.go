package controller

import (
	"errors"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
	"kuberly.io/valkey-operator/operator/valkey"
)

// silence is for how long a server that the kubelet calls ready may leave the operator without an answer before the
// status says so. A fork, a busy host or a lost packet is no news; a failover does not wait for this.
const silence = 5 * time.Second

// isMomentary says that the only news about a running Valkey is that a server did not answer just now.
func (s *scope) isMomentary() bool {
	name := client.ObjectKeyFromObject(s.v)
	if s.changed || s.v.Status.Status != v1alpha1.PhaseRunning || s.v.Status.ObservedGeneration != s.v.Generation || !s.isSilent() {
		s.r.silent.Delete(name)
		return false
	}
	now := s.r.Clock.Now()
	since, _ := s.r.silent.LoadOrStore(name, now)
	return now.Sub(since.(time.Time)) < silence
}

// isSilent says that some server did not answer, and that each such one runs and is ready by the kubelet's word.
func (s *scope) isSilent() bool {
	silent := false
	for _, n := range s.nodes {
		for _, pod := range n.pods {
			err, unanswered := s.unreachable[string(pod.UID)]
			switch {
			case pod.DeletionTimestamp != nil || !conditions.PodReady(pod) || errors.Is(err, valkey.ErrGone):
				return false
			case unanswered:
				silent = true
			}
		}
	}
	return silent
}
