package kube

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

func TestStateWords(t *testing.T) {
	status := func(phase v1alpha1.Phase, ready int32, message string, conditions ...metav1.Condition) v1alpha1.ValkeyStatus {
		return v1alpha1.ValkeyStatus{Status: phase, ReadyReplicas: ready, Error: message, ObservedGeneration: 2, Conditions: conditions}
	}
	stopping := status(v1alpha1.PhaseInProgress, 0, "")
	stopping.Nodes = []v1alpha1.NodeStatus{{Name: "app-node-0", Pod: "p"}, {Name: "app-node-1", Pod: "q"}, {Name: "app-node-2"}}
	earlier := status(v1alpha1.PhaseRunning, 3, "")
	earlier.ObservedGeneration = 1
	for name, tc := range map[string]struct {
		wanted int32
		status v1alpha1.ValkeyStatus
		want   string
	}{
		"a new one":                    {3, v1alpha1.ValkeyStatus{}, "not looked at by the operator yet"},
		"the status of another spec":   {0, earlier, "the change is not taken up by the operator yet"},
		"on its way":                   {3, status(v1alpha1.PhaseInProgress, 1, ""), "in_progress, 1 of 3 ready"},
		"an error":                     {3, status(v1alpha1.PhaseFailed, 0, "no\nroom"), "failed, 0 of 3 ready: no room"},
		"one that is being stopped":    {0, stopping, "stopping, 2 servers left"},
		"one that is stopped":          {0, status(v1alpha1.PhaseStopped, 0, ""), "stopped"},
		"one that failed while it did": {0, status(v1alpha1.PhaseFailed, 0, "no"), "failed: no"},
		"what it waits for": {
			3, status(v1alpha1.PhaseInProgress, 0, "", metav1.Condition{Type: v1alpha1.ConditionReady, Status: "False", ObservedGeneration: 2, Message: "there is no primary yet"}),
			"in_progress, 0 of 3 ready: there is no primary yet",
		},
		"the numbers are not told twice": {
			3, status(v1alpha1.PhaseInProgress, 1, "", metav1.Condition{Type: v1alpha1.ConditionReady, Status: "False", ObservedGeneration: 2, Message: "1 of 3 servers ready"}),
			"in_progress, 1 of 3 ready",
		},
		"what is wrong beside": {
			3, status(v1alpha1.PhaseRunning, 3, "", metav1.Condition{Type: v1alpha1.ConditionDegraded, Status: "True", Message: "a claim cannot grow"}),
			"running, 3 of 3 ready: a claim cannot grow",
		},
	} {
		v := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Generation: 2}, Spec: v1alpha1.ValkeySpec{Replicas: &tc.wanted}, Status: tc.status}
		if got := StateWords(v); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
