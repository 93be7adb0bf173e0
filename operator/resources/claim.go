package resources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Claim is the PersistentVolumeClaim x-node-i. With reclaim Retain it has no owner, so that nothing takes it along
// when v goes.
func Claim(v *v1alpha1.Valkey, i int) *corev1.PersistentVolumeClaim {
	m := meta(v, v.NodeName(i))
	m.Labels = with(m.Labels, v1alpha1.LabelNode, itoa(i))
	if v.Spec.Volume.Reclaim == v1alpha1.ReclaimRetain {
		m.OwnerReferences = nil
	}
	m.Annotations = map[string]string{v1alpha1.AnnotationOwner: string(v.UID)}
	size, err := resource.ParseQuantity(v.VolumeSize())
	if err != nil {
		size = resource.Quantity{} // such a spec does not pass admission; the API server refuses a claim of no size
	}
	return &corev1.PersistentVolumeClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
		ObjectMeta: m,
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes:      []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			StorageClassName: v.Spec.Volume.StorageClassName,
			Resources: corev1.VolumeResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceStorage: size},
			},
		},
	}
}

// RetainedClaim is the claim of node i as it is left behind: nobody's, and marked for a new Valkey of the same name.
func RetainedClaim(v *v1alpha1.Valkey, i int) *corev1.PersistentVolumeClaim {
	c := Claim(v, i)
	c.OwnerReferences = nil
	c.Annotations = map[string]string{v1alpha1.AnnotationRetained: v.Name}
	if v.Status.Primary == v.NodeName(i) {
		c.Annotations[v1alpha1.AnnotationWasPrimary] = "true"
	}
	return c
}
