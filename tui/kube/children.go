package kube

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
)

// Child is an object that belongs to a Valkey.
type Child struct {
	Kind, Name string
	// Kept says that it stays when the Valkey is deleted (a claim with reclaim: Retain).
	Kept bool
	// Detail is a short word more: the size of a claim, the host of a pod.
	Detail string
}

// childKinds are what a Valkey is made of, in the order in which a person cares for it.
var childKinds = []struct {
	kind     string
	resource schema.GroupVersionResource
}{
	{"PersistentVolumeClaim", schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}},
	{"Pod", schema.GroupVersionResource{Version: "v1", Resource: "pods"}},
	{"Deployment", schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}},
	{"Service", schema.GroupVersionResource{Version: "v1", Resource: "services"}},
	{"Secret", schema.GroupVersionResource{Version: "v1", Resource: "secrets"}},
	{"ConfigMap", schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}},
	{"PodDisruptionBudget", schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}},
}

// Children are the objects that belong to the Valkey: claims first, then pods and the rest. Kinds that the user
// may not list are named in missing.
func (c *Client) Children(ctx context.Context, ref Ref) (children []Child, missing []string, err error) {
	v, err := c.Get(ctx, ref.Namespace, ref.Name)
	if err != nil {
		return nil, nil, err
	}
	found := make([][]Child, len(childKinds))
	errs := make([]error, len(childKinds))
	var running sync.WaitGroup
	for i := range childKinds {
		running.Go(guarded(func() { found[i], errs[i] = c.childrenOf(ctx, v, i) }))
	}
	running.Wait()
	for i, kind := range childKinds {
		switch {
		case IsClass(errs[i], ClassForbidden):
			missing = append(missing, kind.kind)
		case errs[i] != nil:
			return nil, nil, errs[i]
		}
		children = append(children, found[i]...)
	}
	return children, missing, nil
}

func (c *Client) childrenOf(ctx context.Context, v *v1alpha1.Valkey, kind int) ([]Child, error) {
	selector := labels.SelectorFromSet(labels.Set{v1alpha1.LabelName: v1alpha1.AppName, v1alpha1.LabelInstance: v.Name}).String()
	options := metav1.ListOptions{LabelSelector: selector}
	var children []Child
	add := func(meta *metav1.ObjectMeta, kept bool, detail string) {
		if meta.Labels[v1alpha1.LabelManagedBy] == v1alpha1.ManagedBy || isOwned(meta, v.UID) {
			children = append(children, Child{Kind: childKinds[kind].kind, Name: clean.Text(meta.Name), Kept: kept, Detail: clean.Text(detail)})
		}
	}
	switch childKinds[kind].kind {
	case "PersistentVolumeClaim":
		claims, err := c.connection().core.PersistentVolumeClaims(v.Namespace).List(ctx, options)
		if err != nil {
			return nil, c.failed(err)
		}
		for i := range claims.Items {
			claim := &claims.Items[i]
			size := claim.Spec.Resources.Requests[corev1.ResourceStorage]
			add(&claim.ObjectMeta, v.Spec.Volume.Reclaim == v1alpha1.ReclaimRetain, size.String())
		}
	case "Pod":
		pods, err := c.connection().core.Pods(v.Namespace).List(ctx, options)
		if err != nil {
			return nil, c.failed(err)
		}
		for i := range pods.Items {
			add(&pods.Items[i].ObjectMeta, false, pods.Items[i].Spec.NodeName)
		}
	default:
		// Names are enough, and the data of a Secret is not wanted in memory.
		list, err := c.connection().metadata.Resource(childKinds[kind].resource).Namespace(v.Namespace).List(ctx, options)
		if err != nil {
			return nil, c.failed(err)
		}
		for i := range list.Items {
			add(&list.Items[i].ObjectMeta, false, "")
		}
	}
	return children, nil
}

func isOwned(meta *metav1.ObjectMeta, uid types.UID) bool {
	return slices.ContainsFunc(meta.OwnerReferences, func(r metav1.OwnerReference) bool { return r.UID == uid })
}

// Pods of the Valkey, by node index and start. Their text is not cleaned.
func (c *Client) Pods(ctx context.Context, ref Ref) ([]corev1.Pod, error) {
	return c.podsOf(ctx, ref.Namespace, podSelector(ref))
}

func (c *Client) podsOf(ctx context.Context, namespace, selector string) ([]corev1.Pod, error) {
	list, err := c.connection().core.Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return nil, c.failed(err)
	}
	sortPods(list.Items)
	return list.Items, nil
}

// sortPods orders pods by node index and start.
func sortPods(pods []corev1.Pod) {
	slices.SortStableFunc(pods, func(a, b corev1.Pod) int {
		return cmp.Or(cmp.Compare(nodeIndex(&a), nodeIndex(&b)), a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
}

func podSelector(ref Ref) string {
	v := v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: ref.Name}}
	return labels.SelectorFromSet(v.PodLabels()).String()
}

func nodeIndex(pod *corev1.Pod) int {
	if i, err := strconv.Atoi(pod.Labels[v1alpha1.LabelNode]); err == nil {
		return i
	}
	return -1
}

// nodeName is the name of the node that a pod belongs to: app-node-0.
func nodeName(pod *corev1.Pod) string {
	i := nodeIndex(pod)
	if i < 0 {
		return clean.Text(pod.Name)
	}
	v := v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: pod.Labels[v1alpha1.LabelInstance]}}
	return clean.Text(v.NodeName(i))
}
