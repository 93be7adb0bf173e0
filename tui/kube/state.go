package kube

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
)

// StateWords are what the status says last, in one line: the phase, how many servers there are of those wanted, and why not all. A status of
// an earlier spec is not told as one of this: its numbers are those of another aim.
func StateWords(v *v1alpha1.Valkey) string {
	words := phaseWords(v)
	if why := WhyNot(v); why != "" {
		words += ": " + why
	}
	return words
}

func phaseWords(v *v1alpha1.Valkey) string {
	phase := clean.Text(string(v.Status.Status))
	switch {
	case v.Status.ObservedGeneration == 0 && phase == "":
		return "not looked at by the operator yet"
	case v.Status.ObservedGeneration < v.Generation:
		return "the change is not taken up by the operator yet"
	case v.WantedReplicas() > 0:
		return fmt.Sprintf("%s, %d of %d ready", phase, v.Status.ReadyReplicas, v.WantedReplicas())
	case v.Status.Status == v1alpha1.PhaseInProgress:
		return "stopping, " + left(v)
	default:
		return phase
	}
}

// left counts the servers of a Valkey that is being stopped: none of them is wanted, so that the status counts none as ready.
func left(v *v1alpha1.Valkey) string {
	n := 0
	for i := range v.Status.Nodes {
		if v.Status.Nodes[i].Pod != "" {
			n++
		}
	}
	return servers(n) + " left"
}

func servers(n int) string {
	if n == 1 {
		return "1 server"
	}
	return strconv.Itoa(n) + " servers"
}

// WhyNot is why a Valkey is not as wanted, as its status says it: the error, else the message of Degraded or what is waited for. It is empty
// where nothing is said beyond the numbers.
func WhyNot(v *v1alpha1.Valkey) string {
	if v.Status.Error != "" {
		return oneLine(v.Status.Error)
	}
	if c := meta.FindStatusCondition(v.Status.Conditions, v1alpha1.ConditionDegraded); c != nil && c.Status == "True" {
		return oneLine(c.Message)
	}
	c := meta.FindStatusCondition(v.Status.Conditions, v1alpha1.ConditionReady)
	if c == nil || c.Status == "True" || c.ObservedGeneration < v.Generation || strings.HasSuffix(c.Message, "servers ready") {
		return ""
	}
	return oneLine(c.Message)
}
