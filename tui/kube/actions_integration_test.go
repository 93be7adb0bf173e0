//go:build integration

package kube_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

// case 2 (dashboard): what was chosen is what is deleted or scaled: neither an object that has taken its name, nor one that has changed since.
func TestActionsHitNoOtherObject(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	refOf := func(v *v1alpha1.Valkey) kube.Ref {
		return kube.Ref{Namespace: v.Namespace, Name: v.Name, UID: v.UID, ResourceVersion: v.ResourceVersion}
	}
	first := create(t, client, namespace, "app")
	if err := client.Delete(t.Context(), refOf(first).Key(), kube.DeleteOptions{}); err != nil {
		t.Fatalf("delete: %v", err)
	}
	second := create(t, client, namespace, "app")

	if err := client.Delete(t.Context(), refOf(first).Key(), kube.DeleteOptions{}); !kube.IsClass(err, kube.ClassConflict) {
		t.Errorf("delete of a replaced object: %v", err)
	}
	if _, err := client.Scale(t.Context(), refOf(first).Key(), 2, kube.ScaleOptions{}); !kube.IsClass(err, kube.ClassConflict) {
		t.Errorf("scale of a replaced object: %v", err)
	}
	if result, err := client.Scale(t.Context(), refOf(second), 2, kube.ScaleOptions{}); err != nil || result.From != 1 || result.To != 2 {
		t.Errorf("scale: %+v, %v", result, err)
	}
	for what, err := range map[string]error{
		"delete": client.Delete(t.Context(), refOf(second), kube.DeleteOptions{}),
		"scale": func() error {
			_, err := client.Scale(t.Context(), refOf(second), 3, kube.ScaleOptions{})
			return err
		}(),
	} {
		if !kube.IsClass(err, kube.ClassConflict) || !strings.Contains(err.Error(), "has changed since you looked at it") {
			t.Errorf("%s of a changed object: %v", what, err)
		}
	}
	from := int32(1)
	if _, err := client.Scale(t.Context(), refOf(second).Key(), 3, kube.ScaleOptions{From: &from}); !kube.IsClass(err, kube.ClassConflict) {
		t.Errorf("scale from another number than was seen: %v", err)
	}
	if v, err := client.Get(t.Context(), namespace, "app"); err != nil || v.UID != second.UID || *v.Spec.Replicas != 2 {
		t.Errorf("the object was touched: %v, %v", v, err)
	}
}

// An operator that writes the status while a dialog is open is no reason to ask again: each action that holds the object as it
// was seen is done though, and refused once more than the status has changed.
func TestActionsOutliveStatusWrites(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	admin, err := dynamic.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	create(t, client, namespace, "app")
	patch := func(changes string, subresources ...string) {
		t.Helper()
		_, err := admin.Resource(valkeys).Namespace(namespace).
			Patch(t.Context(), "app", types.MergePatchType, []byte(changes), metav1.PatchOptions{}, subresources...)
		if err != nil {
			t.Fatal(err)
		}
	}
	look := func() kube.Ref {
		t.Helper()
		row, err := client.Row(t.Context(), kube.Ref{Namespace: namespace, Name: "app"})
		if err != nil {
			t.Fatal(err)
		}
		return row.Ref()
	}
	actions := []struct {
		name string
		do   func(kube.Ref) error
	}{
		{"scale", func(ref kube.Ref) error { _, err := client.Scale(t.Context(), ref, 2, kube.ScaleOptions{}); return err }},
		{"restart", func(ref kube.Ref) error { return client.Restart(t.Context(), ref, time.Now()) }},
		{"failover", func(ref kube.Ref) error { _, err := client.Failover(t.Context(), ref, ""); return err }},
		{"stop", func(ref kube.Ref) error { _, err := client.Stop(t.Context(), ref, kube.ScaleOptions{}); return err }},
		{"start", func(ref kube.Ref) error { _, err := client.Start(t.Context(), ref, kube.ScaleOptions{}); return err }},
		{"delete", func(ref kube.Ref) error { return client.Delete(t.Context(), ref, kube.DeleteOptions{}) }},
	}
	for i, action := range actions {
		ref := look()
		patch(fmt.Sprintf(`{"spec":{"image":"valkey/valkey:9.1.%d"}}`, i))
		if err := action.do(ref); !kube.IsClass(err, kube.ClassConflict) {
			t.Errorf("%s after a change of the spec: %v", action.name, err)
		}
		ref = look()
		patch(fmt.Sprintf(`{"status":{"status":"in_progress","ready_replicas":0,"error":"step %d"}}`, i), "status")
		if err := action.do(ref); err != nil {
			t.Errorf("%s after a write of the status: %v", action.name, err)
		}
		if action.name != "failover" {
			continue
		}
		for _, want := range []bool{true, false} {
			if asked, err := client.CancelFailover(t.Context(), ref.Key()); err != nil || asked != want {
				t.Errorf("a request that is taken back: %v, %v; want %v", asked, err, want)
			}
		}
	}
	if _, err := client.Get(t.Context(), namespace, "app"); !kube.IsClass(err, kube.ClassNotFound) {
		t.Errorf("it is not deleted: %v", err)
	}
}

func TestWaits(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	v := create(t, client, namespace, "app")
	ref := kube.Ref{Namespace: namespace, Name: "app", UID: v.UID}

	seen := make(chan struct{}, 8)
	waits := func(ctx context.Context) chan error {
		done := make(chan error, 1)
		go func() {
			done <- client.WaitReady(ctx, ref, func(*v1alpha1.Valkey) { seen <- struct{}{} })
		}()
		<-seen
		return done
	}
	done := waits(t.Context())
	setStatus(t, server, v, v1alpha1.ValkeyStatus{Status: v1alpha1.PhaseRunning, ReadyReplicas: 1, ObservedGeneration: v.Generation})
	if err := <-done; err != nil {
		t.Errorf("until it runs: %v", err)
	}
	if _, err := client.Scale(t.Context(), ref, 0, kube.ScaleOptions{}); err != nil {
		t.Fatal(err)
	}
	done = waits(t.Context()) // the status speaks of the generation before
	setStatus(t, server, v, v1alpha1.ValkeyStatus{Status: v1alpha1.PhaseFailed, Error: "no\nroom", ObservedGeneration: v.Generation + 1})
	if err := <-done; !kube.IsClass(err, kube.ClassFailed) || err.Error() != `valkey "app" failed: no room` {
		t.Errorf("until it failed: %v", err)
	}
	setStatus(t, server, v, v1alpha1.ValkeyStatus{Status: v1alpha1.PhaseInProgress, Error: "the image cannot be had", ObservedGeneration: v.Generation + 1})
	short, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if err := client.WaitReady(short, ref, nil); !kube.IsClass(err, kube.ClassTimeout) || !strings.Contains(err.Error(), "stopping, 0 servers left: the image cannot be had") {
		t.Errorf("too long: %v", err)
	}
	if err := client.Delete(t.Context(), ref, kube.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := client.WaitGone(t.Context(), ref); err != nil {
		t.Errorf("until it is gone: %v", err)
	}
	if err := client.WaitReady(t.Context(), ref, nil); !kube.IsClass(err, kube.ClassNotFound) {
		t.Errorf("for what is gone: %v", err)
	}
}

func TestChildrenAndEvents(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	admin := kubernetes.NewForConfigOrDie(server.Config())
	v := newValkey(namespace, "app")
	v.Spec.Volume.Reclaim = v1alpha1.ReclaimRetain
	v.Spec.Password = nil
	result, err := client.Create(t.Context(), kube.CreateOptions{Valkey: v, Password: "x"})
	if err != nil {
		t.Fatal(err)
	}
	ours := v.PodLabels()
	foreign := map[string]string{v1alpha1.LabelName: v1alpha1.AppName, v1alpha1.LabelInstance: "app", v1alpha1.LabelManagedBy: "helm"}
	meta := func(name string, labels map[string]string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels}
	}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: meta("app-node-0", ours), Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("512Mi")}},
	}}
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: ours}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "valkey", Image: "x"}}}}
	deployment := &appsv1.Deployment{ObjectMeta: meta("app-node-0", ours), Spec: appsv1.DeploymentSpec{Selector: &metav1.LabelSelector{MatchLabels: ours}, Template: template}}
	event := func(name, object, message string) *corev1.Event {
		return &corev1.Event{
			ObjectMeta: meta(name, nil), Type: "Warning", Reason: "Failed", Message: message,
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: namespace, Name: object}, FirstTimestamp: metav1.Now(), LastTimestamp: metav1.Now(), Count: 2,
		}
	}
	_, claimErr := admin.CoreV1().PersistentVolumeClaims(namespace).Create(t.Context(), claim, metav1.CreateOptions{})
	_, deployErr := admin.AppsV1().Deployments(namespace).Create(t.Context(), deployment, metav1.CreateOptions{})
	_, mapErr := admin.CoreV1().ConfigMaps(namespace).Create(t.Context(), &corev1.ConfigMap{ObjectMeta: meta("other", foreign)}, metav1.CreateOptions{})
	_, eventErr := admin.CoreV1().Events(namespace).Create(t.Context(), event("one", "app-node-0-5f-x", "pull\x1b[31m failed\nbadly"), metav1.CreateOptions{})
	_, otherErr := admin.CoreV1().Events(namespace).Create(t.Context(), event("two", "app-2-node-0-5f-x", "of another"), metav1.CreateOptions{})
	if err := errors.Join(claimErr, deployErr, mapErr, eventErr, otherErr); err != nil {
		t.Fatal(err)
	}

	ref := kube.Ref{Namespace: namespace, Name: "app", UID: result.Valkey.UID}
	children, missing, err := client.Children(t.Context(), ref)
	if err != nil || len(missing) != 0 {
		t.Fatalf("missing %v: %v", missing, err)
	}
	want := []kube.Child{
		{Kind: "PersistentVolumeClaim", Name: "app-node-0", Kept: true, Detail: "512Mi"},
		{Kind: "Deployment", Name: "app-node-0"},
		{Kind: "Secret", Name: "app-password"},
	}
	if diff := cmp.Diff(want, children); diff != "" {
		t.Errorf("children: -want +got\n%s", diff)
	}
	events, err := client.Events(t.Context(), ref)
	if err != nil || len(events) != 1 {
		t.Fatalf("%d events: %v", len(events), err)
	}
	if e := events[0]; e.Message != "pull failed badly" || e.Object != "Pod/app-node-0-5f-x" || e.Count != 2 || e.Last.IsZero() {
		t.Errorf("event %+v", e)
	}

	server.Grant(t, "half", namespace,
		rbacv1.PolicyRule{APIGroups: []string{v1alpha1.Group}, Resources: []string{"valkeys"}, Verbs: []string{"get"}},
		rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"persistentvolumeclaims"}, Verbs: []string{"list"}})
	children, missing, err = newClient(t, server.AddUser(t, "half")).Children(t.Context(), ref)
	if err != nil || len(children) != 1 {
		t.Errorf("with half the rights: %v, %v", children, err)
	}
	if diff := cmp.Diff([]string{"Pod", "Deployment", "Service", "Secret", "ConfigMap", "PodDisruptionBudget"}, missing); diff != "" {
		t.Errorf("missing: -want +got\n%s", diff)
	}
}

func TestWhoAndWhat(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	server.Grant(t, "viewer", namespace, rbacv1.PolicyRule{APIGroups: []string{v1alpha1.Group}, Resources: []string{"valkeys"}, Verbs: []string{"list"}})
	client := newClient(t, server.AddUser(t, "viewer"))
	if name, err := client.Whoami(t.Context()); err != nil || name != "viewer" {
		t.Errorf("whoami: %q, %v", name, err)
	}
	if version, err := client.ServerVersion(t.Context()); err != nil || !strings.HasPrefix(version, "v1.") {
		t.Errorf("version: %q, %v", version, err)
	}
	if _, err := client.Namespaces(t.Context()); !kube.IsClass(err, kube.ClassForbidden) {
		t.Errorf("namespaces: %v", err)
	}
	if names, err := newClient(t, server.Config()).Namespaces(t.Context()); err != nil || len(names) < 2 {
		t.Errorf("namespaces: %v, %v", names, err)
	}
	list := kube.Action{Verb: "list", Group: v1alpha1.Group, Resource: "valkeys", Namespace: namespace}
	if access, err := client.CanI(t.Context(), list); err != nil || !access.Allowed {
		t.Errorf("list: %+v, %v", access, err)
	}
	scale := list
	scale.Verb, scale.Subresource = "update", "scale"
	if access, err := client.CanI(t.Context(), scale); err != nil || access.Allowed || access.Reason != `you may not update valkeys/scale in namespace "`+namespace+`"` {
		t.Errorf("scale: %+v, %v", access, err)
	}
}

func TestYAMLHidesThePassword(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	v := newValkey(namespace, "app")
	v.Annotations = map[string]string{"kubectl.kubernetes.io/last-applied-configuration": `{"spec":{"password":"secret"}}`}
	if _, err := client.Create(t.Context(), kube.CreateOptions{Valkey: v}); err != nil {
		t.Fatal(err)
	}
	ref := kube.Ref{Namespace: namespace, Name: "app"}
	hidden, err := client.YAML(t.Context(), ref, false)
	if err != nil || strings.Contains(hidden, "secret") || strings.Contains(hidden, "managedFields") || !strings.Contains(hidden, "image: valkey/valkey:9.1") {
		t.Errorf("%v:\n%s", err, hidden)
	}
	shown, err := client.YAML(t.Context(), ref, true)
	if err != nil || !strings.Contains(shown, "password: secret") {
		t.Errorf("%v:\n%s", err, shown)
	}
	// What was printed without its password cannot become the password by an apply.
	again := newValkey(namespace, "again")
	placeholder := "<hidden>\n"
	again.Spec.Password = &placeholder
	if !strings.Contains(hidden, "<hidden>") {
		t.Errorf("no placeholder in:\n%s", hidden)
	}
	if _, err := client.Create(t.Context(), kube.CreateOptions{Valkey: again}); !kube.IsClass(err, kube.ClassInvalid) {
		t.Errorf("the placeholder is taken for a password: %v", err)
	}
}
