//go:build e2e

package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// processes finds the server processes of a pod by their cgroup, from outside: a container's process 1 takes no
// SIGKILL from inside.
func processes(t testing.TB, pod *corev1.Pod) []int {
	t.Helper()
	var found []int
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		cgroup, err := os.ReadFile(filepath.Join(dir, "cgroup"))
		if err != nil || !strings.Contains(string(cgroup), string(pod.UID)) {
			continue // ended meanwhile, or another's
		}
		name, err := os.ReadFile(filepath.Join(dir, "comm"))
		if pid, convErr := strconv.Atoi(filepath.Base(dir)); err == nil && convErr == nil && strings.TrimSpace(string(name)) == "valkey-server" {
			found = append(found, pid)
		}
	}
	return found
}

// signal sends a signal to the server of a pod.
func signal(t testing.TB, pod *corev1.Pod, sig syscall.Signal) {
	t.Helper()
	pids := processes(t, pod)
	if len(pids) == 0 {
		t.Fatalf("pod %s has no server process", pod.Name)
	}
	for _, pid := range pids {
		// A process that a server has forked may have ended since.
		if err := syscall.Kill(pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatalf("signal %s to %d: %v", sig, pid, err)
		}
	}
}

func deletePod(t testing.TB, pod *corev1.Pod, options ...client.DeleteOption) {
	t.Helper()
	if err := client.IgnoreNotFound(kube.Delete(t.Context(), pod, options...)); err != nil {
		t.Fatal(err)
	}
}

func deleteByForce(t testing.TB, pod *corev1.Pod) {
	t.Helper()
	deletePod(t, pod, client.GracePeriodSeconds(0))
}

// evict asks for the eviction of a pod, as a drain does, and says whether it was granted.
func evict(t testing.TB, pod *corev1.Pod) error {
	t.Helper()
	return kube.SubResource("eviction").Create(t.Context(), pod, &policyv1.Eviction{
		ObjectMeta:    metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace},
		DeleteOptions: &metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: ptr.To(pod.UID)}},
	})
}

// killManagers ends every manager's process without a chance to clean up. Their pods go too: a container that is killed
// several times would be kept waiting for longer and longer.
func killManagers(t testing.TB) {
	t.Helper()
	var pods corev1.PodList
	if err := kube.List(t.Context(), &pods, client.InNamespace(managerNamespace)); err != nil {
		t.Fatal(err)
	}
	for _, pod := range pods.Items {
		deleteByForce(t, &pod)
	}
}
