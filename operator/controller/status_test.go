package controller

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	testclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Between the write of a Deployment's new template and the end of the pod of the old one, all servers serve and every
// template is as wanted: the roll is not over for all that.
func TestARollLastsUntilTheOldPodIsGone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*appsv1.Deployment)
		want   bool
	}{
		"all done":                {func(*appsv1.Deployment) {}, false},
		"not seen by the cluster": {func(d *appsv1.Deployment) { d.Generation = 3 }, true},
		"the old pod still runs":  {func(d *appsv1.Deployment) { d.Status.UpdatedReplicas = 0 }, true},
	} {
		v := &v1alpha1.Valkey{}
		v.Name, v.Spec.Replicas = "x", ptr.To[int32](1)
		s := newScope(&Reconciler{Clock: testclock.NewFakePassiveClock(time.Unix(0, 0))}, v)
		d := &appsv1.Deployment{}
		d.Generation = 2
		d.Status = appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 1, UpdatedReplicas: 1}
		c.change(d)
		s.node(0).deployment = d
		if got := s.input(nil).Unfinished; got != c.want {
			t.Errorf("%s: unfinished is %t", name, got)
		}
	}
}
