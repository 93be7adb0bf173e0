package resources

import (
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// DisruptionBudgets hold a drain back: the primary is never evicted as such, and one replica at a time is. Their
// selectors are disjoint, since two budgets on one pod make every eviction fail. A single node has none: it would
// make its host impossible to drain.
func DisruptionBudgets(v *v1alpha1.Valkey) []*policyv1.PodDisruptionBudget {
	primary := budget(v, v.ServiceName(), v1alpha1.RolePrimary)
	primary.Spec.MinAvailable = ptr.To(intstr.FromInt32(1))
	replicas := budget(v, v.ReplicasServiceName(), v1alpha1.RoleReplica)
	replicas.Spec.MaxUnavailable = ptr.To(intstr.FromInt32(1))
	return []*policyv1.PodDisruptionBudget{primary, replicas}
}

func budget(v *v1alpha1.Valkey, name string, role v1alpha1.Role) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{
		TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"},
		ObjectMeta: meta(v, name),
		Spec: policyv1.PodDisruptionBudgetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: with(selector(v), v1alpha1.LabelRole, string(role))},
		},
	}
}
