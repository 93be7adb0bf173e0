package resources

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

const portName = "valkey"

const (
	// AnnotationLedSince is on a Service that leads to a node, with the time since when.
	AnnotationLedSince = v1alpha1.Group + "/led-since"
	// AnnotationLedAgain is on one of which Kubernetes was told a second time.
	AnnotationLedAgain = v1alpha1.Group + "/led-again"
)

// PrimaryService is the Service x: always the primary. It publishes pods that are not ready, since the role label is
// its gate: a promotion does not wait for a probe.
func PrimaryService(v *v1alpha1.Valkey) *corev1.Service {
	s := service(v, v.ServiceName(), with(selector(v), v1alpha1.LabelRole, string(v1alpha1.RolePrimary)))
	s.Spec.PublishNotReadyAddresses = true
	return s
}

// LedService is the Service x while the primary's label moves: it leads to a node, which one update of it brings about.
// By the label alone it would take two, the first of which leads nowhere, and kube-proxy carries out one a second.
// Again makes it another update of the same.
func LedService(v *v1alpha1.Valkey, node int, since time.Time, again bool) *corev1.Service {
	s := PrimaryService(v)
	s.Spec.Selector = with(selector(v), v1alpha1.LabelNode, itoa(node))
	s.Annotations = map[string]string{AnnotationLedSince: since.UTC().Format(time.RFC3339Nano)}
	if again {
		s.Annotations[AnnotationLedAgain] = "true"
	}
	return s
}

// LedTo says which node a Service leads to by LedService, and since when.
func LedTo(s *corev1.Service) (node int, since time.Time, led bool) {
	node, err := strconv.Atoi(s.Spec.Selector[v1alpha1.LabelNode])
	if err != nil {
		return 0, time.Time{}, false
	}
	since, err = time.Parse(time.RFC3339, s.Annotations[AnnotationLedSince])
	return node, since, err == nil
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
