//go:build integration

package v1alpha1_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
)

func discovery(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(apiserver.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestServedNames(t *testing.T) {
	resources, err := discovery(t).Discovery().ServerResourcesForGroupVersion(v1alpha1.GroupVersion.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, resource := range resources.APIResources {
		if resource.Name != "valkeys" {
			continue
		}
		if !slices.Equal(resource.ShortNames, []string{"vk"}) || !slices.Equal(resource.Categories, []string{"all"}) || !resource.Namespaced {
			t.Errorf("short names %v, categories %v, namespaced %v", resource.ShortNames, resource.Categories, resource.Namespaced)
		}
		return
	}
	t.Error("valkeys are not served")
}

func TestTableHasTheDeclaredColumns(t *testing.T) {
	client := discovery(t)
	namespace := apiserver.Shared(t).Namespace(t)
	body, err := client.RESTClient().Get().
		AbsPath("/apis", v1alpha1.Group, v1alpha1.GroupVersion.Version, "namespaces", namespace, "valkeys").
		SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").Do(t.Context()).Raw()
	if err != nil {
		t.Fatal(err)
	}
	var table metav1.Table
	if err := json.Unmarshal(body, &table); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, column := range table.ColumnDefinitions {
		got = append(got, fmt.Sprintf("%s %s %d", column.Name, column.Type, column.Priority))
	}
	want := []string{
		"Name string 0",
		"Image string 0", "CPU string 0", "Memory string 0", "Status string 0", "Error string 0", "Has volume boolean 0",
		"Volume size string 0", "Replicas integer 0", "Ready replicas integer 0", "Last reconcile date 0",
		"Primary string 1", "Age date 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("columns are\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestScaleSubresource(t *testing.T) {
	client := valkeys(t)
	made, err := client.Create(t.Context(), manifest(t), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set("status", map[string]any{"ready_replicas": int64(1), "selector": "a=b", "status": "running"})(made.Object)
	if _, err := client.UpdateStatus(t.Context(), made, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}

	current, err := client.Get(t.Context(), made.GetName(), metav1.GetOptions{}, "scale")
	if err != nil {
		t.Fatal(err)
	}
	var scale autoscalingv1.Scale
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(current.Object, &scale); err != nil {
		t.Fatal(err)
	}
	if scale.Spec.Replicas != 1 || scale.Status.Replicas != 1 || scale.Status.Selector != "a=b" {
		t.Errorf("scale says %d wanted, %d there, selector %q", scale.Spec.Replicas, scale.Status.Replicas, scale.Status.Selector)
	}

	set("spec.replicas", int64(3))(current.Object)
	if _, err := client.Update(t.Context(), current, metav1.UpdateOptions{}, "scale"); err != nil {
		t.Fatal(err)
	}
	scaled, err := client.Get(t.Context(), made.GetName(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if replicas, _, _ := unstructured.NestedInt64(scaled.Object, "spec", "replicas"); replicas != 3 {
		t.Errorf("spec.replicas is %d after scaling to 3", replicas)
	}

	current, err = client.Get(t.Context(), made.GetName(), metav1.GetOptions{}, "scale")
	if err != nil {
		t.Fatal(err)
	}
	set("spec.replicas", int64(6))(current.Object)
	_, err = client.Update(t.Context(), current, metav1.UpdateOptions{}, "scale")
	checkVerdict(t, err, "spec.replicas: Invalid value: 6: spec.replicas in body should be less than or equal to 5")
}

func TestStatusSubresource(t *testing.T) {
	client := valkeys(t)
	made, err := client.Create(t.Context(), manifest(t, set("status", map[string]any{"status": "running", "ready_replicas": int64(1)})), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, found := made.Object["status"]; found {
		t.Error("the status was taken from who created the object")
	}
	const phases = `supported values: "in_progress", "running", "failed", "stopped"`
	for status, want := range map[string]string{
		"in_progress": "", "running": "", "failed": "", "stopped": "",
		"in progress": `status.status: Unsupported value: "in progress": ` + phases,
		"Running":     `status.status: Unsupported value: "Running": ` + phases,
	} {
		t.Run(status, func(t *testing.T) {
			object := made.DeepCopy()
			set("status", map[string]any{"status": status, "ready_replicas": int64(0)})(object.Object)
			_, err := client.UpdateStatus(t.Context(), object, metav1.UpdateOptions{DryRun: dryRun})
			checkVerdict(t, err, want)
		})
	}
	t.Run("a node's role", func(t *testing.T) {
		object := made.DeepCopy()
		node := map[string]any{"name": "app-db-node-0", "role": "master", "ready": true}
		set("status", map[string]any{"ready_replicas": int64(0), "nodes": []any{node}})(object.Object)
		_, err := client.UpdateStatus(t.Context(), object, metav1.UpdateOptions{DryRun: dryRun})
		checkVerdict(t, err, `status.nodes[0].role: Unsupported value: "master": supported values: "primary", "replica"`)
	})
}

func TestUnknownFields(t *testing.T) {
	client := valkeys(t)
	typo := manifest(t, set("spec.replica", int64(3)))
	_, err := client.Create(t.Context(), typo, metav1.CreateOptions{DryRun: dryRun, FieldValidation: metav1.FieldValidationStrict})
	if err == nil || !strings.Contains(err.Error(), `unknown field "spec.replica"`) {
		t.Errorf("got %v; want a refusal that names the unknown field", err)
	}
	made, err := client.Create(t.Context(), typo, metav1.CreateOptions{DryRun: dryRun})
	if err != nil {
		t.Fatal(err)
	}
	if _, found, _ := unstructured.NestedFieldNoCopy(made.Object, "spec", "replica"); found {
		t.Error("an unknown field was kept")
	}
}

// The descriptions are what `kubectl explain valkey --recursive` and the dashboard's form show.
func TestEveryFieldOfOursIsExplained(t *testing.T) {
	document, err := discovery(t).OpenAPIV3().Paths()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := document["apis/"+v1alpha1.GroupVersion.String()].Schema("application/json")
	if err != nil {
		t.Fatal(err)
	}
	var openapi struct {
		Components struct {
			Schemas map[string]property `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(schema, &openapi); err != nil {
		t.Fatal(err)
	}
	valkey := openapi.Components.Schemas["io.kuberly.database.v1alpha1.Valkey"]
	if len(valkey.Properties["spec"].Properties) == 0 || len(valkey.Properties["status"].Properties) == 0 {
		t.Fatal("the server's OpenAPI says nothing of spec or status")
	}
	valkey.Properties["spec"].check(t, "spec")
	valkey.Properties["status"].check(t, "status")
}

type property struct {
	Description string              `json:"description"`
	Properties  map[string]property `json:"properties"`
	Items       *property           `json:"items"`
}

func (p property) check(t *testing.T, path string) {
	t.Helper()
	if !strings.HasSuffix(p.Description, ".") {
		t.Errorf("%s: the description is no whole sentence: %q", path, p.Description)
	}
	fields := p.Properties
	if p.Items != nil {
		fields = p.Items.Properties
	}
	for name, field := range fields {
		field.check(t, path+"."+name)
	}
}
