package kube

import (
	"context"
	"net"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/tunnel"
	"kuberly.io/valkey-operator/tui/clean"
)

// Node is one pod of a Valkey, cleaned. A node can have two for a while: one that ends and one that waits for it.
type Node struct {
	// Name of the node: app-node-0; Pod that of its pod.
	Name, Pod string
	UID       types.UID
	Host, IP  string
	// Role that the operator has given it; empty where it has none.
	Role     v1alpha1.Role
	Ready    bool
	Ending   bool // its deletion has begun
	Restarts int32
	Created  time.Time
	// Memory is the limit of its server in bytes, 0 where there is none.
	Memory int64
	// State says in a word or two why it does not run; empty where it does.
	State string
}

// Nodes are the pods of the Valkey, by node index and start.
func (c *Client) Nodes(ctx context.Context, ref Ref) ([]Node, error) {
	pods, err := c.Pods(ctx, ref)
	if err != nil {
		return nil, err
	}
	nodes := make([]Node, len(pods))
	for i := range pods {
		nodes[i] = nodeOf(&pods[i])
	}
	return nodes, nil
}

func nodeOf(pod *corev1.Pod) Node {
	n := Node{
		Name: nodeName(pod), Pod: clean.Text(pod.Name), UID: pod.UID, Host: clean.Text(pod.Spec.NodeName), IP: clean.Text(pod.Status.PodIP),
		Role: v1alpha1.Role(clean.Text(pod.Labels[v1alpha1.LabelRole])), Ending: pod.DeletionTimestamp != nil,
		Created: pod.CreationTimestamp.Time,
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			n.Ready = c.Status == corev1.ConditionTrue
		}
	}
	for i := range pod.Spec.Containers {
		if s := &pod.Spec.Containers[i]; s.Name == v1alpha1.ContainerName {
			n.Memory = s.Resources.Limits.Memory().Value()
		}
	}
	n.State = stateOf(pod, &n)
	return n
}

// stateOf says why the server of a pod does not run, and notes how often it was restarted.
func stateOf(pod *corev1.Pod, n *Node) string {
	state := ""
	if pod.Status.Phase != corev1.PodRunning {
		state = clean.Text(string(pod.Status.Phase))
	}
	for i := range pod.Status.ContainerStatuses {
		s := &pod.Status.ContainerStatuses[i]
		if s.Name != v1alpha1.ContainerName {
			continue
		}
		n.Restarts = s.RestartCount
		switch {
		case s.State.Waiting != nil:
			state = clean.Text(s.State.Waiting.Reason)
		case s.State.Terminated != nil:
			state = clean.Text(s.State.Terminated.Reason)
		}
	}
	if n.Ending {
		return "ending"
	}
	return state
}

// DialPod opens a connection to the server's port of a pod, by way of the API server. It needs the right to create
// pods/portforward, and is to be closed as soon as nobody needs it.
func (c *Client) DialPod(ctx context.Context, namespace, pod string) (net.Conn, error) {
	return c.dialPort(ctx, namespace, pod, v1alpha1.Port)
}

func (c *Client) dialPort(ctx context.Context, namespace, pod string, port int) (net.Conn, error) {
	dialer, err := tunnel.NewDialer(c.connection().config)
	if err != nil {
		return nil, c.failed(err)
	}
	conn, err := dialer.Dial(ctx, namespace, pod, port)
	if err != nil {
		return nil, c.failed(tunnelError(err))
	}
	return conn, nil
}

// tunnelError gives an error of a tunnel its class: the library keeps only the text of what the server answered.
func tunnelError(err error) error {
	text := err.Error()
	switch {
	case forbidden.MatchString(text):
		return explainForbidden(metav1.Status{Message: text}).cleaned(err)
	case strings.Contains(text, "not found"):
		return problem(ClassNotFound, "the pod is gone", "").cleaned(err)
	default:
		return err
	}
}
