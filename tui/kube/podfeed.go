package kube

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// podFeed follows pods: listed tells all that there are, at the start and where it could not go on from what it knew, changed and gone what
// happens to one.
func (c *Client) podFeed(namespace, selector string, listed func([]*corev1.Pod), changed, gone func(*corev1.Pod)) *feed {
	one := func(do func(*corev1.Pod)) func(runtime.Object) {
		return func(o runtime.Object) {
			if pod, ok := o.(*corev1.Pod); ok {
				do(pod)
			}
		}
	}
	return &feed{
		client: c,
		list: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.LabelSelector = selector
			return c.connection().core.Pods(namespace).List(ctx, o)
		},
		watch: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.LabelSelector = selector
			return c.connection().core.Pods(namespace).Watch(ctx, o)
		},
		replace: func(all []runtime.Object) {
			pods := make([]*corev1.Pod, 0, len(all))
			for _, o := range all {
				one(func(pod *corev1.Pod) { pods = append(pods, pod) })(o)
			}
			listed(pods)
		},
		put: one(changed), drop: one(gone),
	}
}

// isRefused says that it makes no sense to try again: the user may not, or there is nobody to ask.
func isRefused(p *Problem) bool { return p.Class == ClassForbidden || p.Class == ClassNoKubeconfig }
