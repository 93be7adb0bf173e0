package kube

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// podWatch tells of pods as they come, change and go. Its functions are called one at a time.
type podWatch struct {
	client              *Client
	namespace, selector string

	listed        func(pods []corev1.Pod) // all that there are, at the start and after an interruption
	changed, gone func(pod *corev1.Pod)
	failed        func(err error) // once for each error that is not the one before
}

// run goes on until ctx ends or the user may not.
func (w *podWatch) run(ctx context.Context) error {
	delay := &backoff{}
	told := ""
	for {
		version, err := w.list(ctx)
		if err == nil {
			told = ""
			err = w.watch(ctx, version, delay)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case IsClass(err, ClassForbidden), IsClass(err, ClassNoKubeconfig):
			return err
		case err != nil && err.Error() != told:
			told = err.Error()
			w.failed(err)
		}
		pause(ctx, delay.next())
	}
}

func (w *podWatch) list(ctx context.Context) (version string, err error) {
	list, err := w.client.connection().core.Pods(w.namespace).List(ctx, metav1.ListOptions{LabelSelector: w.selector})
	if err != nil {
		return "", w.client.failed(err)
	}
	w.listed(list.Items)
	return list.ResourceVersion, nil
}

// watch returns nil where the watch has ended: the next list tells what was missed.
func (w *podWatch) watch(ctx context.Context, version string, delay *backoff) error {
	stream, err := w.client.connection().core.Pods(w.namespace).Watch(ctx, metav1.ListOptions{LabelSelector: w.selector, ResourceVersion: version})
	if err != nil {
		return w.client.failed(err)
	}
	defer stream.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event, open := <-stream.ResultChan():
			pod, ok := event.Object.(*corev1.Pod)
			if !open || event.Type == watch.Error || !ok {
				return nil
			}
			delay.reset()
			if event.Type == watch.Deleted {
				w.gone(pod)
				continue
			}
			w.changed(pod)
		}
	}
}
