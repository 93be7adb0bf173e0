package v1alpha1_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestReasonsAreDocumented: what scripts may wait for, and people may have to look up, stands in docs/conditions.md.
func TestReasonsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/conditions.md")
	if err != nil {
		t.Fatal(err)
	}
	for file, prefixes := range map[string][]string{
		"conditions.go":                       {"Reason", "Condition"},
		"../../operator/controller/events.go": {"event"},
	} {
		found := 0
		for name, value := range constants(t, file, prefixes) {
			found++
			if !strings.Contains(string(page), "| `"+value+"`") {
				t.Errorf("%s (%s of %s) has no row in docs/conditions.md", value, name, file)
			}
		}
		if found < 5 && file != "conditions.go" || found < 20 && file == "conditions.go" {
			t.Errorf("only %d constants were found in %s", found, file)
		}
	}
}

// constants are the string constants of a file whose names begin with one of the prefixes.
func constants(t *testing.T, file string, prefixes []string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		for _, prefix := range prefixes {
			if strings.HasPrefix(spec.Names[0].Name, prefix) {
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				found[spec.Names[0].Name] = value
			}
		}
		return true
	})
	return found
}
