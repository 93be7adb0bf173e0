package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/config/crd"
)

// ours is the schema of the CRD of this repository.
func ours(t testing.TB) *Schema {
	t.Helper()
	object := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(crd.Valkeys, object); err != nil {
		t.Fatal(err)
	}
	s, err := New(object.Spec.Versions[0].Schema.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFieldsOfTheCRD(t *testing.T) {
	s := ours(t)
	var got []string
	kinds := map[Kind]string{Text: "text", Number: "number", Choice: "choice", Lines: "lines", YAML: "yaml"}
	for _, f := range s.Fields() {
		line := f.Path + " " + kinds[f.Kind]
		if f.Required {
			line += " required"
		}
		if f.Default != "" {
			line += " default " + f.Default
		}
		if len(f.Choices) > 0 {
			line += " of " + strings.Join(f.Choices, "|")
		}
		got = append(got, line)
	}
	want := []string{
		"spec.affinity yaml",
		"spec.config lines",
		"spec.image text required",
		"spec.imagePullPolicy choice default IfNotPresent of Always|IfNotPresent|Never",
		"spec.nodeSelector lines",
		"spec.password text",
		"spec.passwordSecretRef.key text default password",
		"spec.passwordSecretRef.name text",
		"spec.priorityClassName text",
		"spec.replicas number default 1",
		"spec.resource.cpu text required",
		"spec.resource.memory text required",
		"spec.resource.storage text",
		"spec.tolerations yaml",
		"spec.topologySpreadConstraints yaml",
		"spec.user text required",
		"spec.volume.enabled choice required of true|false",
		"spec.volume.reclaim choice default Delete of Delete|Retain",
		"spec.volume.storage text",
		"spec.volume.storageClassName text",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if f, _ := s.Field("spec.resource.memory"); f.MaxLength != 16 || !strings.Contains(f.Description, "at least 32Mi") {
		t.Errorf("memory is %+v", f)
	}
}

func TestCheckIsThatOfTheSchema(t *testing.T) {
	good := func() map[string]any {
		return map[string]any{
			"image": "valkey/valkey:9.1", "user": "root", "password": "x", "replicas": int64(1),
			"volume": map[string]any{"enabled": true, "storage": "1Gi"}, "resource": map[string]any{"cpu": "1", "memory": "64Mi"},
		}
	}
	s := ours(t)
	if problems := s.Check(good()); len(problems) > 0 {
		t.Errorf("a good spec is refused: %v", problems)
	}
	for name, test := range map[string]struct {
		change func(map[string]any)
		want   Problem
	}{
		"required":   {func(v map[string]any) { delete(v, "image") }, Problem{"spec.image", "a value is required"}},
		"a pattern":  {func(v map[string]any) { v["resource"] = map[string]any{"cpu": "1", "memory": "1Ti"} }, Problem{"spec.resource.memory", "should match '^[0-9]+[KMG]i$', e.g. 512Mi"}},
		"a maximum":  {func(v map[string]any) { v["replicas"] = int64(6) }, Problem{"spec.replicas", "should be less than or equal to 5"}},
		"an enum":    {func(v map[string]any) { v["imagePullPolicy"] = "Perhaps" }, Problem{"spec.imagePullPolicy", `should be one of [Always IfNotPresent Never]`}},
		"too long":   {func(v map[string]any) { v["user"] = strings.Repeat("a", 65) }, Problem{"spec.user", "should be at most 64 chars long"}},
		"a type":     {func(v map[string]any) { v["volume"] = map[string]any{"enabled": "perhaps"} }, Problem{"spec.volume.enabled", `must be of type boolean: "string"`}},
		"in a map":   {func(v map[string]any) { v["config"] = map[string]any{"save": "a\nb"} }, Problem{"spec.config.save", `should match '^[^\n\r\x00]*$'`}},
		"in a list":  {func(v map[string]any) { v["tolerations"] = "x" }, Problem{"spec.tolerations", `must be of type array: "string"`}},
		"an integer": {func(v map[string]any) { v["replicas"] = "many" }, Problem{"spec.replicas", `must be of type integer: "string"`}},
	} {
		t.Run(name, func(t *testing.T) {
			v := good()
			test.change(v)
			if diff := cmp.Diff([]Problem{test.want}, s.Check(v)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// A refusal by a rule on a whole part of the object belongs to the field that the rule speaks about.
func TestRefusalsOfRulesBelongToAField(t *testing.T) {
	s := ours(t)
	for _, test := range []struct{ path, message, want string }{
		{"", "the name may be at most 50 characters long: the names of its pods and Services are made of it", "metadata.name"},
		{"spec", "set exactly one of spec.password and spec.passwordSecretRef", "spec.password"},
		{"spec.user", "this user name is used by the operator itself: choose another", "spec.user"},
		{"spec.volume.storage", "a volume can grow but not shrink", "spec.volume.storage"},
		{"", "something else", ""},
	} {
		if got := s.FieldOf(test.path, test.message); got != test.want {
			t.Errorf("%q %q belongs to %q, want %q", test.path, test.message, got, test.want)
		}
	}
}

func TestValues(t *testing.T) {
	lines, number, choice, text, tree := Field{Kind: Lines}, Field{Kind: Number}, Field{Kind: Choice, Choices: []string{"true", "false"}}, Field{}, Field{Kind: YAML}
	for name, test := range map[string]struct {
		field Field
		text  string
		want  any
		back  string
	}{
		"lines":               {lines, "save: 900 1 300 10\n\nappendonly yes\nport:6379", map[string]any{"save": "900 1 300 10", "appendonly": "yes", "port": "6379"}, "appendonly: yes\nport: 6379\nsave: 900 1 300 10"},
		"a label":             {lines, "kubernetes.io/os: linux", map[string]any{"kubernetes.io/os": "linux"}, "kubernetes.io/os: linux"},
		"a number":            {number, " 3 ", int64(3), "3"},
		"yes and no":          {choice, "false", false, "false"},
		"text as it is":       {text, ` a"b\ #$'é`, ` a"b\ #$'é`, ` a"b\ #$'é`},
		"nothing":             {text, "  ", nil, ""},
		"YAML":                {tree, "- key: a\n  operator: Exists", []any{map[string]any{"key": "a", "operator": "Exists"}}, "- key: a\n  operator: Exists"},
		"what is no truth":    {choice, "perhaps", "perhaps", "perhaps"},
		"an empty directive":  {lines, "save:", map[string]any{"save": ""}, "save: "},
		"a value with colons": {lines, "notify-keyspace-events: a: b", map[string]any{"notify-keyspace-events": "a: b"}, "notify-keyspace-events: a: b"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := test.field.Parse(test.text)
			if err != nil || cmp.Diff(test.want, got) != "" {
				t.Errorf("got %#v, %v; want %#v", got, err, test.want)
			}
			if back := test.field.Format(got); back != test.back {
				t.Errorf("back it is %q, want %q", back, test.back)
			}
		})
	}
	for name, test := range map[string]struct {
		field Field
		text  string
		want  string
	}{
		"no number":   {number, "1.5", "must be a whole number"},
		"no pair":     {lines, "save", `"save" is not of the form key: value`},
		"a pair more": {lines, "a: 1\na: 2", "a stands there twice"},
		"no YAML":     {tree, "a: [", "is no YAML: line 1: did not find expected node content"},
	} {
		if _, err := test.field.Parse(test.text); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// case 12 (dashboard): a schema is text from the cluster.
func TestHostileSchemaIsCleaned(t *testing.T) {
	evil := "evil\x1b]0;pwned\x07\x1b[2J\r\n\u202e" + strings.Repeat("x", 1<<20)
	s, err := New(&apiextensionsv1.JSONSchemaProps{Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"spec": {Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"a\x1b[31m": {
				Type: "string", Description: evil, Default: &apiextensionsv1.JSON{Raw: []byte(`"\u001b[2J"`)},
				Enum: []apiextensionsv1.JSON{{Raw: []byte(`"\u001b]0;x\u0007"`)}},
			},
			"b": {Type: "object", XPreserveUnknownFields: new(true)},
			"c": {Type: "string", Pattern: "(((", Nullable: true},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Fields() {
		for _, text := range append([]string{f.Path, f.Description, f.Default}, f.Choices...) {
			if strings.ContainsAny(text, "\x1b\x07\r\n\u202e") || len(text) > maxDescription {
				t.Errorf("%q is not clean", text)
			}
		}
	}
	s.Check(map[string]any{"c": "x", "b": nil, "d": []any{1}}) // whatever it says, it returns
	if _, err := New(&apiextensionsv1.JSONSchemaProps{}); err == nil {
		t.Error("a schema without a spec is taken")
	}
}
