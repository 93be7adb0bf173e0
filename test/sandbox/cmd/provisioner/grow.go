package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

// grower raises the capacity of a claim and its volume once the claim asks for more. A hostPath has no size, so there is
// nothing else to do. Whether a class allows it, the API server has decided when it let the request in.
type grower struct {
	client    kubernetes.Interface
	name      string
	informers informers.SharedInformerFactory
	queue     workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

func newGrower(client kubernetes.Interface, name string) *grower {
	g := &grower{
		client: client, name: name,
		informers: informers.NewSharedInformerFactory(client, 0),
		queue:     workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](50*time.Millisecond, 10*time.Second)),
	}
	// Adding a handler fails only after the informer has been stopped.
	_, _ = g.informers.Core().V1().PersistentVolumeClaims().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    g.enqueue,
		UpdateFunc: func(_, claim any) { g.enqueue(claim) },
	})
	return g
}

func (g *grower) enqueue(obj any) {
	if claim, ok := obj.(*corev1.PersistentVolumeClaim); ok && wantsMore(claim) {
		g.queue.Add(cache.ObjectName{Namespace: claim.Namespace, Name: claim.Name})
	}
}

// run works until ctx ends.
func (g *grower) run(ctx context.Context) {
	g.informers.Start(ctx.Done())
	g.informers.WaitForCacheSync(ctx.Done())
	go func() {
		<-ctx.Done()
		g.queue.ShutDown()
	}()
	for {
		claim, shutdown := g.queue.Get()
		if shutdown {
			return
		}
		if err := g.grow(ctx, claim); err != nil {
			klog.ErrorS(err, "claim did not grow", "claim", claim)
			g.queue.AddRateLimited(claim)
		} else {
			g.queue.Forget(claim)
		}
		g.queue.Done(claim)
	}
}

// grow brings the volume up to what the claim asks for, then says so in the claim: a claim never shows a capacity that
// its volume has not got.
func (g *grower) grow(ctx context.Context, name cache.ObjectName) error {
	claims := g.client.CoreV1().PersistentVolumeClaims(name.Namespace)
	claim, err := claims.Get(ctx, name.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read claim: %w", err)
	}
	if !wantsMore(claim) {
		return nil
	}
	volumes := g.client.CoreV1().PersistentVolumes()
	volume, err := volumes.Get(ctx, claim.Spec.VolumeName, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("read volume: %w", err)
	}
	if volume.Annotations["pv.kubernetes.io/provisioned-by"] != g.name {
		return nil
	}
	wanted := claim.Spec.Resources.Requests[corev1.ResourceStorage]
	if has := volume.Spec.Capacity[corev1.ResourceStorage]; has.Cmp(wanted) < 0 {
		if _, err := volumes.Patch(ctx, volume.Name, types.MergePatchType, capacity("spec", wanted), metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("grow volume: %w", err)
		}
	}
	if _, err := claims.Patch(ctx, claim.Name, types.MergePatchType, capacity("status", wanted), metav1.PatchOptions{}, "status"); err != nil {
		return fmt.Errorf("grow claim: %w", err)
	}
	klog.InfoS("claim grew", "claim", name, "capacity", wanted.String())
	return nil
}

// wantsMore tells that a bound claim asks for more than it has.
func wantsMore(claim *corev1.PersistentVolumeClaim) bool {
	wanted := claim.Spec.Resources.Requests[corev1.ResourceStorage]
	has := claim.Status.Capacity[corev1.ResourceStorage]
	return claim.Status.Phase == corev1.ClaimBound && wanted.Cmp(has) > 0
}

func capacity(section string, q resource.Quantity) []byte {
	patch, err := json.Marshal(map[string]any{section: map[string]any{"capacity": map[string]string{"storage": q.String()}}})
	if err != nil {
		panic(err) // maps of strings are always encodable
	}
	return patch
}
