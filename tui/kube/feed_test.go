package kube

import (
	"context"
	"net/http"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func podObject(name, version string) map[string]any {
	return map[string]any{
		"kind": "Pod", "apiVersion": "v1", "metadata": map[string]any{"namespace": "default", "name": name, "uid": name, "resourceVersion": version},
	}
}

// A watch of pods that ends is gone on with from the last version, with no new list; a version that has expired is listed anew.
func TestPodsAreFollowedFromTheirVersion(t *testing.T) {
	api := newFakeAPI(t)
	lists := 0
	var from []string
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) {
		lists++
		version := []string{"5", "20"}[lists-1]
		send(w, map[string]any{
			"kind": "PodList", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": version}, "items": []any{podObject("old", "4")},
		})
	}, func(w http.ResponseWriter, r *http.Request) {
		from = append(from, r.URL.Query().Get("resourceVersion"))
		switch len(from) {
		case 1:
			send(w, event("ADDED", podObject("new", "7"))) // and it ends
		case 2:
			send(w, event("DELETED", podObject("old", "9")))
		case 3:
			send(w, event("ERROR", status(http.StatusGone, "Expired", "too old")))
		default:
			hang(w, r)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var told []string
	f := api.client(t).podFeed("default", "app=x",
		func(pods []*corev1.Pod) {
			for _, pod := range pods {
				told = append(told, "list "+pod.Name)
			}
			if lists == 2 {
				cancel()
			}
		},
		func(pod *corev1.Pod) { told = append(told, "change "+pod.Name) },
		func(pod *corev1.Pod) { told = append(told, "gone "+pod.Name) },
	)
	f.failed = func(p *Problem) { t.Errorf("it tells %v of what is no trouble", p) }
	if err := f.follow(ctx); ctx.Err() == nil {
		t.Fatalf("it ends with %v", err)
	}
	if want := []string{"list old", "change new", "gone old", "list old"}; !slices.Equal(told, want) {
		t.Errorf("it tells %q, want %q", told, want)
	}
	if want := []string{"5", "7", "9"}; !slices.Equal(from[:3], want) {
		t.Errorf("it goes on from %q, want %q", from, want)
	}
}

// The same trouble is told once, then that it is over; what is not waited out ends it.
func TestFeedTellsTroubleOnce(t *testing.T) {
	api := newFakeAPI(t)
	lists := 0
	api.handle(podsPath, func(w http.ResponseWriter, _ *http.Request) {
		switch lists++; lists {
		case 1, 2:
			refuse(w, http.StatusInternalServerError, "InternalError", "etcd is away")
		default:
			send(w, map[string]any{"kind": "PodList", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": "5"}, "items": []any{}})
		}
	}, func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusForbidden, "Forbidden", "no watch for you")
	})
	ignore := func(*corev1.Pod) {}
	f := api.client(t).podFeed("default", "app=x", func([]*corev1.Pod) {}, ignore, ignore)
	var told []bool
	f.failed = func(p *Problem) { told = append(told, p != nil) }
	f.ends = isRefused
	if err := f.follow(t.Context()); !IsClass(err, ClassForbidden) {
		t.Errorf("it ends with %v", err)
	}
	if want := []bool{true, false}; !slices.Equal(told, want) {
		t.Errorf("trouble and its end: %v, want %v", told, want)
	}
}
