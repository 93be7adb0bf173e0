//go:build integration

package kube_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
)

var valkeys = v1alpha1.GroupVersion.WithResource("valkeys")

// The fields of the form are those of the server: of the CRD, and for a user who may not read it of OpenAPI, which says the same.
func TestSchemaIsThatOfTheServer(t *testing.T) {
	server := apiserver.Shared(t)
	admin, err := dynamic.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	crds := admin.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	mark := func(text string) {
		patch, _ := json.Marshal([]any{map[string]any{
			"op": "replace", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/image/description", "value": text,
		}})
		if _, err := crds.Patch(t.Context(), "valkeys."+v1alpha1.Group, types.JSONPatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	original, _ := kube.BuiltinSchema().Field("spec.image")
	mark("only this server says so")
	t.Cleanup(func() {
		patch, _ := json.Marshal([]any{map[string]any{
			"op": "replace", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/image/description", "value": original.Description,
		}})
		_, _ = crds.Patch(t.Context(), "valkeys."+v1alpha1.Group, types.JSONPatchType, patch, metav1.PatchOptions{})
	})
	byCRD := newClient(t, server.Config()).Schema(t.Context())
	if f, _ := byCRD.Field("spec.image"); f.Description != "only this server says so" {
		t.Fatalf("by the CRD the image is %+v", f)
	}
	user := server.AddUser(t, "schema-reader")
	byOpenAPI := newClient(t, user).Schema(t.Context())
	for range 100 { // the document follows the CRD a moment later
		if f, _ := byOpenAPI.Field("spec.image"); f.Description == "only this server says so" {
			break
		}
		byOpenAPI = newClient(t, user).Schema(t.Context())
	}
	if diff := cmp.Diff(byCRD.Fields(), byOpenAPI.Fields()); diff != "" {
		t.Errorf("the fields by the CRD and by OpenAPI differ (-CRD +OpenAPI):\n%s", diff)
	}
	if got, want := byOpenAPI.FieldOf("spec", "set exactly one of spec.password and spec.passwordSecretRef"), "spec.password"; got != want {
		t.Errorf("by OpenAPI a rule belongs to %q, want %q", got, want)
	}
	forbidden := server.Config()
	forbidden.BearerToken, forbidden.CertData, forbidden.KeyData = "wrong", nil, nil
	if got := newClient(t, forbidden).Schema(t.Context()); !cmp.Equal(got.Fields(), kube.BuiltinSchema().Fields()) {
		t.Error("without an answer of the server the fields are not those of the program's own CRD")
	}
}

func proposal(t testing.TB, client *kube.Client, ref kube.Ref, changes map[string]any) kube.Proposal {
	t.Helper()
	live, err := client.Live(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	wanted := live.DeepCopy()
	for path, value := range changes {
		if err := unstructured.SetNestedField(wanted.Object, value, strings.Split(path, ".")...); err != nil {
			t.Fatal(err)
		}
	}
	return kube.Proposal{Base: live, Wanted: wanted}
}

func TestReviewAndCommit(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	v := create(t, client, namespace, "app")
	ref := kube.Ref{Namespace: namespace, Name: "app", UID: v.UID}

	p := proposal(t, client, ref, map[string]any{"spec.image": "valkey/valkey:9.2", "spec.replicas": int64(3)})
	review, err := client.Review(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if changes := manifest.Changes(review.Proposal.Base, review.Result); len(changes) != 2 || len(review.Meanwhile) != 0 {
		t.Errorf("the review has the changes %v, meanwhile %v", changes, review.Meanwhile)
	}
	if now, err := client.Get(t.Context(), namespace, "app"); err != nil || now.ResourceVersion != v.ResourceVersion {
		t.Errorf("a review has changed the object: %v", err)
	}
	// The operator's status is no reason to ask again.
	setStatus(t, server, v, v1alpha1.ValkeyStatus{Status: v1alpha1.PhaseRunning, ReadyReplicas: 1})
	result, err := client.Commit(t.Context(), review.Proposal)
	if err != nil || result.Valkey.Spec.Image != "valkey/valkey:9.2" || *result.Valkey.Spec.Replicas != 3 {
		t.Fatalf("commit: %+v, %v", result, err)
	}
	if now, err := client.Get(t.Context(), namespace, "app"); err != nil || now.Status.Status != v1alpha1.PhaseRunning {
		t.Errorf("the status was touched: %v, %v", now, err)
	}
	for name, test := range map[string]struct {
		path  string
		value any
		field string
		words string
	}{
		"a pattern":       {"spec.resource.memory", "1Ti", "spec.resource.memory", "memory is a whole number"},
		"a rule in CEL":   {"spec.volume.storage", "1Mi", "spec.volume.storage", "can grow but not shrink"},
		"what is fixed":   {"spec.volume.storageClassName", "other", "spec.volume.storageClassName", "cannot change"},
		"a field of none": {"spec.nothing", "x", "", "unknown field"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := client.Review(t.Context(), proposal(t, client, ref, map[string]any{test.path: test.value}))
			problem := kube.Explain(err)
			if problem == nil || !strings.Contains(problem.Message, test.words) {
				t.Fatalf("error %v", err)
			}
			if test.field != "" && !slices.ContainsFunc(problem.Fields, func(f kube.FieldProblem) bool { return f.Path == test.field }) {
				t.Errorf("it is about %+v, want %s", problem.Fields, test.field)
			}
		})
	}
}

// Somebody else changes the object between the look and the change: the change is not lost, nor is theirs.
func TestConflictIsCarriedOver(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	v := create(t, client, namespace, "app")
	ref := kube.Ref{Namespace: namespace, Name: "app", UID: v.UID}
	p := proposal(t, client, ref, map[string]any{"spec.image": "valkey/valkey:9.2"})
	if _, err := client.Scale(t.Context(), ref, 4, kube.ScaleOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Commit(t.Context(), p); !kube.IsClass(err, kube.ClassConflict) {
		t.Fatalf("on an older version: %v", err)
	}
	review, err := client.Review(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(review.Meanwhile) != 1 || review.Meanwhile[0].String() != "spec.replicas: 1 -> 4" {
		t.Errorf("meanwhile: %v", review.Meanwhile)
	}
	if changes := manifest.Changes(review.Proposal.Base, review.Result); len(changes) != 1 || changes[0].Path != "spec.image" {
		t.Errorf("on the new version the change is %v, want the image alone", changes)
	}
	if result, err := client.Commit(t.Context(), review.Proposal); err != nil || *result.Valkey.Spec.Replicas != 4 || result.Valkey.Spec.Image != "valkey/valkey:9.2" {
		t.Errorf("on the new version: %+v, %v", result.Valkey, err)
	}
	if err := client.Delete(t.Context(), ref, kube.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	create(t, client, namespace, "app")
	if _, err := client.Review(t.Context(), p); !kube.IsClass(err, kube.ClassConflict) || !strings.Contains(err.Error(), "no longer the object you chose") {
		t.Errorf("on another object of the name: %v", err)
	}
	if _, err := client.Commit(t.Context(), p); !kube.IsClass(err, kube.ClassConflict) {
		t.Errorf("on another object of the name: %v", err)
	}
}

func TestReviewOfANewOne(t *testing.T) {
	server := apiserver.Shared(t)
	client := newClient(t, server.Config())
	fresh := server.Namespace(t) + "-fresh"
	v := newValkey(fresh, "app")
	v.Spec.Password = nil
	object, err := manifest.Untyped(v)
	if err != nil {
		t.Fatal(err)
	}
	p := kube.Proposal{Wanted: object, Password: "geheim"}
	review, err := client.Review(t.Context(), p)
	if err != nil || !review.NewNamespace || review.Secret != "app-password" {
		t.Fatalf("review: %+v, %v", review, err)
	}
	if _, err := client.Get(t.Context(), fresh, "app"); !kube.IsClass(err, kube.ClassNotFound) {
		t.Errorf("a review has made it: %v", err)
	}
	if result, err := client.Commit(t.Context(), p); err != nil || !result.NamespaceCreated || result.Secret != "app-password" {
		t.Errorf("commit: %+v, %v", result, err)
	}
	// A field that this program does not know reaches the server, which says what it thinks of it.
	_ = unstructured.SetNestedField(object.Object, "x", "spec", "volume", "colour")
	object.SetName("other")
	if _, err := client.Review(t.Context(), p); err == nil || !strings.Contains(err.Error(), `unknown field "spec.volume.colour"`) {
		t.Errorf("a field that nobody knows: %v", err)
	}
}

func TestApply(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	read := func(changes ...string) *unstructured.Unstructured {
		object, err := manifest.Untyped(newValkey(namespace, "app"))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(changes); i += 2 {
			if err := unstructured.SetNestedField(object.Object, changes[i+1], strings.Split(changes[i], ".")...); err != nil {
				t.Fatal(err)
			}
		}
		return object
	}
	if _, err := client.Apply(t.Context(), read("spec.password", manifest.Hidden), kube.ApplyOptions{}); err == nil || !strings.Contains(err.Error(), "it was hidden when this manifest was printed") {
		t.Errorf("a hidden password of a new one: %v", err)
	}
	if r, err := client.Apply(t.Context(), read(), kube.ApplyOptions{DryRun: true}); err != nil || !r.IsCreated() {
		t.Fatalf("dry run: %+v, %v", r, err)
	}
	if r, err := client.Apply(t.Context(), read(), kube.ApplyOptions{}); err != nil || !r.IsCreated() {
		t.Fatalf("the dry run made it, or the apply did not: %+v, %v", r, err)
	}
	if r, err := client.Apply(t.Context(), read("spec.password", manifest.Hidden), kube.ApplyOptions{}); err != nil || !r.IsUnchanged() {
		t.Errorf("again, as printed: %+v, %v", r, err)
	}
	if _, err := client.Scale(t.Context(), kube.Ref{Namespace: namespace, Name: "app"}, 2, kube.ScaleOptions{}); err != nil {
		t.Fatal(err)
	}
	r, err := client.Apply(t.Context(), read("spec.image", "valkey/valkey:9.2"), kube.ApplyOptions{})
	if replicas, _, _ := unstructured.NestedInt64(r.After.Object, "spec", "replicas"); err != nil || r.IsUnchanged() || replicas != 2 {
		t.Errorf("another image: %d replicas, %v; want those that were scaled to", replicas, err)
	}
	foreign, err := dynamic.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	_, err = foreign.Resource(valkeys).Namespace(namespace).Patch(t.Context(), "app", types.MergePatchType,
		[]byte(`{"spec":{"image":"valkey/valkey:8"}}`), metav1.PatchOptions{FieldManager: "somebody"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Apply(t.Context(), read("spec.image", "valkey/valkey:9.3"), kube.ApplyOptions{}); !kube.IsClass(err, kube.ClassConflict) ||
		!strings.Contains(err.Error(), `"somebody"`) || !strings.Contains(err.Error(), "--force-conflicts") {
		t.Errorf("against somebody else: %v", err)
	}
	if _, err := client.Apply(t.Context(), read("spec.image", "valkey/valkey:9.3"), kube.ApplyOptions{Force: true}); err != nil {
		t.Errorf("by force: %v", err)
	}
}

func TestStopAndStart(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	v := create(t, client, namespace, "app")
	ref := kube.Ref{Namespace: namespace, Name: "app", UID: v.UID}
	replicas := func() int {
		now, err := client.Get(t.Context(), namespace, "app")
		if err != nil {
			t.Fatal(err)
		}
		return now.WantedReplicas()
	}
	if _, err := client.Scale(t.Context(), ref, 3, kube.ScaleOptions{}); err != nil {
		t.Fatal(err)
	}
	if r, err := client.Stop(t.Context(), ref, kube.ScaleOptions{DryRun: true}); err != nil || r.From != 3 || r.To != 0 || replicas() != 3 {
		t.Errorf("dry stop: %+v, %v, %d replicas", r, err, replicas())
	}
	if r, err := client.Stop(t.Context(), ref, kube.ScaleOptions{}); err != nil || r.From != 3 || replicas() != 0 {
		t.Errorf("stop: %+v, %v, %d replicas", r, err, replicas())
	}
	if r, err := client.Stop(t.Context(), ref, kube.ScaleOptions{}); err != nil || r.From != 0 || r.To != 0 {
		t.Errorf("a second stop: %+v, %v", r, err)
	}
	one := int32(1)
	if _, err := client.Start(t.Context(), ref, kube.ScaleOptions{From: &one}); !kube.IsClass(err, kube.ClassConflict) {
		t.Errorf("a start from another number: %v", err)
	}
	if r, err := client.Start(t.Context(), ref, kube.ScaleOptions{}); err != nil || r.To != 3 || replicas() != 3 {
		t.Errorf("start: %+v, %v, %d replicas", r, err, replicas())
	}
	if now, err := client.Get(t.Context(), namespace, "app"); err != nil || now.Annotations[v1alpha1.AnnotationStoppedReplicas] != "" {
		t.Errorf("the note stays: %v, %v", now.Annotations, err)
	}
	if r, err := client.Start(t.Context(), ref, kube.ScaleOptions{}); err != nil || r.From != 3 || r.To != 3 {
		t.Errorf("a second start: %+v, %v", r, err)
	}
	if r, err := client.Scale(t.Context(), ref, 0, kube.ScaleOptions{}); err != nil || r.From != 3 || replicas() != 0 {
		t.Errorf("scale to 0: %+v, %v, %d replicas", r, err, replicas())
	}
	if r, err := client.Start(t.Context(), ref, kube.ScaleOptions{}); err != nil || r.To != 3 {
		t.Errorf("start of one that was scaled to 0: %+v, %v", r, err)
	}
	scaler := server.AddUser(t, "scaler")
	server.Grant(t, "scaler", namespace, rbacv1.PolicyRule{APIGroups: []string{v1alpha1.Group}, Resources: []string{"valkeys/scale"}, Verbs: []string{"get", "update"}})
	if r, err := newClient(t, scaler).Scale(t.Context(), ref, 0, kube.ScaleOptions{}); err != nil || r.From != 3 || replicas() != 0 {
		t.Errorf("scale to 0 by one who may only scale: %+v, %v, %d replicas", r, err, replicas())
	}
	if r, err := client.Start(t.Context(), ref, kube.ScaleOptions{}); err != nil || r.To != 1 {
		t.Errorf("start of one of which nobody noted how many servers it had: %+v, %v", r, err)
	}
	other := kube.Ref{Namespace: namespace, Name: "app", UID: "another"}
	if _, err := client.Stop(t.Context(), other, kube.ScaleOptions{}); !kube.IsClass(err, kube.ClassConflict) {
		t.Errorf("stop of another object: %v", err)
	}
	user := server.AddUser(t, "stop-viewer")
	server.Grant(t, "stop-viewer", namespace, rbacv1.PolicyRule{APIGroups: []string{v1alpha1.Group}, Resources: []string{"valkeys"}, Verbs: []string{"get"}})
	if _, err := newClient(t, user).Stop(t.Context(), ref, kube.ScaleOptions{}); !kube.IsClass(err, kube.ClassForbidden) {
		t.Errorf("stop by one who may not: %v", err)
	}
}
