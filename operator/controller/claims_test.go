//go:build integration

package controller_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

func claimSpec(size string) corev1.PersistentVolumeClaimSpec {
	return corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(size)}},
	}
}

func (w *world) claims() []string {
	w.t.Helper()
	var list corev1.PersistentVolumeClaimList
	if err := w.client.List(w.t.Context(), &list, client.InNamespace(w.ns)); err != nil {
		w.t.Fatal(err)
	}
	var names []string
	for _, c := range list.Items {
		if c.DeletionTimestamp == nil {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return names
}

func (w *world) claim(name string) *corev1.PersistentVolumeClaim {
	w.t.Helper()
	c := &corev1.PersistentVolumeClaim{}
	if err := w.client.Get(w.t.Context(), w.key(name), c); err != nil {
		w.t.Fatal(err)
	}
	return c
}

// remove deletes a Valkey and waits until it is gone.
func (w *world) remove(name string) {
	w.t.Helper()
	if err := w.client.Delete(w.t.Context(), w.get(name)); err != nil {
		w.t.Fatal(err)
	}
	w.eventually(name+" is gone", func() bool { return w.gone("Valkey " + name) })
}

// Case 13 (operator): a claim goes or stays as spec.volume.reclaim says: on scaling down and on deletion.
func TestClaimsFollowTheReclaimPolicy(t *testing.T) {
	for name, c := range map[string]struct {
		policy                  v1alpha1.ReclaimPolicy
		afterScale, afterDelete []string
	}{
		"Delete": {v1alpha1.ReclaimDelete, []string{"db-node-0"}, nil},
		"Retain": {v1alpha1.ReclaimRetain, []string{"db-node-0", "db-node-1"}, []string{"db-node-0", "db-node-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.valkey("db", func(v *v1alpha1.Valkey) {
				v.Spec.Replicas, v.Spec.Volume.Reclaim = ptr.To[int32](2), c.policy
			})
			w.awaitPhase("db", v1alpha1.PhaseRunning)
			w.scale(1)
			w.awaitPhase("db", v1alpha1.PhaseRunning)
			w.eventually("claims after scaling down are as wanted", func() bool { return slices.Equal(w.claims(), c.afterScale) })
			w.scale(0)
			w.awaitPhase("db", v1alpha1.PhaseStopped)
			if got := w.claims(); !slices.Equal(got, c.afterScale) {
				t.Errorf("stopped, claims %v, want %v", got, c.afterScale)
			}
			w.remove("db")
			w.eventually("claims after deletion are as wanted", func() bool { return slices.Equal(w.claims(), c.afterDelete) })
			for _, left := range c.afterDelete {
				if owners := w.claim(left).OwnerReferences; len(owners) > 0 {
					t.Errorf("%s is still owned, so the garbage collector takes it: %v", left, owners)
				}
			}
		})
	}
}

// Case 13 (operator): a claim that was kept is taken back with its data by a Valkey of the same name, and by no other.
// One that is not taken back is not deleted along with the new Valkey, though that one keeps nothing.
func TestRetainedClaimIsTakenBack(t *testing.T) {
	w := newWorld(t)
	retain := func(v *v1alpha1.Valkey) {
		v.Spec.Replicas, v.Spec.Volume.Reclaim = ptr.To[int32](2), v1alpha1.ReclaimRetain
	}
	w.valkey("db", retain)
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	before := w.claim("db-node-0").UID
	w.remove("db")

	w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Volume.Reclaim = v1alpha1.ReclaimDelete })
	v := w.awaitPhase("db", v1alpha1.PhaseRunning)
	back := w.claim("db-node-0")
	if back.UID != before || !metav1.IsControlledBy(back, v) {
		t.Errorf("claim %s with owners %v, want the one that was kept, taken back", back.UID, back.OwnerReferences)
	}
	w.remove("db")
	w.eventually("only what was not taken back is left", func() bool { return slices.Equal(w.claims(), []string{"db-node-1"}) })
}

// Case 6 (operator): a class that cannot expand is told in a condition, and everything else goes on; one that can lets
// the claim grow.
func TestClaimGrowsWhereItsClassCan(t *testing.T) {
	for name, expandable := range map[string]bool{"a class that can": true, "a class that cannot": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			class := &storagev1.StorageClass{
				ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}, Provisioner: "example.com/none", AllowVolumeExpansion: ptr.To(expandable),
			}
			if err := w.client.Create(t.Context(), class); err != nil {
				t.Fatal(err)
			}
			w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Volume.StorageClassName = ptr.To(class.Name) })
			w.awaitPhase("db", v1alpha1.PhaseRunning)
			w.update(func(v *v1alpha1.Valkey) {
				v.Spec.Volume.Storage = "128Mi"
				v.Spec.Config = map[string]v1alpha1.ConfigValue{"timeout": "77"} // goes on
			})
			if !expandable {
				w.awaitError("db-node-0 cannot grow from 64Mi to 128Mi")
			}
			v := w.awaitPhase("db", v1alpha1.PhaseRunning)
			wanted := "128Mi"
			if !expandable {
				wanted = "64Mi"
				degraded := findCondition(v, v1alpha1.ConditionDegraded)
				if degraded.Status != metav1.ConditionTrue || degraded.Reason != v1alpha1.ReasonClaimResize {
					t.Errorf("condition %+v", degraded)
				}
			}
			w.eventually("the claim is as large as can be", func() bool {
				c := w.claim("db-node-0")
				return c.Spec.Resources.Requests.Storage().Equal(resource.MustParse(wanted))
			})
		})
	}
}

func findCondition(v *v1alpha1.Valkey, kind string) metav1.Condition {
	for _, c := range v.Status.Conditions {
		if c.Type == kind {
			return c
		}
	}
	return metav1.Condition{}
}
