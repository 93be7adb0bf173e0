package kube

import "testing"

func TestClausesSayAThingOnce(t *testing.T) {
	const size = "a size is a whole number and Mi, Gi or Ti"
	for want, fields := range map[string][]FieldProblem{
		`spec.a and spec.b: "1Zi" is refused: ` + size:         {{"spec.b", "1Zi", size}, {"spec.a", "1Zi", size}},
		`spec.replicas: "-1" is refused: too few`:              {{"spec.replicas", "-1", "too few"}, {"spec.replicas", "-1", "negative"}},
		`spec.a: "1" is refused: x; spec.b: "1" is refused: y`: {{"spec.a", "1", "x"}, {"spec.b", "1", "y"}},
		"a; b": {{"", "", "a"}, {"", "", "b"}},
	} {
		if got := clausesOf(fields); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
