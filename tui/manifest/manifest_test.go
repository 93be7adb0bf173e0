package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const app = `apiVersion: database.kuberly.io/v1alpha1
kind: Valkey
metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"password":"geheim"}}'
    team: a
  creationTimestamp: "2026-01-01T00:00:00Z"
  generation: 3
  managedFields: [{manager: x}]
  name: app
  namespace: shop
  resourceVersion: "7"
  uid: u-1
spec:
  config:
    maxclients: "100"
  image: valkey/valkey:9.0
  password: geheim
  replicas: 2
  resource: {cpu: "1", memory: 64Mi}
  user: root
  volume: {enabled: true, storage: 1Gi}
status:
  status: running
`

func object(t testing.TB, changes ...string) *unstructured.Unstructured {
	t.Helper()
	text := strings.NewReplacer(changes...).Replace(app)
	objects, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return objects[0]
}

func TestEditedTextHoldsNeitherSecretsNorWhatTheServerWrites(t *testing.T) {
	live := object(t)
	text, err := Edit(live, "refused: spec.image: no\x1b[2J")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"geheim", "managedFields", "resourceVersion", "uid", "status", "last-applied", "\x1b"} {
		if strings.Contains(text, word) {
			t.Errorf("%q stands in\n%s", word, text)
		}
	}
	for _, word := range []string{"# refused: spec.image: no", "<hidden>", "team: a", "image: valkey/valkey:9.0"} {
		if !strings.Contains(text, word) {
			t.Errorf("%q is missing in\n%s", word, text)
		}
	}
	same, err := ReadEdited(text, live)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(live.Object, same.Object); diff != "" {
		t.Errorf("unchanged, it is another object (-live +read):\n%s", diff)
	}
	if again := Annotate(text, "shop/app", "another note"); Body(again) != Body(text) || strings.Contains(again, "refused") {
		t.Errorf("with other notes the text is\n%s", again)
	}
	changed, err := ReadEdited(strings.Replace(text, "password: |\n    <hidden>", "password: other", 1), live)
	if err != nil {
		t.Fatal(err)
	}
	if password, _ := Password(changed); password != "other" {
		t.Errorf("a password that was written is %q", password)
	}
}

func TestEditedTextThatCannotBe(t *testing.T) {
	live := object(t)
	text, err := Edit(live)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ from, to, want string }{
		"another name":     {"name: app", "name: other", "its name is shop/other now, and it was shop/app: a name cannot change"},
		"no YAML":          {"  user: root", "  user: [", "document 1: line "},
		"a key twice":      {"  user: root", "  user: root\n  user: admin", `document 1: line 22: key "user" already set in map`},
		"another kind":     {"kind: Valkey", "kind: Secret", `document 1: Secret "app" is no Valkey: only manifests of kind Valkey (apiVersion database.kuberly.io/v1alpha1) are taken`},
		"a second object":  {"spec:", "spec: {}\n---\napiVersion: database.kuberly.io/v1alpha1\nkind: Valkey\nmetadata: {name: b}\nspec:", "it holds 2 objects: one was to be edited"},
		"nothing":          {Body(text), "", "there is no Valkey in it"},
		"a name of digits": {"name: app", "name: 5", "document 1: metadata.name is no text"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadEdited(strings.Replace(text, test.from, test.to, 1), live)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
	bare := live.DeepCopy()
	SetPassword(bare, "")
	if _, err := ReadEdited(text, bare); err == nil || !strings.Contains(err.Error(), "has no password to keep") {
		t.Errorf("a mark for a password that there is none: %v", err)
	}
}

func TestRead(t *testing.T) {
	one := "apiVersion: database.kuberly.io/v1alpha1\nkind: Valkey\nmetadata: {name: a}\nspec: {replicas: 1}\n"
	for name, test := range map[string]struct {
		text, want string
		names      []string
	}{
		"several documents":   {"# a comment\n---\n" + one + "---\n" + strings.ReplaceAll(one, "name: a", "name: b"), "", []string{"a", "b"}},
		"JSON":                {`{"apiVersion":"database.kuberly.io/v1alpha1","kind":"Valkey","metadata":{"name":"j"},"spec":{}}`, "", []string{"j"}},
		"a list":              {`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"database.kuberly.io/v1alpha1","kind":"Valkey","metadata":{"name":"j"},"spec":{}}]}`, "", []string{"j"}},
		"a foreign document":  {one + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n", `document 2: Secret "s" is no Valkey: only manifests of kind Valkey (apiVersion database.kuberly.io/v1alpha1) are taken`, nil},
		"a foreign item":      {`{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","apiVersion":"v1"}]}`, `document 1: item 1 of the list: Pod "" is no Valkey: only manifests of kind Valkey (apiVersion database.kuberly.io/v1alpha1) are taken`, nil},
		"another version":     {strings.ReplaceAll(one, "v1alpha1", "v9"), `document 1: the Valkey "a" has the apiVersion database.kuberly.io/v9, and only database.kuberly.io/v1alpha1 is known`, nil},
		"empty":               {"\n---\n", "there is no Valkey in it", nil},
		"text":                {"hello", "document 1: it is no object: a manifest begins with apiVersion and kind", nil},
		"no kind":             {"a: b", "document 1: it has no kind: a manifest begins with apiVersion and kind", nil},
		"no name":             {"apiVersion: database.kuberly.io/v1alpha1\nkind: Valkey\nspec: {}", "document 1: a Valkey without a name: metadata.name is missing", nil},
		"no spec":             {"apiVersion: database.kuberly.io/v1alpha1\nkind: Valkey\nmetadata: {name: a}", `document 1: the Valkey "a" has no spec`, nil},
		"text in place of it": {"apiVersion: database.kuberly.io/v1alpha1\nkind: Valkey\nmetadata: no", "document 1: a Valkey without a name: metadata.name is missing", nil},
	} {
		t.Run(name, func(t *testing.T) {
			objects, err := Read([]byte(test.text))
			message := ""
			if err != nil {
				message = err.Error()
			}
			var names []string
			for _, o := range objects {
				names = append(names, o.GetName())
			}
			if message != test.want || cmp.Diff(test.names, names) != "" {
				t.Errorf("got %v, %q; want %v, %q", names, message, test.names, test.want)
			}
		})
	}
}

func TestDiff(t *testing.T) {
	signs := map[Op]string{Same: "  ", Added: "+ ", Removed: "- ", Gap: "..."}
	diff := func(before, after *unstructured.Unstructured) string {
		lines, err := Diff(before, after)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for _, l := range lines {
			out.WriteString(signs[l.Op] + l.Text + "\n")
		}
		return out.String()
	}
	want := `...
  spec:
    config:
      maxclients: "100"
-   image: valkey/valkey:9.0
-   password: '*** (before)'
-   replicas: 2
+   image: valkey/valkey:9.1
+   password: '*** (after)'
+   replicas: 3
    resource:
      cpu: "1"
      memory: 64Mi
`
	after := object(t, "9.0", "9.1", "replicas: 2", "replicas: 3", "geheim", "anders", "status: running", "status: failed")
	if got := diff(object(t), after); got != want {
		t.Errorf("-want +got\n%s", cmp.Diff(want, got))
	}
	if got := diff(object(t), object(t, "resourceVersion: \"7\"", "resourceVersion: \"8\"")); got != "" {
		t.Errorf("what the server writes is a change:\n%s", got)
	}
	if got := diff(nil, object(t)); !strings.Contains(got, "+   password: '***'\n") || strings.Contains(got, "  image") && !strings.Contains(got, "+   image") {
		t.Errorf("a new one:\n%s", got)
	}
	// Whatever type somebody gave it.
	if got := diff(object(t), object(t, "password: geheim", "password: 4711")); strings.Contains(got, "4711") || strings.Contains(got, "geheim") {
		t.Errorf("a password is told:\n%s", got)
	}
}

func TestRebaseKeepsWhatBothChanged(t *testing.T) {
	base := object(t)
	wanted := object(t, "9.0", "9.1", `    maxclients: "100"`, `    save: ""`)
	live := object(t, "replicas: 2", "replicas: 4", `maxclients: "100"`, `maxclients: "200"`, `resourceVersion: "7"`, `resourceVersion: "9"`, "status: running", "status: failed")
	merged, err := Rebase(base, wanted, live)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range Changes(live, merged) {
		got = append(got, c.String())
	}
	want := []string{"spec.config.maxclients: 200 -> nothing", `spec.config.save: nothing -> ""`, "spec.image: valkey/valkey:9.0 -> valkey/valkey:9.1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the change on the new version (-want +got):\n%s", diff)
	}
	if merged.GetResourceVersion() != "9" || merged.Object["status"].(map[string]any)["status"] != "failed" {
		t.Error("what the server writes is not that of the new version")
	}
	if replicas, _, _ := unstructured.NestedInt64(merged.Object, "spec", "replicas"); replicas != 4 {
		t.Errorf("%d replicas: what others changed is lost", replicas)
	}
}
