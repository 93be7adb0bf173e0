package resources

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

const portName = "valkey"

// PrimaryService is the Service x: always the primary. It publishes pods that are not ready, since the role label is
// its gate: a promotion does not wait for a probe.
func PrimaryService(v *v1alpha1.Valkey) *corev1.Service {
	s := service(v, v.ServiceName(), with(selector(v), v1alpha1.LabelRole, string(v1alpha1.RolePrimary)))
	s.Spec.PublishNotReadyAddresses = true
	return s
}

// ReplicasService is the Service x-replicas: the replicas that are ready.
func ReplicasService(v *v1alpha1.Valkey) *corev1.Service {
	return service(v, v.ReplicasServiceName(), with(selector(v), v1alpha1.LabelRole, string(v1alpha1.RoleReplica)))
}

// NodesService is the headless Service x-nodes: every pod, whatever its state.
func NodesService(v *v1alpha1.Valkey) *corev1.Service {
	s := service(v, v.NodesServiceName(), selector(v))
	s.Spec.ClusterIP = corev1.ClusterIPNone
	s.Spec.PublishNotReadyAddresses = true
	return s
}

func service(v *v1alpha1.Valkey, name string, pods map[string]string) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: meta(v, name),
		Spec: corev1.ServiceSpec{
			Type:     corev1.ServiceTypeClusterIP,
			Selector: pods,
			Ports: []corev1.ServicePort{{
				Name: portName, Port: v1alpha1.Port, TargetPort: intstr.FromString(portName), Protocol: corev1.ProtocolTCP,
			}},
		},
	}
}

func itoa(i int) string { return strconv.Itoa(i) }
