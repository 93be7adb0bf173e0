package kube

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Failover asks the operator to hand the primary over: to the node named, or to the best replica where it is empty. It
// returns the node that is the primary now. No acknowledged write is lost; the operator waits for a replica in sync.
func (c *Client) Failover(ctx context.Context, ref Ref, node string) (from string, err error) {
	v, err := c.Get(ctx, ref.Namespace, ref.Name)
	if err != nil {
		return "", err
	}
	name := "valkey " + quote(ref.Name)
	known := func(n v1alpha1.NodeStatus) bool { return n.Name == node }
	switch {
	case ref.UID != "" && v.UID != ref.UID:
		return "", replaced(name)
	case v.WantedReplicas() < 2:
		return "", problem(ClassInvalid, name+" wants "+servers(v.WantedReplicas())+": there is nobody to fail over to", "scale it to 2 or more first")
	case node == "":
		node = v1alpha1.FailoverAny
	case v.Status.Primary == node:
		return node, problem(ClassInvalid, quote(node)+" is the primary of "+name+" already", "name another node")
	case !slices.ContainsFunc(v.Status.Nodes, known):
		return "", problem(ClassInvalid, name+" has no node "+quote(node), "valkeyctl describe "+ref.Name+" lists them")
	}
	ref.UID = v.UID
	return v.Status.Primary, c.annotate(ctx, ref, v1alpha1.AnnotationFailover, node)
}

// CancelFailover takes a request for a failover back, where it waits yet, and says whether there was one.
func (c *Client) CancelFailover(ctx context.Context, ref Ref) (bool, error) {
	live, err := c.Live(ctx, ref)
	if err != nil {
		return false, err
	}
	if _, asked := live.GetAnnotations()[v1alpha1.AnnotationFailover]; !asked {
		return false, nil
	}
	ref.UID = live.GetUID()
	return true, c.annotate(ctx, ref.Key(), v1alpha1.AnnotationFailover, nil)
}

// Restart asks the operator to roll every server without a change of the spec: replicas first, the primary last.
func (c *Client) Restart(ctx context.Context, ref Ref, now time.Time) error {
	return c.annotate(ctx, ref, v1alpha1.AnnotationRestartedAt, now.UTC().Format(time.RFC3339Nano))
}

// WaitPrimary blocks until another node than the one given is the primary and everything runs again. progress is as for WaitReady.
func (c *Client) WaitPrimary(ctx context.Context, ref Ref, from string, progress func(*v1alpha1.Valkey)) (to string, err error) {
	err = c.untilThere(ctx, ref, progress, func(v *v1alpha1.Valkey) (bool, error) {
		to = v.Status.Primary
		return to != from && to != "" && v.Status.Status == v1alpha1.PhaseRunning, nil
	})
	return to, err
}

// annotate writes one annotation of exactly the object that ref names, or takes it away where the value is nil.
func (c *Client) annotate(ctx context.Context, ref Ref, key string, value any) error {
	return c.hold(ctx, ref, func(ref Ref) error { return c.annotateHeld(ctx, ref, key, value) })
}

func (c *Client) annotateHeld(ctx context.Context, ref Ref, key string, value any) error {
	meta := map[string]any{"annotations": map[string]any{key: value}}
	if ref.UID != "" {
		meta["uid"] = ref.UID
	}
	if ref.ResourceVersion != "" {
		meta["resourceVersion"] = ref.ResourceVersion
	}
	patch, err := json.Marshal(map[string]any{"metadata": meta})
	if err != nil {
		return err
	}
	_, err = c.connection().dynamic.Resource(valkeyResource).Namespace(ref.Namespace).
		Patch(ctx, ref.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: fieldManager})
	return explainedFor(c.failed(err), ref)
}
