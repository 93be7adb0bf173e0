//go:build integration

package controller_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/valkeyserver"
)

// kubelet does in one namespace what the controllers, the provisioner and the kubelet of a cluster do, as far as the
// operator sees it: pods of Deployments, bound claims, running servers. The servers are real; they run the container's
// command line with its paths moved, each on a loopback address of its own.
type kubelet struct {
	t      *testing.T
	client client.Client
	ns     string
	bin    valkeyserver.Bin
	dir    string
	host   func() string
	pods   map[string]*process

	mu sync.Mutex
	// holds says which pods are to stay as they are: not started, or not ended.
	holds func(*corev1.Pod) bool
	// killed are the pods whose servers are to be killed.
	killed []string
}

type process struct {
	cmd       *exec.Cmd
	ended     chan struct{}
	ip        string
	restarts  int32
	ready     bool
	nextProbe time.Time
}

const annotationTemplate = "test/template"

func startKubelet(t *testing.T, c client.Client, ns string) *kubelet {
	t.Helper()
	k := &kubelet{
		t: t, client: c, ns: ns, bin: valkeyserver.Default(t), dir: t.TempDir(), pods: map[string]*process{},
		host:  func() string { return valkeyserver.Host(t, v1alpha1.Port) },
		holds: func(*corev1.Pod) bool { return false },
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				_ = k.step(ctx) // a conflict is tried again
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		for _, p := range k.pods {
			p.end(syscall.SIGKILL)
		}
	})
	return k
}

func (k *kubelet) step(ctx context.Context) error {
	var deployments appsv1.DeploymentList
	var pods corev1.PodList
	var claims corev1.PersistentVolumeClaimList
	for _, list := range []client.ObjectList{&deployments, &pods, &claims} {
		if err := k.client.List(ctx, list, client.InNamespace(k.ns)); err != nil {
			return err
		}
	}
	for i := range claims.Items {
		if err := k.claim(ctx, &claims.Items[i]); err != nil {
			return err
		}
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if !slices.ContainsFunc(deployments.Items, func(d appsv1.Deployment) bool { return selects(&d, pod) }) && pod.DeletionTimestamp == nil {
			return k.client.Delete(ctx, pod) // what the garbage collector does
		}
		if err := k.pod(ctx, pod); err != nil {
			return err
		}
	}
	for i := range deployments.Items {
		if err := k.deployment(ctx, &deployments.Items[i], pods.Items); err != nil {
			return err
		}
	}
	return nil
}

func selects(d *appsv1.Deployment, pod *corev1.Pod) bool {
	return labels.SelectorFromSet(d.Spec.Selector.MatchLabels).Matches(labels.Set(pod.Labels))
}

// claim binds a claim, and lets it go when it is deleted.
func (k *kubelet) claim(ctx context.Context, c *corev1.PersistentVolumeClaim) error {
	if c.DeletionTimestamp != nil && len(c.Finalizers) > 0 {
		c.Finalizers = nil
		return client.IgnoreNotFound(k.client.Update(ctx, c))
	}
	if c.Status.Phase == corev1.ClaimBound {
		return nil
	}
	c.Spec.VolumeName = "pv-" + string(c.UID)
	if err := k.client.Update(ctx, c); err != nil {
		return err
	}
	c.Status.Phase, c.Status.Capacity = corev1.ClaimBound, c.Spec.Resources.Requests
	return k.client.Status().Update(ctx, c)
}

// deployment keeps one pod of the current template, as strategy Recreate has it.
func (k *kubelet) deployment(ctx context.Context, d *appsv1.Deployment, pods []corev1.Pod) error {
	template, err := json.Marshal(d.Spec.Template)
	if err != nil {
		return err
	}
	hash := fmt.Sprintf("%x", sha256.Sum256(template))[:8]
	var live, ready, updated int32
	for i := range pods {
		pod := &pods[i]
		if !selects(d, pod) || pod.DeletionTimestamp != nil {
			continue
		}
		if *d.Spec.Replicas == 0 || pod.Annotations[annotationTemplate] != hash {
			return k.client.Delete(ctx, pod)
		}
		live, updated = live+1, updated+1
		if p := k.pods[string(pod.UID)]; p != nil && p.ready {
			ready++
		}
	}
	if live == 0 && *d.Spec.Replicas > 0 {
		if err := k.newPod(ctx, d, hash); err != nil {
			return err
		}
		live, updated = 1, 1
	}
	status := appsv1.DeploymentStatus{ObservedGeneration: d.Generation, Replicas: live, UpdatedReplicas: updated, ReadyReplicas: ready}
	if d.Status.ObservedGeneration == status.ObservedGeneration && d.Status.Replicas == live && d.Status.ReadyReplicas == ready {
		return nil
	}
	d.Status = status
	return k.client.Status().Update(ctx, d)
}

func (k *kubelet) newPod(ctx context.Context, d *appsv1.Deployment, hash string) error {
	pod := &corev1.Pod{ObjectMeta: *d.Spec.Template.ObjectMeta.DeepCopy(), Spec: *d.Spec.Template.Spec.DeepCopy()}
	pod.GenerateName, pod.Namespace = d.Name+"-", d.Namespace
	metav1.SetMetaDataAnnotation(&pod.ObjectMeta, annotationTemplate, hash)
	pod.Spec.NodeName = "host-1"
	return k.client.Create(ctx, pod)
}

// pod starts, restarts, probes and ends a pod's server.
func (k *kubelet) pod(ctx context.Context, pod *corev1.Pod) error {
	k.mu.Lock()
	held := k.holds(pod)
	at := slices.Index(k.killed, string(pod.UID))
	if at >= 0 {
		k.killed = slices.Delete(k.killed, at, at+1)
	}
	k.mu.Unlock()
	if p := k.pods[string(pod.UID)]; at >= 0 && p != nil {
		p.end(syscall.SIGKILL)
	}
	if held {
		return nil
	}
	p := k.pods[string(pod.UID)]
	switch {
	case pod.DeletionTimestamp != nil:
		if p != nil {
			p.end(syscall.SIGTERM)
			delete(k.pods, string(pod.UID))
		}
		return client.IgnoreNotFound(k.client.Delete(ctx, pod, client.GracePeriodSeconds(0)))
	case p == nil:
		p = &process{ip: k.host()}
		k.pods[string(pod.UID)] = p
		return k.run(ctx, pod, p)
	case p.hasEnded():
		p.restarts++
		return k.run(ctx, pod, p)
	}
	if time.Now().Before(p.nextProbe) {
		return nil
	}
	wasReady := p.ready
	p.ready = k.probe(pod, p)
	p.nextProbe = time.Now().Add(300 * time.Millisecond)
	if wasReady == p.ready {
		return nil
	}
	return k.status(ctx, pod, p)
}

func (k *kubelet) run(ctx context.Context, pod *corev1.Pod, p *process) error {
	moved, env, err := k.mount(ctx, pod, p.ip)
	if err != nil {
		return err
	}
	line := move(serverIn(pod).Command, moved)
	p.cmd, p.ended, p.ready = valkeyserver.Command(line...), make(chan struct{}), false
	p.cmd.Env = slices.Concat(env, k.path())
	log, err := os.Create(filepath.Join(k.dir, pod.Name+".log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go func(cmd *exec.Cmd, ended chan struct{}) {
		defer close(ended)
		_ = cmd.Wait() // how it ended is in its log
	}(p.cmd, p.ended)
	return k.status(ctx, pod, p)
}

// mount writes the pod's volumes out and says where its paths are. A claim's directory outlives the pod.
func (k *kubelet) mount(ctx context.Context, pod *corev1.Pod, ip string) (moved map[string]string, env []string, err error) {
	moved = map[string]string{}
	texts := map[string]string{}
	c := serverIn(pod)
	for _, m := range c.VolumeMounts {
		at := slices.IndexFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name })
		volume, dir := pod.Spec.Volumes[at], filepath.Join(k.dir, string(pod.UID), m.Name)
		files := map[string][]byte{}
		switch {
		case m.MountPath == "/tmp": // the directory of the test is below it
			continue
		case volume.PersistentVolumeClaim != nil:
			dir = filepath.Join(k.dir, volume.PersistentVolumeClaim.ClaimName)
		case volume.Secret != nil:
			var s corev1.Secret
			err = k.client.Get(ctx, client.ObjectKey{Namespace: k.ns, Name: volume.Secret.SecretName}, &s)
			for _, item := range volume.Secret.Items {
				files[item.Path] = s.Data[item.Key]
			}
		case volume.ConfigMap != nil:
			var cm corev1.ConfigMap
			err = k.client.Get(ctx, client.ObjectKey{Namespace: k.ns, Name: volume.ConfigMap.Name}, &cm)
			for _, item := range volume.ConfigMap.Items {
				files[item.Path] = []byte(cm.Data[item.Key])
			}
			for _, e := range c.Env {
				if e.ValueFrom != nil && e.ValueFrom.ConfigMapKeyRef != nil {
					env = append(env, e.Name+"="+cm.Data[e.ValueFrom.ConfigMapKeyRef.Key])
				}
			}
		}
		if err != nil {
			return nil, nil, err
		}
		moved[m.MountPath] = dir
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, nil, err
		}
		for name, text := range files {
			if volume.ConfigMap != nil && strings.HasSuffix(name, ".conf") {
				text = fmt.Appendf(text, "bind %s\nreplica-announce-ip %s\nbind-source-addr %s\n", ip, ip, ip)
			}
			texts[filepath.Join(dir, name)] = string(text)
		}
	}
	for file, text := range texts { // once all that is moved is known
		if err := os.WriteFile(file, []byte(move([]string{text}, moved)[0]), 0o600); err != nil {
			return nil, nil, err
		}
	}
	return moved, env, nil
}

// path finds the programs of Valkey first.
func (k *kubelet) path() []string {
	return []string{"PATH=" + string(k.bin) + string(os.PathListSeparator) + os.Getenv("PATH")}
}

// kill ends a pod's server at once; its container is started again.
func (k *kubelet) kill(pod *corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.killed = append(k.killed, string(pod.UID))
}

// hold says which pods are to stay as they are from now on.
func (k *kubelet) hold(holds func(*corev1.Pod) bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.holds = holds
}

func move(words []string, moved map[string]string) []string {
	out := slices.Clone(words)
	for i := range out {
		for from, to := range moved {
			out[i] = strings.ReplaceAll(out[i], from, to)
		}
	}
	return out
}

// serverIn is the server's container of a pod, which others may stand beside.
func serverIn(pod *corev1.Pod) *corev1.Container {
	return &pod.Spec.Containers[slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == v1alpha1.ContainerName })]
}

// probe runs the readiness probe's command against the pod's address.
func (k *kubelet) probe(pod *corev1.Pod, p *process) bool {
	moved := map[string]string{
		"/etc/valkey/secret": filepath.Join(k.dir, string(pod.UID), "secret"), "valkey-cli": "valkey-cli -h " + p.ip,
	}
	line := move(serverIn(pod).ReadinessProbe.Exec.Command, moved)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = k.path()
	return cmd.Run() == nil
}

func (k *kubelet) status(ctx context.Context, pod *corev1.Pod, p *process) error {
	ready := corev1.ConditionFalse
	if p.ready {
		ready = corev1.ConditionTrue
	}
	pod = pod.DeepCopy()
	before := pod.DeepCopy()
	pod.Status.Phase, pod.Status.PodIP, pod.Status.PodIPs = corev1.PodRunning, p.ip, []corev1.PodIP{{IP: p.ip}}
	pod.Status.Conditions = []corev1.PodCondition{
		{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}, {Type: corev1.PodReady, Status: ready},
	}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: v1alpha1.ContainerName, Image: serverIn(pod).Image, Ready: p.ready, RestartCount: p.restarts,
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}},
	}}
	return k.client.Status().Patch(ctx, pod, client.MergeFrom(before))
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return p.ended == nil
	}
}

func (p *process) end(signal syscall.Signal) {
	if p.cmd == nil || p.cmd.Process == nil || p.hasEnded() {
		return
	}
	_ = p.cmd.Process.Signal(signal) // it may end just now
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		_ = p.cmd.Process.Kill()
	}
}
