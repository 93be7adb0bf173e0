//go:build integration

package tui

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

// addHost makes a host whose kubelet is the handler: the API server asks it for the logs of its pods.
func addHost(t testing.TB, clientset *kubernetes.Clientset, kubelet http.HandlerFunc) (name string) {
	t.Helper()
	server := httptest.NewTLSServer(kubelet)
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(address.Port())
	if err != nil {
		t.Fatal(err)
	}
	host, err := clientset.CoreV1().Nodes().Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{GenerateName: "host-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	host.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: address.Hostname()}}
	host.Status.DaemonEndpoints.KubeletEndpoint.Port = int32(port) //nolint:gosec // a port
	if _, err := clientset.CoreV1().Nodes().UpdateStatus(t.Context(), host, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	return host.Name
}

// addPod makes a running pod of a Valkey's node 0 on a host.
func addPod(t testing.TB, clientset *kubernetes.Clientset, v *v1alpha1.Valkey, host string) {
	t.Helper()
	labels := v.PodLabels()
	labels[v1alpha1.LabelNode] = "0"
	pod, err := clientset.CoreV1().Pods(v.Namespace).Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: v.Name + "-node-0-0", Labels: labels},
		Spec: corev1.PodSpec{
			NodeName: host, Containers: []corev1.Container{{Name: v1alpha1.ContainerName, Image: v.Spec.Image}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pod.Status.Phase = corev1.PodRunning
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: v1alpha1.ContainerName, ContainerID: "test://1", Image: v.Spec.Image, Ready: true,
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}},
	}}
	if _, err := clientset.CoreV1().Pods(v.Namespace).UpdateStatus(t.Context(), pod, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// floodOfLines is a kubelet that writes lines at a rate, with their times, until nobody listens.
func floodOfLines(perSecond func() int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { flood(w, r, perSecond) }
}

const floodBatches = 20 // in a second

func flood(w http.ResponseWriter, r *http.Request, perSecond func() int) {
	out := bufio.NewWriter(w)
	ticker := time.NewTicker(time.Second / floodBatches)
	defer ticker.Stop()
	for n := 0; ; {
		now := time.Now().UTC().Format(time.RFC3339Nano)
		for range perSecond() / floodBatches {
			n++
			_, _ = fmt.Fprintf(out, "%s 1:M flood line %d%s\n", now, n, strings.Repeat(" x", 40))
		}
		if out.Flush() != nil {
			return
		}
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-ticker.C:
		}
	}
}

// case 9 (dashboard), the whole program: keys are answered while an API server passes on 50,000 lines in a second, and what is
// missing is said in its place.
func TestAFloodOfLogsOnARealAPIServer(t *testing.T) {
	server := apiserver.Shared(t)
	clientset, err := kubernetes.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	p, client, namespace := onCluster(t, 120, 40)
	made, err := client.Create(t.Context(), kube.CreateOptions{Valkey: newValkey(namespace, "app")})
	if err != nil {
		t.Fatal(err)
	}
	addPod(t, clientset, made.Valkey, addHost(t, clientset, floodOfLines(func() int { return 50_000 })))
	p.sees("▌  app")
	p.types("l")
	p.sees("flood line")
	p.until("100,000 lines came", func() bool { return regexp.MustCompile(`\d{6} lines`).MatchString(p.plain()) })
	for i := range 5 {
		p.types("w")
		p.until("the key is answered", func() bool { return strings.Contains(p.plain(), "  cut  ") == (i%2 == 0) })
	}
	p.types("g")
	p.sees("dropped")
	p.types("G")
	p.sees("following")
	p.types(escKey)
	p.sees("1 Valkey")
	p.types("q")
	if code := p.exits(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.checkRestored()
}
