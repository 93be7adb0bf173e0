package main

import (
	"bufio"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"kuberly.io/valkey-operator/tui/kube"
)

// On a terminal an apply asks before a claim goes, and only then.
func TestApplyAsksBeforeAClaimGoes(t *testing.T) {
	object := func(replicas int64) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "database.kuberly.io/v1alpha1", "kind": "Valkey", "metadata": map[string]any{"name": "app", "namespace": "shop"},
			"spec": map[string]any{"replicas": replicas, "volume": map[string]any{"enabled": true, "storage": "1Gi", "reclaim": "Delete"}},
		}}
	}
	for name, tc := range map[string]struct {
		to      int64
		answers string
		yes     bool
		asks    int
		refused bool
	}{
		"yes":                      {2, "y\n", false, 1, false},
		"no":                       {2, "no\n", false, 1, true},
		"no word, then yes":        {2, "what\nYES\n", false, 2, false},
		"nobody is there":          {2, "", false, 1, true},
		"it is said before":        {2, "", true, 0, false},
		"nothing goes, so no word": {4, "", false, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			var errOut strings.Builder
			a := &applying{program: &program{IOStreams: genericiooptions.IOStreams{ErrOut: &errOut}}, o: applyOptions{dryRun: dryRunNone}, many: true}
			if !tc.yes {
				a.answers = bufio.NewReader(strings.NewReader(tc.answers))
			}
			err := a.announce(kube.ApplyResult{Before: object(3), After: object(tc.to)})
			if (err != nil) != tc.refused {
				t.Errorf("refused: %v", err)
			}
			if n := strings.Count(errOut.String(), "Apply it?"); n != tc.asks {
				t.Errorf("it asks %d times, want %d:\n%s", n, tc.asks, errOut.String())
			}
			if !strings.Contains(errOut.String(), "# valkey/app: ") {
				t.Errorf("what it does is not told:\n%s", errOut.String())
			}
		})
	}
}
