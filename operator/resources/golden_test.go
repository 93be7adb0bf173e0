package resources_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/operator/resources"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden shows every object that a Valkey becomes. Run it with -update after a change that is meant, and read the
// difference.
func TestGolden(t *testing.T) {
	for name, v := range variants() {
		t.Run(name, func(t *testing.T) { golden(t, name, objects(v)...) })
	}
	retained := variants()["retained-of-a-class"]
	t.Run("what is left behind and what is stopped", func(t *testing.T) {
		golden(t, "left-behind", resources.RetainedClaim(retained, 2), resources.Deployment(retained, 2, true))
	})
}

func golden(t *testing.T, name string, objects ...resources.Object) {
	t.Helper()
	var got bytes.Buffer
	for _, o := range objects {
		text, err := yaml.Marshal(readable(o))
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString("---\n")
		got.Write(text)
	}
	file := filepath.Join("testdata", name+".yaml")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s -want +got:\n%s", file, diff)
	}
}

// readable writes the data of a Secret out.
func readable(o resources.Object) resources.Object {
	s, ok := o.(*corev1.Secret)
	if !ok {
		return o
	}
	s = s.DeepCopy()
	s.StringData = map[string]string{}
	for key, value := range s.Data {
		s.StringData[key] = string(value)
	}
	s.Data = nil
	return s
}
