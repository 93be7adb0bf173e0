package tui

import (
	"testing"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

func TestHeaderTellsHowTheOperatorFares(t *testing.T) {
	for name, test := range map[string]struct {
		operator     kube.Operator
		word, banner string
	}{
		"well":        {kube.Operator{Known: true, Found: true, Ready: 2, Wanted: 2, Version: "0.4.0", Leader: "pod-x"}, "operator 0.4.0 ● 2/2 leader pod-x", ""},
		"half":        {kube.Operator{Known: true, Found: true, Ready: 1, Wanted: 2}, "operator ▲ 1/2", ""},
		"not ready":   {kube.Operator{Known: true, Found: true, Wanted: 2, Namespace: "ops"}, "operator ✗ 0/2", "nothing will happen to Valkeys until it is; see: kubectl describe pods -n ops"},
		"scaled to 0": {kube.Operator{Known: true, Found: true, Namespace: "ops", Name: "op"}, "operator ✗ 0/0", "kubectl scale -n ops deployment/op --replicas=2"},
		"missing":     {kube.Operator{Known: true}, "no operator", "no operator is installed here"},
		"not known":   {kube.Operator{}, "Kubernetes", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(cast()...)
			f.operator = &test.operator
			s := newSession(t, f, 200, 40, theme.TrueColor)
			s.sees("sessions")
			s.sees("Kubernetes")
			s.sees(test.word)
			if test.banner != "" {
				s.sees(test.banner)
			} else if len(s.m.banner) > 0 {
				t.Errorf("there is a banner: %q", s.m.banner)
			}
		})
	}
}

// The trouble of the cluster goes before that of the operator, which it may be the cause of.
func TestTroubleOfTheClusterGoesFirst(t *testing.T) {
	f := newFake(cast()...)
	f.operator = &kube.Operator{Known: true}
	s := newSession(t, f, 200, 40, theme.TrueColor)
	s.sees("no operator is installed here")
	f.fail(&kube.Problem{Class: kube.ClassUnreachable, Message: "nobody answers"})
	s.sees("nobody answers")
	s.misses("no operator is installed here")
}

func TestABadFilterKeepsTheLastGoodRows(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.press("/")
	s.write("^jobs")
	s.sees("1 of 4")
	s.write("[")
	s.sees("✗ no regular expression: missing closing ]")
	s.press("enter")
	s.sees("/^jobs[")
	s.sees("◐ in_progress")
	s.write("x]|zz")
	s.misses("no regular expression")
	s.sees("zzz")
	s.press("esc")
	s.sees("sessions")
}
