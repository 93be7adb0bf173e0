package main

import (
	"context"
	"errors"
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
)

func TestFailoverGivenUp(t *testing.T) {
	timeout := &kube.Problem{Class: kube.ClassTimeout, Message: "x"}
	replicas := int32(2)
	seen := func(primary, why string) *v1alpha1.Valkey {
		return &v1alpha1.Valkey{Spec: v1alpha1.ValkeySpec{Replicas: &replicas}, Status: v1alpha1.ValkeyStatus{
			Status: v1alpha1.PhaseRunning, ReadyReplicas: 2, Primary: primary, Error: why,
		}}
	}
	const blocked = "no replica is in sync to hand over to; to take the request back, remove the annotation a"
	for name, tc := range map[string]struct {
		wait  failoverWait
		asked bool
		err   error
		want  string
	}{
		"it was blocked": {
			failoverWait{timeout, "app-node-0", seen("app-node-0", blocked)},
			true, nil,
			`valkey "app" has not failed over in time (running, 2 of 2 ready: no replica is in sync to hand over to); the request is taken back`,
		},
		"the user has interrupted": {
			failoverWait{context.Canceled, "app-node-0", seen("app-node-0", "")},
			true, nil,
			`valkey "app" has not failed over when it was interrupted (running, 2 of 2 ready); the request is taken back`,
		},
		"the primary has moved": {
			failoverWait{timeout, "app-node-0", seen("app-node-1", "")},
			false, nil,
			`valkey "app" has failed over from app-node-0 to app-node-1, and not everything runs again in time (running, 2 of 2 ready); there is no request any more to take back: the operator has answered it`,
		},
		"it cannot be taken back": {
			failoverWait{timeout, "app-node-0", nil},
			false, errors.New("no"),
			`valkey "app" has not failed over in time; the request could not be taken back and may yet be carried out (no); ` + "`valkeyctl failover app --cancel` tries it again",
		},
	} {
		if got := tc.wait.problem("app", tc.asked, tc.err).Error(); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tc.want)
		}
	}
}
