package resources

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

const (
	dataDir   = "/data"
	configDir = "/etc/valkey/config"
	secretDir = "/etc/valkey/secret" //nolint:gosec // a path, no secret

	// valkeyUID is the user and group of the official image.
	valkeyUID = 999

	// AnnotationConf on a pod template changes with valkey.conf, so that a change reaches the server.
	AnnotationConf = v1alpha1.Group + "/conf"
)

// startLine starts the server of a node. It waits for an exclusive lock on the data directory first: while a deleted
// pod still ends, its replacement waits, so that no two servers ever write one directory. The lock lives as long as
// the server, which inherits file descriptor 9. While it waits it ends when it is told to: the first process of a container
// does not by itself, and a pod that is rolled then would take its whole grace period. A server that the operator has not given
// a role yet is the replica of an address where nobody answers.
const startLine = `trap 'exit 0' TERM; exec 9>` + dataDir + `/.lock; flock 9 & wait $! || exit 1; ` +
	`[ "$VALKEY_BOOT" = primary ] || set -- --replicaof 127.0.0.1 1; ` +
	`exec valkey-server ` + configDir + `/` + KeyConf + ` "$@"`

// Deployment is the Deployment x-node-i of one pod, or of none where the node is stopped. One template for each node
// lets the operator roll, resize and place each alone.
func Deployment(v *v1alpha1.Valkey, i int, stopped bool) *appsv1.Deployment {
	m := meta(v, v.NodeName(i))
	m.Labels = with(m.Labels, v1alpha1.LabelNode, itoa(i))
	replicas := int32(1)
	if stopped {
		replicas = 0
	}
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: m,
		Spec: appsv1.DeploymentSpec{
			Replicas:             ptr.To(replicas),
			RevisionHistoryLimit: ptr.To[int32](2),
			// A claim is mounted by one pod at a time.
			Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType},
			Selector: &metav1.LabelSelector{MatchLabels: with(selector(v), v1alpha1.LabelNode, itoa(i))},
			Template: podTemplate(v, i),
		},
	}
}

func podTemplate(v *v1alpha1.Valkey, i int) corev1.PodTemplateSpec {
	annotations := map[string]string{AnnotationConf: confHash(v)}
	if at, ok := v.Annotations[v1alpha1.AnnotationRestartedAt]; ok {
		annotations[v1alpha1.AnnotationRestartedAt] = at
	}
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      with(v.PodLabels(), v1alpha1.LabelNode, itoa(i)),
			Annotations: annotations,
		},
		Spec: corev1.PodSpec{
			Containers:                    []corev1.Container{container(v)},
			Volumes:                       volumes(v, i),
			TerminationGracePeriodSeconds: ptr.To(int64(Grace(v) / time.Second)),
			AutomountServiceAccountToken:  ptr.To(false),
			EnableServiceLinks:            ptr.To(false),
			SecurityContext: &corev1.PodSecurityContext{
				RunAsUser:           ptr.To[int64](valkeyUID),
				RunAsGroup:          ptr.To[int64](valkeyUID),
				FSGroup:             ptr.To[int64](valkeyUID),
				FSGroupChangePolicy: ptr.To(corev1.FSGroupChangeOnRootMismatch),
				RunAsNonRoot:        ptr.To(true),
				SeccompProfile:      &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			},
			NodeSelector:              v.Spec.NodeSelector,
			Tolerations:               v.Spec.Tolerations,
			Affinity:                  affinity(v),
			TopologySpreadConstraints: v.Spec.TopologySpreadConstraints,
			PriorityClassName:         v.Spec.PriorityClassName,
		},
	}
}

func container(v *v1alpha1.Valkey) corev1.Container {
	policy := v.Spec.ImagePullPolicy
	if policy == "" {
		policy = corev1.PullIfNotPresent
	}
	return corev1.Container{
		Name:            v1alpha1.ContainerName,
		Image:           v.Spec.Image,
		ImagePullPolicy: policy,
		Command:         []string{"sh", "-c", startLine, "valkey"},
		WorkingDir:      dataDir,
		Ports:           []corev1.ContainerPort{{Name: portName, ContainerPort: v1alpha1.Port, Protocol: corev1.ProtocolTCP}},
		Env: []corev1.EnvVar{{
			Name: "VALKEY_BOOT",
			ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{
				LocalObjectReference: corev1.LocalObjectReference{Name: v.ConfigMapName()},
				Key:                  KeyBoot,
				// Not optional: a server that does not know how to start must not start.
			}},
		}},
		Resources: containerResources(v),
		VolumeMounts: []corev1.VolumeMount{
			{Name: "data", MountPath: dataDir},
			{Name: "tmp", MountPath: "/tmp"},
			{Name: "config", MountPath: configDir, ReadOnly: true},
			{Name: "secret", MountPath: secretDir, ReadOnly: true},
		},
		StartupProbe:   startupProbe(v),
		LivenessProbe:  livenessProbe(),
		ReadinessProbe: readinessProbe(),
		Lifecycle:      &corev1.Lifecycle{PreStop: preStop()},
		// The last lines of the log say why a server does not start: a wrong directive, a foreign data format.
		TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: ptr.To(false),
			ReadOnlyRootFilesystem:   ptr.To(true),
			RunAsNonRoot:             ptr.To(true),
			Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
	}
}

// containerResources requests what it limits, so that a server gets what was asked for. A spec that does not parse
// does not pass admission.
func containerResources(v *v1alpha1.Valkey) corev1.ResourceRequirements {
	r := corev1.ResourceRequirements{Limits: corev1.ResourceList{}, Requests: corev1.ResourceList{}}
	for name, text := range map[corev1.ResourceName]string{
		corev1.ResourceCPU: v.Spec.Resource.CPU, corev1.ResourceMemory: v.Spec.Resource.Memory,
	} {
		if q, err := resource.ParseQuantity(text); err == nil {
			r.Limits[name], r.Requests[name] = q, q
		}
	}
	if q, err := resource.ParseQuantity(v.Spec.Resource.Storage); err == nil {
		r.Limits[corev1.ResourceEphemeralStorage] = q
	}
	return r
}

func volumes(v *v1alpha1.Valkey, i int) []corev1.Volume {
	readable := ptr.To[int32](0o440)
	data := corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
	if v.Spec.Volume.Enabled {
		data = corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: v.NodeName(i)}}
	}
	tmpSize := resource.MustParse("64Mi")
	return []corev1.Volume{
		{Name: "data", VolumeSource: data},
		{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &tmpSize}}},
		{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: v.ConfigMapName()},
			Items:                []corev1.KeyToPath{{Key: KeyConf, Path: KeyConf}},
			DefaultMode:          readable,
		}}},
		// Only what the server and the probes need: the operator's own password stays out of the pod.
		{Name: "secret", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
			SecretName: v.InternalSecretName(),
			Items: []corev1.KeyToPath{
				{Key: KeyACL, Path: KeyACL},
				{Key: KeyReplicationConf, Path: KeyReplicationConf},
				{Key: KeyProbePassword, Path: KeyProbePassword},
			},
			DefaultMode: readable,
		}}},
	}
}

// affinity is the user's, or else: the servers of one Valkey prefer different hosts.
func affinity(v *v1alpha1.Valkey) *corev1.Affinity {
	if v.Spec.Affinity != nil {
		return v.Spec.Affinity
	}
	return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{
			Weight: 100,
			PodAffinityTerm: corev1.PodAffinityTerm{
				TopologyKey:   corev1.LabelHostname,
				LabelSelector: &metav1.LabelSelector{MatchLabels: selector(v)},
			},
		}},
	}}
}

// Grace is how long a server may take to end: it hands over, waits for its replicas, and writes its whole memory to
// disk, at 32 MiB/s on a slow volume.
func Grace(v *v1alpha1.Valkey) time.Duration {
	const base, most, bytesPerSecond = 30 * time.Second, 30 * time.Minute, 32 << 20
	return min(base+time.Duration(Maxmemory(v)/bytesPerSecond)*time.Second, most)
}
