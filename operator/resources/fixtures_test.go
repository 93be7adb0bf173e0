package resources_test

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

// passwords are told apart in whatever they turn up in. The admin's has every character that ever broke a shell, a
// configuration file or a URL.
var passwords = resources.Credentials{
	Admin: `a"b\ #$'é`, Operator: "OPERATORPASSWORD", Replication: "REPLICATIONPASSWORD",
	Probe: "PROBEPASSWORD", Observer: "OBSERVERPASSWORD",
}

func secretsOf(c resources.Credentials) []string {
	return []string{c.Admin, c.Operator, c.Replication, c.Probe, c.Observer}
}

func valkey(change func(*v1alpha1.Valkey)) *v1alpha1.Valkey {
	v := &v1alpha1.Valkey{
		ObjectMeta: metav1.ObjectMeta{Name: "app-db", Namespace: "team-a", UID: "11111111-2222-3333-4444-555555555555"},
		Spec: v1alpha1.ValkeySpec{
			Image:    "valkey/valkey:9.1",
			Replicas: ptr.To[int32](1),
			User:     "root",
			Password: ptr.To(passwords.Admin),
			Volume:   v1alpha1.VolumeSpec{Enabled: true, Reclaim: v1alpha1.ReclaimDelete},
			Resource: v1alpha1.ResourceSpec{Memory: "512Mi", CPU: "200m", Storage: "1Gi"},
		},
	}
	change(v)
	return v
}

// variants are the Valkeys that the golden files and the properties are about, by the name of the golden file.
func variants() map[string]*v1alpha1.Valkey {
	return map[string]*v1alpha1.Valkey{
		"standalone-with-volume": valkey(func(*v1alpha1.Valkey) {}),
		"three-without-volume": valkey(func(v *v1alpha1.Valkey) {
			v.Spec.Replicas, v.Spec.Volume.Enabled = ptr.To[int32](3), false
		}),
		"default-user-and-config": valkey(func(v *v1alpha1.Valkey) {
			v.Spec.User = "default"
			v.Spec.ImagePullPolicy = corev1.PullAlways
			v.Spec.Config = map[string]v1alpha1.ConfigValue{
				"maxmemory": "100mb", "maxmemory-policy": "allkeys-lru", "appendfsync": "always", "save": "60 1",
			}
		}),
		"retained-of-a-class": valkey(func(v *v1alpha1.Valkey) {
			v.Spec.Volume = v1alpha1.VolumeSpec{
				Enabled: true, Storage: "2Gi", StorageClassName: ptr.To("fast"), Reclaim: v1alpha1.ReclaimRetain,
			}
		}),
		"scheduled": valkey(schedule),
	}
}

func schedule(v *v1alpha1.Valkey) {
	v.Spec.Replicas = ptr.To[int32](2)
	v.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	v.Spec.Tolerations = []corev1.Toleration{{Key: "database", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}}
	v.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
		MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{v1alpha1.LabelInstance: v.Name}},
	}}
	v.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "arch", Operator: corev1.NodeSelectorOpIn, Values: []string{"amd64"}}},
		}}},
	}}
	v.Spec.PriorityClassName = "databases"
}

// objects are everything that v becomes.
func objects(v *v1alpha1.Valkey) []resources.Object {
	out := []resources.Object{
		resources.InternalSecret(v, passwords), resources.UserSecret(v, passwords), resources.ObserverSecret(v, passwords),
		resources.ConfigMap(v, resources.BootOf(v.WantedReplicas())),
		resources.PrimaryService(v), resources.ReplicasService(v), resources.NodesService(v),
	}
	if v.WantedReplicas() > 1 {
		for _, budget := range resources.DisruptionBudgets(v) {
			out = append(out, budget)
		}
	}
	for i := range v.WantedReplicas() {
		if v.Spec.Volume.Enabled {
			out = append(out, resources.Claim(v, i))
		}
		out = append(out, resources.Deployment(v, i, false))
	}
	return out
}

// all are the objects of one kind among those that v becomes.
func all[T resources.Object](v *v1alpha1.Valkey) []T {
	var out []T
	for _, o := range objects(v) {
		if wanted, ok := o.(T); ok {
			out = append(out, wanted)
		}
	}
	return out
}

// sortedNames are the names of the variants, in their order.
func sortedNames(of map[string]*v1alpha1.Valkey) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
