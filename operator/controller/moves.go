package controller

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/plan"
)

// handover is the reason of a change that nobody here ordered.
const handover = "handover"

// move is a change of the primary that is under way: since it was ordered, or since the primary was first missed.
type move struct {
	began  time.Time
	reason string
	// made is what came of it. It is kept until the cache has a status with it: the write may fail, and a status that is
	// made of an older one would lose it.
	made *v1alpha1.RoleChange
	// told says that there is an event of it.
	told bool
}

func (s *scope) move() move {
	known, _ := s.r.moves.Load(client.ObjectKeyFromObject(s.v))
	m, _ := known.(move)
	return m
}

func (s *scope) setMove(m move) { s.r.moves.Store(client.ObjectKeyFromObject(s.v), m) }

func (s *scope) endMove() { s.r.moves.Delete(client.ObjectKeyFromObject(s.v)) }

// noteMissing notes when a primary that there was is first not there.
func (s *scope) noteMissing() {
	p, m := s.roles.Primary, s.move()
	switch {
	case m.made != nil:
		if known := s.v.Status.RoleChanges; len(known) > 0 && known[0].Reason == m.made.Reason && known[0].Time.Equal(&m.made.Time) {
			s.endMove()
		}
	case p == nil && s.state.Recorded != plan.NoNode && s.state.Wanted > 0:
		if m.began.IsZero() {
			s.setMove(move{began: s.r.Clock.Now()})
		}
	case p != nil && p.Role == v1alpha1.RolePrimary && !p.Server.HandingOver():
		s.endMove() // it was given up
	}
}

// noteOrder notes an order that makes another server the primary.
func (s *scope) noteOrder(a plan.Action) {
	m := move{began: s.r.Clock.Now(), reason: a.Reason}
	if a.Kind == plan.HandOver {
		m.reason = handover + ", since " + a.Reason
	} else if missed := s.move().began; !missed.IsZero() {
		m.began = missed
	}
	s.setMove(m)
}

// noteChange keeps for the status and the event that a pod was given the primary's label, with the time that clients were
// without a primary for.
func (s *scope) noteChange(p plan.Pod) {
	m := s.move()
	made := &v1alpha1.RoleChange{
		Time: metav1.Time{Time: s.r.Clock.Now().Truncate(time.Second)}, From: s.v.Status.Primary, To: s.v.NodeName(p.Node), Reason: m.reason,
	}
	if m.reason == "" {
		if made.From == "" || made.From == made.To {
			s.endMove() // a standalone that came, or came back, by itself; or a label that others took
			return
		}
		made.Reason = handover // another operator ordered it
	}
	if made.From != "" && !m.began.IsZero() {
		made.Reason += fmt.Sprintf(" (%s)", s.r.Clock.Since(m.began).Round(time.Millisecond))
	}
	s.setMove(move{made: made})
}

// tell tells of a change of the primary that was written to the status.
func (s *scope) tell(c *v1alpha1.RoleChange) {
	if c == nil || s.move().told {
		return
	}
	s.setMove(move{made: c, told: true})
	switch c.From {
	case "":
	case c.To:
		s.event(corev1.EventTypeNormal, eventPrimaryChanged, "Label", "%s is the primary again: %s", c.To, c.Reason)
	default:
		s.event(corev1.EventTypeNormal, eventPrimaryChanged, "Label", "%s is the primary in place of %s: %s", c.To, c.From, c.Reason)
	}
}
