package controller

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	testclock "k8s.io/utils/clock/testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey"
)

func TestOneMissedAnswerIsNoNews(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	clock := testclock.NewFakePassiveClock(now)
	r := &Reconciler{Clock: clock}
	running := func(err error, change func(*scope, *corev1.Pod)) *scope {
		v := &v1alpha1.Valkey{}
		v.Name, v.Status.Status = "x", v1alpha1.PhaseRunning
		s := newScope(r, v)
		pod := &corev1.Pod{}
		pod.UID = "pod"
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		s.node(0).pods = []*corev1.Pod{pod}
		if err != nil {
			s.unreachable["pod"] = err
		}
		change(s, pod)
		return s
	}
	as := func(*scope, *corev1.Pod) {}
	if !running(context.DeadlineExceeded, as).isMomentary() {
		t.Error("a first missed answer is told at once")
	}
	clock.SetTime(now.Add(silence - time.Second))
	if !running(context.DeadlineExceeded, as).isMomentary() {
		t.Error("answers missed for less than the patience are told")
	}
	clock.SetTime(now.Add(silence))
	if running(context.DeadlineExceeded, as).isMomentary() {
		t.Error("answers missed for the whole patience are not told")
	}
	for sentence, s := range map[string]*scope{
		"an answer":             running(nil, as),
		"a server that is gone": running(valkey.ErrGone, as),
		"a change of roles":     running(context.DeadlineExceeded, func(s *scope, _ *corev1.Pod) { s.changed = true }),
		"a Valkey on its way":   running(context.DeadlineExceeded, func(s *scope, _ *corev1.Pod) { s.v.Status.Status = v1alpha1.PhaseInProgress }),
		"a new spec":            running(context.DeadlineExceeded, func(s *scope, _ *corev1.Pod) { s.v.Generation = 2 }),
		"the kubelet's word":    running(context.DeadlineExceeded, func(_ *scope, p *corev1.Pod) { p.Status.Conditions = nil }),
	} {
		r.silent.Clear()
		if s.isMomentary() {
			t.Errorf("%s keeps the status as it is", sentence)
		}
	}
}
