package create

import (
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestChecks(t *testing.T) {
	long := strings.Repeat("a", 600)
	tests := map[string]struct {
		check   func(string) error
		good    []string
		refused []string
	}{
		"name":      {checkName, []string{"a", "app-db", "a1", long[:50]}, []string{"", "A", "1a", "a-", "a_b", long[:51], "a-replicas", "a-nodes", "a-internal", "a-observer", "a-node-0"}},
		"namespace": {checkNamespace, []string{"a", "1a", long[:63]}, []string{"", "A", "-a", "a-", long[:64], "a.b"}},
		"image":     {checkImage, []string{"valkey/valkey", "example.org:5000/v@sha256:abc", long[:512]}, []string{"", "a b", long[:513]}},
		"user":      {checkUser, []string{"root", "default", "a.b-c_D1", long[:64]}, []string{"", "a b", "ü", long[:65], "kuberly-operator", "kuberly-probe", "kuberly-replication", "kuberly-observer"}},
		"password":  {checkPassword, []string{"", `a"b\ #$'é`, long[:512]}, []string{"a\nb", "a\x00b", long[:513], strings.Repeat("é", 257)}},
		"servers":   {checkReplicas, []string{"0", "1", "5"}, []string{"", "6", "-1", "01", "+1", "a", "1.0"}},
		"memory":    {checkMemory, []string{"32Mi", "1Gi", "32768Ki"}, []string{"", "31Mi", "1G", "1Ti", "0Gi", "-1Gi", "1.5Gi", "11111111111111111Gi"}},
		"cpu":       {checkCPU, []string{"200m", "1", "2.5", "0.125"}, []string{"", "0", "0m", "0.0", "1.", ".5", "1.2345", "-1", "1k"}},
		"storage":   {checkStorage, []string{"512Mi", "1Gi", "2Ti"}, []string{"", "0Gi", "1Ki", "1G", "1.5Gi"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, s := range test.good {
				if err := test.check(s); err != nil {
					t.Errorf("%q is refused: %v", s, err)
				}
			}
			for _, s := range test.refused {
				if err := test.check(s); err == nil {
					t.Errorf("%q is taken", s)
				}
			}
		})
	}
}

// The checks are those of the API: the patterns and bounds are the CRD's own.
func TestChecksAreThoseOfTheCRD(t *testing.T) {
	data, err := os.ReadFile("../../../config/crd/bases/database.kuberly.io_valkeys.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var crd map[string]any
	if err := yaml.Unmarshal(data, &crd); err != nil {
		t.Fatal(err)
	}
	spec := dig(t, crd, "spec", "versions", "0", "schema", "openAPIV3Schema", "properties", "spec", "properties")
	for _, test := range []struct {
		path []string
		key  string
		want any
	}{
		{[]string{"image"}, "pattern", imagePattern.String()},
		{[]string{"image"}, "maxLength", float64(maxImage)},
		{[]string{"user"}, "pattern", userPattern.String()},
		{[]string{"user"}, "maxLength", float64(maxUser)},
		{[]string{"password"}, "maxLength", float64(maxPassword)},
		{[]string{"replicas"}, "maximum", float64(maxReplicas)},
		{[]string{"replicas"}, "minimum", float64(0)},
		{[]string{"resource", "properties", "memory"}, "pattern", memoryPattern.String()},
		{[]string{"resource", "properties", "memory"}, "maxLength", float64(maxQuantity)},
		{[]string{"resource", "properties", "cpu"}, "pattern", cpuPattern.String()},
		{[]string{"resource", "properties", "storage"}, "pattern", storagePattern.String()},
		{[]string{"volume", "properties", "storage"}, "pattern", storagePattern.String()},
	} {
		if got := dig(t, spec, test.path...)[test.key]; got != test.want {
			t.Errorf("%s %s is %v in the CRD and %v here", strings.Join(test.path, "."), test.key, got, test.want)
		}
	}
	for _, rule := range []string{
		"size(self.metadata.name) <= 50", "matches('" + namePattern.String() + "')", "matches('" + childPattern.String() + "')", "quantity('" + minMemory + "')",
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(data)), " "), strings.ReplaceAll(rule, "'", "''")) &&
			!strings.Contains(strings.Join(strings.Fields(string(data)), " "), rule) {
			t.Errorf("the CRD has no rule with %s", rule)
		}
	}
}

// dig goes down into maps and the first element of lists.
func dig(t *testing.T, from any, path ...string) map[string]any {
	t.Helper()
	for _, p := range path {
		switch at := from.(type) {
		case map[string]any:
			from = at[p]
		case []any:
			from = at[0]
		}
	}
	found, isMap := from.(map[string]any)
	if !isMap {
		t.Fatalf("the CRD has no %s", strings.Join(path, "."))
	}
	return found
}
