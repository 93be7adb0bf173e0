//go:build integration

package kube_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

func TestStoreFollowsTheCluster(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	client := newClient(t, server.Config())
	store := client.Watch(t.Context(), kube.Scope{Namespace: namespace})
	defer store.Close()
	await(t, store, "the empty list is there", func(s kube.Snapshot) bool { return isOK(s) && len(s.Rows) == 0 })

	create(t, client, namespace, "b")
	create(t, client, namespace, "a")
	snapshot := await(t, store, "both are there", func(s kube.Snapshot) bool { return len(s.Rows) == 2 })
	if snapshot.Rows[0].Name != "a" || snapshot.Rows[1].Name != "b" {
		t.Errorf("the rows are not in order: %s, %s", snapshot.Rows[0].Name, snapshot.Rows[1].Name)
	}
	texts := map[string]string{}
	for i, column := range snapshot.Columns {
		texts[column.Name] = snapshot.Rows[0].Cells[i].Text
	}
	delete(texts, "Age")
	want := map[string]string{
		"Image": "valkey/valkey:9.1", "CPU": "200m", "Memory": "512Mi", "Status": "", "Error": "", "Has volume": "true",
		"Volume size": "512Mi", "Replicas": "1", "Ready replicas": "", "Last reconcile": "", "Primary": "",
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("cells: -want +got\n%s", diff)
	}

	untouched := snapshot.Rows[1]
	row := snapshot.Rows[0]
	if _, err := client.Scale(t.Context(), row.Ref(), 3, kube.ScaleOptions{}); err != nil {
		t.Fatalf("scale: %v", err)
	}
	snapshot = await(t, store, "the scale shows", func(s kube.Snapshot) bool { return find(s, "a").Replicas == 3 })
	if find(snapshot, "a").UID != row.UID {
		t.Error("the row of a scaled object has another UID")
	}
	if find(snapshot, "b").Cells[0] != untouched.Cells[0] || find(snapshot, "b").ResourceVersion != untouched.ResourceVersion {
		t.Error("the row of the other object has changed")
	}
	if err := client.Delete(t.Context(), untouched.Ref(), kube.DeleteOptions{}); err != nil {
		t.Fatalf("delete: %v", err)
	}
	await(t, store, "the deleted row goes", func(s kube.Snapshot) bool { return len(s.Rows) == 1 })
}

// case 4 (dashboard): the CRD is removed and added again.
func TestStoreSurvivesTheCRD(t *testing.T) {
	server := apiserver.New(t)
	client := newClient(t, server.Config())
	namespace := server.Namespace(t)
	create(t, client, namespace, "before")
	store := client.Watch(t.Context(), kube.Scope{})
	defer store.Close()
	await(t, store, "the row is there", func(s kube.Snapshot) bool { return isOK(s) && len(s.Rows) == 1 })

	crds := apiextensionsclient.NewForConfigOrDie(server.Config()).ApiextensionsV1().CustomResourceDefinitions()
	crd, err := crds.Get(t.Context(), "valkeys.database.kuberly.io", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := crds.Delete(t.Context(), crd.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	snapshot := await(t, store, "the CRD is missed", func(s kube.Snapshot) bool { return s.Err != nil && s.Err.Class == kube.ClassNoCRD })
	if len(snapshot.Rows) != 0 {
		t.Errorf("%d rows are left without a CRD", len(snapshot.Rows))
	}
	fresh := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: crd.Name, Annotations: crd.Annotations}, Spec: crd.Spec,
	}
	version := &fresh.Spec.Versions[0]
	version.AdditionalPrinterColumns = append(version.AdditionalPrinterColumns,
		apiextensionsv1.CustomResourceColumnDefinition{Name: "User", Type: "string", JSONPath: ".spec.user"})
	for {
		if _, err = crds.Create(t.Context(), fresh, metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
			break // the old one was still going
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	await(t, store, "the CRD is there again, with its new column", func(s kube.Snapshot) bool {
		return isOK(s) && s.Columns[len(s.Columns)-1].Name == "User"
	})
	create(t, client, namespace, "after")
	snapshot = await(t, store, "the new row is there", func(s kube.Snapshot) bool { return len(s.Rows) == 1 })
	if row := snapshot.Rows[0]; row.Name != "after" || row.Cells[len(row.Cells)-1].Text != "root" {
		t.Errorf("row %s with %v", row.Name, row.Cells)
	}
}

// case 5 and case 6 (dashboard): the API server is down, at start and later; the last known rows stay and are marked.
func TestStoreSurvivesTheAPIServer(t *testing.T) {
	server := apiserver.New(t)
	wire, config := newProxy(t, server.Config())
	client := newClient(t, config)
	namespace := server.Namespace(t)
	create(t, client, namespace, "app")
	wire.cut()

	store := client.Watch(t.Context(), kube.Scope{})
	defer store.Close()
	snapshot := await(t, store, "the outage at start shows", func(s kube.Snapshot) bool { return s.Err != nil })
	if snapshot.Err.Class != kube.ClassUnreachable || snapshot.Synced || snapshot.Stale || snapshot.RetryAt.IsZero() || len(snapshot.Columns) == 0 {
		t.Errorf("at start: %s", describe(snapshot))
	}
	wire.open(t)
	await(t, store, "the row is there", func(s kube.Snapshot) bool { return isOK(s) && len(s.Rows) == 1 })

	// The wire first: an API server does not stop while somebody watches.
	wire.cut()
	server.Stop(t)
	snapshot = await(t, store, "the outage shows", func(s kube.Snapshot) bool { return s.Err != nil })
	if !snapshot.Stale || len(snapshot.Rows) != 1 {
		t.Errorf("during the outage: %s", describe(snapshot))
	}
	server.Restart(t)
	wire.open(t)
	await(t, store, "the outage is over", func(s kube.Snapshot) bool { return isOK(s) && !s.Stale && len(s.Rows) == 1 })
	create(t, newClient(t, server.Config()), namespace, "later")
	await(t, store, "the watch goes on", func(s kube.Snapshot) bool { return len(s.Rows) == 2 })
}

// A connection that breaks and can be had again at once is no news: no banner, and nothing that happened meanwhile is missed.
func TestStoreGoesOnAfterABrokenConnection(t *testing.T) {
	server := apiserver.Shared(t)
	namespace := server.Namespace(t)
	wire, config := newProxy(t, server.Config())
	store := newClient(t, config).Watch(t.Context(), kube.Scope{Namespace: namespace})
	defer store.Close()
	await(t, store, "the list is there", isOK)
	direct := newClient(t, server.Config())
	for _, name := range []string{"a", "b", "c"} {
		wire.hiccup()
		create(t, direct, namespace, name)
		await(t, store, name+" is there", func(s kube.Snapshot) bool { return find(s, name) != nil })
	}
}

// A user who may not read the CRD gets the columns from the server's own table, also those that somebody added.
func TestStoreTakesColumnsFromATable(t *testing.T) {
	server := apiserver.New(t)
	namespace := server.Namespace(t)
	crds := apiextensionsclient.NewForConfigOrDie(server.Config()).ApiextensionsV1().CustomResourceDefinitions()
	crd, err := crds.Get(t.Context(), "valkeys.database.kuberly.io", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	version := &crd.Spec.Versions[0]
	version.AdditionalPrinterColumns = append(version.AdditionalPrinterColumns,
		apiextensionsv1.CustomResourceColumnDefinition{Name: "User", Type: "string", JSONPath: ".spec.user"})
	if _, err := crds.Update(t.Context(), crd, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	server.Grant(t, "viewer", namespace, rbacv1.PolicyRule{
		APIGroups: []string{"database.kuberly.io"}, Resources: []string{"valkeys"}, Verbs: []string{"list", "watch"},
	})
	create(t, newClient(t, server.Config()), namespace, "app")
	client := newClient(t, server.AddUser(t, "viewer"))
	isThere := func(s kube.Snapshot) bool {
		return isOK(s) && len(s.Rows) == 1 && s.Columns[len(s.Columns)-1].Name == "User"
	}
	for {
		// The server takes a moment to print by the new columns.
		store := client.Watch(t.Context(), kube.Scope{Namespace: namespace})
		snapshot := await(t, store, "the list is there", isOK)
		store.Close()
		if isThere(snapshot) {
			if cells := snapshot.Rows[0].Cells; cells[len(cells)-1].Text != "root" || cells[0].Text != "valkey/valkey:9.1" {
				t.Errorf("cells: %v", cells)
			}
			return
		}
		if t.Context().Err() != nil {
			t.Fatal("the new column never came")
		}
	}
}
