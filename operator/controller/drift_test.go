package controller

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

func driftValkey() *v1alpha1.Valkey {
	v := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: "db", Namespace: "team-a", UID: "u-1"}}
	v.Spec = v1alpha1.ValkeySpec{
		Image: "valkey/valkey:9.1", Replicas: ptr.To[int32](2), User: "root", Password: ptr.To("secret"),
		Volume:   v1alpha1.VolumeSpec{Enabled: true, Storage: "1Gi"},
		Resource: v1alpha1.ResourceSpec{Memory: "1024Mi", CPU: "0.5", Storage: "1Gi"},
	}
	return v
}

func wantedDeployment() *appsv1.Deployment { return resources.Deployment(driftValkey(), 0, false) }

// servedDeployment is the Deployment as the API server keeps it: with its defaults, its status, and what others may add.
func servedDeployment() *appsv1.Deployment {
	d := wantedDeployment()
	d.TypeMeta = metav1.TypeMeta{}
	d.ResourceVersion, d.Generation, d.UID = "7", 3, "u-2"
	d.Annotations = map[string]string{"deployment.kubernetes.io/revision": "1"}
	d.Labels["team"] = "a"
	d.Spec.ProgressDeadlineSeconds = ptr.To[int32](600)
	d.Spec.Template.Annotations["kubectl.kubernetes.io/restartedAt"] = "now"
	pod := &d.Spec.Template.Spec
	pod.RestartPolicy, pod.DNSPolicy, pod.SchedulerName = corev1.RestartPolicyAlways, corev1.DNSClusterFirst, corev1.DefaultSchedulerName
	pod.Containers[0].TerminationMessagePath = "/dev/termination-log"
	d.Status.Replicas = 1
	return d
}

func differences(t *testing.T, want, have resources.Object) drift {
	t.Helper()
	w, err := toMap(want)
	if err != nil {
		t.Fatal(err)
	}
	h, err := toMap(have)
	if err != nil {
		t.Fatal(err)
	}
	return compare(w, h)
}

func TestWhatOthersMayAddIsNoDrift(t *testing.T) {
	if d := differences(t, wantedDeployment(), servedDeployment()); !d.none() {
		t.Errorf("changed %v, extras %v", d.changed, d.extras)
	}
}

// Case 9 (operator): whatever is changed by hand in a child is seen. Case 8 (operator): so is a changed limit.
func TestDriftOfADeployment(t *testing.T) {
	const pod, container = "/spec/template/spec", "/spec/template/spec/containers/0"
	type edit = func(d *appsv1.Deployment)
	inPod := func(change func(p *corev1.PodSpec)) edit {
		return func(d *appsv1.Deployment) { change(&d.Spec.Template.Spec) }
	}
	inContainer := func(change func(c *corev1.Container)) edit {
		return func(d *appsv1.Deployment) { change(&d.Spec.Template.Spec.Containers[0]) }
	}
	for name, c := range map[string]struct {
		edit    edit
		changed []string
		extras  []string
	}{
		"another number of pods":  {func(d *appsv1.Deployment) { d.Spec.Replicas = ptr.To[int32](3) }, []string{"/spec/replicas"}, nil},
		"a label taken away":      {func(d *appsv1.Deployment) { delete(d.Labels, v1alpha1.LabelNode) }, []string{"/metadata/labels/database.kuberly.io~1node"}, nil},
		"another image":           {inContainer(func(c *corev1.Container) { c.Image = "other" }), []string{container + "/image"}, nil},
		"another start line":      {inContainer(func(c *corev1.Container) { c.Command[2] = "true" }), []string{container + "/command"}, nil},
		"another memory limit":    {inContainer(func(c *corev1.Container) { c.Resources.Limits[corev1.ResourceMemory] = resource.MustParse("2Gi") }), []string{container + "/resources/limits/memory"}, nil},
		"arguments to the server": {inContainer(func(c *corev1.Container) { c.Args = []string{"--requirepass", ""} }), nil, []string{container + "/args"}},
		"a probe taken away":      {inContainer(func(c *corev1.Container) { c.LivenessProbe = nil }), []string{container + "/livenessProbe"}, nil},
		"a strategy with two pods on one claim": {
			func(d *appsv1.Deployment) {
				d.Spec.Strategy = appsv1.DeploymentStrategy{
					Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: ptr.To(intstr.FromInt32(1))},
				}
			}, []string{"/spec/strategy/type"}, []string{"/spec/strategy"},
		},
		"a container beside": {
			inPod(func(p *corev1.PodSpec) {
				p.Containers = append(p.Containers, corev1.Container{Name: "spy", Image: "spy"})
			}),
			nil,
			[]string{pod + "/containers/1"},
		},
		"containers before and after": {
			inPod(func(p *corev1.PodSpec) {
				p.Containers = []corev1.Container{{Name: "a"}, p.Containers[0], {Name: "b"}, {Name: "c"}}
				p.Containers[1].Ports = append(p.Containers[1].Ports, corev1.ContainerPort{Name: "x", ContainerPort: 1, Protocol: corev1.ProtocolTCP})
			}),
			nil,
			[]string{pod + "/containers/1/ports/1", pod + "/containers/3", pod + "/containers/2", pod + "/containers/0"},
		},
		"the container under another name": {
			inContainer(func(c *corev1.Container) { c.Name = "server" }),
			[]string{pod + "/containers/valkey"},
			[]string{pod + "/containers"},
		},
		"an init container": {
			inPod(func(p *corev1.PodSpec) { p.InitContainers = []corev1.Container{{Name: "i"}} }), nil, []string{pod + "/initContainers"},
		},
		"the host's network": {inPod(func(p *corev1.PodSpec) { p.HostNetwork = true }), nil, []string{pod + "/hostNetwork"}},
		"a host to run on that the spec does not name": {
			inPod(func(p *corev1.PodSpec) { p.NodeSelector = map[string]string{"disk": "ssd"} }), nil, []string{pod + "/nodeSelector"},
		},
		"tolerations that the spec names no more": {
			inPod(func(p *corev1.PodSpec) { p.Tolerations = []corev1.Toleration{{Key: "k"}} }), nil, []string{pod + "/tolerations"},
		},
		"an affinity beside": {
			inPod(func(p *corev1.PodSpec) { p.Affinity.NodeAffinity = &corev1.NodeAffinity{} }), nil, nil, // an empty one means none
		},
		"an affinity that the spec names no more": {
			inPod(func(p *corev1.PodSpec) {
				p.Affinity.NodeAffinity = &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1}}}
			}), nil, []string{pod + "/affinity/nodeAffinity"},
		},
		"the wish for different hosts made weaker": {
			inPod(func(p *corev1.PodSpec) {
				p.Affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution[0].PodAffinityTerm.Namespaces = []string{"x"}
			}), []string{pod + "/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution"}, nil,
		},
		"an environment variable beside": {
			inContainer(func(c *corev1.Container) { c.Env = append(c.Env, corev1.EnvVar{Name: "X", Value: "1"}) }), nil, []string{container + "/env/1"},
		},
		"the boot mode as a fixed word": { // one variable takes a value or a source, not both
			inContainer(func(c *corev1.Container) { c.Env[0] = corev1.EnvVar{Name: c.Env[0].Name, Value: "primary"} }),
			[]string{container + "/env/0/valueFrom"},
			[]string{container + "/env/0/value"},
		},
		"another volume for the data": { // a volume has one source
			inPod(func(p *corev1.PodSpec) {
				p.Volumes[0].VolumeSource = corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/"}}
			}), []string{pod + "/volumes/0/persistentVolumeClaim"}, []string{pod + "/volumes/0/hostPath"},
		},
		"a volume and its mount": {
			inPod(func(p *corev1.PodSpec) {
				p.Volumes = append(p.Volumes, corev1.Volume{Name: "x"})
				p.Containers[0].VolumeMounts = append(p.Containers[0].VolumeMounts, corev1.VolumeMount{Name: "data", MountPath: "/x"})
			}), nil, []string{container + "/volumeMounts/4", pod + "/volumes/4"},
		},
		"another arm of a probe": {
			inContainer(func(c *corev1.Container) {
				c.ReadinessProbe.ProbeHandler = corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(1)}}
			}), []string{container + "/readinessProbe/exec"}, []string{container + "/readinessProbe/tcpSocket"},
		},
		"a capability": {
			inContainer(func(c *corev1.Container) { c.SecurityContext.Capabilities.Add = []corev1.Capability{"SYS_ADMIN"} }),
			nil,
			[]string{container + "/securityContext/capabilities/add"},
		},
		"privileges": {
			inContainer(func(c *corev1.Container) { c.SecurityContext.Privileged = ptr.To(true) }),
			nil,
			[]string{container + "/securityContext/privileged"},
		},
		"a limit for something else": {
			inContainer(func(c *corev1.Container) { c.Resources.Limits["example.com/gpu"] = resource.MustParse("1") }),
			nil,
			[]string{container + "/resources/limits/example.com~1gpu"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			have := servedDeployment()
			c.edit(have)
			check(t, differences(t, wantedDeployment(), have), c.changed, c.extras)
		})
	}
}

func TestDriftOfOtherKinds(t *testing.T) {
	v := driftValkey()
	service, budget := resources.PrimaryService(v), resources.DisruptionBudgets(v)[0]
	secret, claim := resources.UserSecret(v, resources.Credentials{Admin: "secret"}), resources.Claim(v, 0)
	for name, c := range map[string]struct {
		want, have resources.Object
		changed    []string
		extras     []string
	}{
		"a Service as it is served": {service, edited(service, func(s *corev1.Service) {
			s.Spec.ClusterIP, s.Spec.SessionAffinity = "10.0.0.1", corev1.ServiceAffinityNone
		}), nil, nil},
		"a Service that selects less": {service, edited(service, func(s *corev1.Service) { s.Spec.Selector["app"] = "x" }), []string{"/spec/selector/app"}, nil},
		"a Service that selects more": {
			service, edited(service, func(s *corev1.Service) { delete(s.Spec.Selector, v1alpha1.LabelRole) }),
			[]string{"/spec/selector/database.kuberly.io~1role"},
			nil,
		},
		"a port under another name": {service, edited(service, func(s *corev1.Service) { s.Spec.Ports[0].Name = "x" }), []string{"/spec/ports/0/name"}, nil},
		"another port in its place": {service, edited(service, func(s *corev1.Service) { s.Spec.Ports[0].Port = 1 }), []string{"/spec/ports/6379 TCP"}, []string{"/spec/ports"}},
		"a port beside": {service, edited(service, func(s *corev1.Service) {
			s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{Name: "x", Port: 1, Protocol: corev1.ProtocolTCP})
		}), nil, []string{"/spec/ports/1"}},
		"addresses from outside":    {service, edited(service, func(s *corev1.Service) { s.Spec.ExternalIPs = []string{"192.0.2.1"} }), nil, []string{"/spec/externalIPs"}},
		"a key of a Secret added":   {secret, edited(secret, func(s *corev1.Secret) { s.Data["a/b~c"] = []byte("x") }), nil, []string{"/data/a~1b~0c"}},
		"a key of a Secret changed": {secret, edited(secret, func(s *corev1.Secret) { s.Data["password"] = []byte("x") }), []string{"/data/password"}, nil},
		"a key of a Secret removed": {secret, edited(secret, func(s *corev1.Secret) { delete(s.Data, "uri") }), []string{"/data/uri"}, nil},
		"the other arm of a budget": {budget, edited(budget, func(b *policyv1.PodDisruptionBudget) {
			b.Spec.MinAvailable, b.Spec.MaxUnavailable = nil, ptr.To(intstr.FromInt32(1))
		}), []string{"/spec/minAvailable"}, []string{"/spec/maxUnavailable"}},
		"a budget that selects less": {budget, edited(budget, func(b *policyv1.PodDisruptionBudget) { b.Spec.Selector.MatchLabels["app"] = "x" }), []string{"/spec/selector/matchLabels/app"}, nil},
		"a claim as it is bound": {claim, edited(claim, func(c *corev1.PersistentVolumeClaim) {
			c.Spec.VolumeName, c.Spec.VolumeMode, c.Finalizers = "pv-1", ptr.To(corev1.PersistentVolumeFilesystem), []string{"kubernetes.io/pvc-protection"}
			c.Annotations["pv.kubernetes.io/bind-completed"] = "yes"
		}), nil, nil},
		"owners beside us": {service, edited(service, func(s *corev1.Service) {
			s.OwnerReferences = append(s.OwnerReferences, metav1.OwnerReference{Kind: "App", Name: v.Name, UID: "u-9"})
		}), nil, nil},
	} {
		t.Run(name, func(t *testing.T) { check(t, differences(t, c.want, c.have), c.changed, c.extras) })
	}
}

// The pointers are removed one after the other, so their order must keep the later ones true.
func TestExtrasCanBeRemovedInTheirOrder(t *testing.T) {
	want, have := wantedDeployment(), servedDeployment()
	containers := &have.Spec.Template.Spec.Containers
	*containers = []corev1.Container{{Name: "a"}, (*containers)[0], {Name: "b"}}
	(*containers)[1].Env = append([]corev1.EnvVar{{Name: "A"}, {Name: "B"}}, (*containers)[1].Env...)
	have.Spec.Strategy = appsv1.DeploymentStrategy{RollingUpdate: &appsv1.RollingUpdateDeployment{}}
	have.Spec.Strategy.RollingUpdate.MaxSurge = ptr.To(intstr.FromInt32(1))
	h, err := toMap(have)
	if err != nil {
		t.Fatal(err)
	}
	after, err := patched(h, opsOf(differences(t, want, have).extras))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(after)
	if err != nil {
		t.Fatal(err)
	}
	var left appsv1.Deployment
	if err := json.Unmarshal(text, &left); err != nil {
		t.Fatal(err)
	}
	if d := differences(t, want, &left); !d.none() {
		t.Errorf("after that, changed %v and extras %v are left", d.changed, d.extras)
	}
}

func edited[T resources.Object](o T, edit func(T)) T {
	c := o.DeepCopyObject().(T)
	edit(c)
	return c
}

func check(t *testing.T, got drift, changed, extras []string) {
	t.Helper()
	var paths []string
	for _, e := range got.extras {
		paths = append(paths, e.path)
	}
	if diff := cmp.Diff(extras, paths); diff != "" {
		t.Errorf("extras -want +got:\n%s", diff)
	}
	if !slices.Equal(changed, got.changed) {
		t.Errorf("changed %v, want %v", got.changed, changed)
	}
}
