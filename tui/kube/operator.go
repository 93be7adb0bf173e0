package kube

import (
	"context"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
)

const (
	// operatorLabels select the operator's Deployment, wherever it was installed.
	operatorLabels    = "app.kubernetes.io/name=valkey-operator,control-plane=controller-manager"
	operatorNamespace = "valkey-operator-system"
	leaseName         = "valkey-operator." + v1alpha1.Group
	versionLabel      = "app.kubernetes.io/version"
)

var (
	deploymentResource = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	leaseResource      = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}
)

// Operator is how the operator fares.
type Operator struct {
	// Known says that the user may look for it; without that nothing else is said.
	Known bool
	// Found says that a Deployment of it is there.
	Found           bool
	Namespace, Name string
	Ready, Wanted   int32
	// Version is that of its labels, else its image's tag.
	Version string
	// Leader is the pod that acts; empty where none does or where it is not known.
	Leader string
}

// Operator looks for the operator that serves a namespace: in all namespaces where the user may, else in its usual one and in that of the
// Valkeys. An error means that it is not known how it fares.
func (c *Client) Operator(ctx context.Context, namespace string, now time.Time) (Operator, error) {
	var found []unstructured.Unstructured
	for _, in := range []string{"", operatorNamespace, namespace} {
		list, err := c.connection().dynamic.Resource(deploymentResource).Namespace(in).List(ctx, metav1.ListOptions{LabelSelector: operatorLabels})
		switch {
		case apierrors.IsForbidden(err):
			continue
		case err != nil:
			return Operator{}, c.failed(err)
		}
		found = append(found, list.Items...)
		if in == "" {
			return c.operatorOf(ctx, found, namespace, now), nil
		}
	}
	if len(found) == 0 {
		return Operator{}, nil // it may be somewhere that the user may not look
	}
	return c.operatorOf(ctx, found, namespace, now), nil
}

// operatorOf describes one of the Deployments: that of the namespace, else the first.
func (c *Client) operatorOf(ctx context.Context, found []unstructured.Unstructured, namespace string, now time.Time) Operator {
	o := Operator{Known: true}
	for i := range found {
		d := &found[i]
		if o.Found && d.GetNamespace() != namespace {
			continue
		}
		o.Found, o.Namespace, o.Name = true, clean.Text(d.GetNamespace()), clean.Text(d.GetName())
		wanted, _, _ := unstructured.NestedInt64(d.Object, "spec", "replicas")
		ready, _, _ := unstructured.NestedInt64(d.Object, "status", "readyReplicas")
		o.Wanted, o.Ready = number(wanted, 1), number(ready, 0)
		o.Version = clean.Text(versionOf(d))
	}
	if o.Found {
		o.Leader = c.leader(ctx, o.Namespace, now)
	}
	return o
}

// versionOf is the version label, else the tag of the image.
func versionOf(deployment *unstructured.Unstructured) string {
	if v := deployment.GetLabels()[versionLabel]; v != "" {
		return v
	}
	containers, _, _ := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers")
	for _, c := range containers {
		container, _ := c.(map[string]any)
		image, _, _ := strings.Cut(text(container["image"]), "@")
		if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
			return image[i+1:]
		}
	}
	return ""
}

// leader is the pod that holds the Lease, unless it has not renewed it for several of its durations.
func (c *Client) leader(ctx context.Context, namespace string, now time.Time) string {
	const durations = 3
	lease, err := c.connection().dynamic.Resource(leaseResource).Namespace(namespace).Get(ctx, leaseName, metav1.GetOptions{})
	if err != nil {
		return ""
	}
	spec, _ := lease.Object["spec"].(map[string]any)
	renewed, err := time.Parse(time.RFC3339Nano, text(spec["renewTime"]))
	seconds := number(spec["leaseDurationSeconds"], 0)
	if err != nil || now.Sub(renewed) > durations*time.Duration(seconds)*time.Second {
		return ""
	}
	pod, _, _ := strings.Cut(text(spec["holderIdentity"]), "_")
	return clean.Text(pod)
}
