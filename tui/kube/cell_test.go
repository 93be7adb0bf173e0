package kube

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func TestCells(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	fields := map[string]any{
		"text": "x", "lines": "one\ntwo", "hostile": "a\x1b[31mb\u202e", "whole": int64(3), "real": 2.5, "yes": true,
		"date": "2026-01-02T11:00:00Z", "list": []any{"a", "b"}, "map": map[string]any{"k": "v", "dotted.key": "d"}, "cpu": "200m", "null": nil,
	}
	for name, tc := range map[string]struct {
		column Column
		want   string
		sort   any
	}{
		"a string":                        {Column{Type: "string", JSONPath: ".text"}, "x", nil},
		"the first of several lines":      {Column{Type: "string", JSONPath: ".lines"}, "one...", nil},
		"hostile text":                    {Column{Type: "string", JSONPath: ".hostile"}, "ab", nil},
		"a number as a string":            {Column{Type: "string", JSONPath: ".whole"}, "3", nil},
		"a list as a string":              {Column{Type: "string", JSONPath: ".list"}, `["a","b"]`, nil},
		"one of a list":                   {Column{Type: "string", JSONPath: ".list[1]"}, "b", nil},
		"the first of many":               {Column{Type: "string", JSONPath: ".list[*]"}, "a", nil},
		"a key with a dot":                {Column{Type: "string", JSONPath: `.map.dotted\.key`}, "d", nil},
		"a quantity":                      {Column{Type: "string", JSONPath: ".cpu"}, "200m", 0.2},
		"an integer":                      {Column{Type: "integer", JSONPath: ".whole"}, "3", 3.0},
		"an integer that is a real":       {Column{Type: "integer", JSONPath: ".real"}, "2", 2.5},
		"a number":                        {Column{Type: "number", JSONPath: ".real"}, "2.5", 2.5},
		"a boolean":                       {Column{Type: "boolean", JSONPath: ".yes"}, "true", true},
		"a date":                          {Column{Type: "date", JSONPath: ".date"}, "60m", now.Add(-time.Hour)},
		"a date that is none":             {Column{Type: "date", JSONPath: ".text"}, "<invalid>", nil},
		"a boolean that is none":          {Column{Type: "boolean", JSONPath: ".text"}, "", nil},
		"an integer that is none":         {Column{Type: "integer", JSONPath: ".text"}, "", nil},
		"nothing":                         {Column{Type: "string", JSONPath: ".missing.deeply"}, "", nil},
		"nothing, by a path with a index": {Column{Type: "string", JSONPath: ".missing[0].deeply"}, "", nil},
		"null":                            {Column{Type: "string", JSONPath: ".null"}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := newPrinter(tc.column)
			if err != nil {
				t.Fatal(err)
			}
			cell := p.cell(fields, now)
			if diff := cmp.Diff(Cell{Text: tc.want, Sort: tc.sort}, cell); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
	if _, err := newPrinter(Column{JSONPath: ".a[?("}); err == nil {
		t.Error("a path that is none is taken")
	}
	if set := newColumnSet([]Column{{Name: "bad", JSONPath: ".a[?("}, {Name: "good", Type: "string", JSONPath: ".a"}}); len(set.columns) != 1 {
		t.Errorf("a column that cannot be printed is kept: %v", set.columns)
	}
}

func TestCompare(t *testing.T) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for name, order := range map[string][]Cell{
		"text":       {{}, {Text: "a"}, {Text: "b"}},
		"numbers":    {{}, {Text: "9", Sort: 9.0}, {Text: "10", Sort: 10.0}},
		"quantities": {{Text: "200m", Sort: 0.2}, {Text: "1", Sort: 1.0}, {Text: "2.5", Sort: 2.5}},
		"dates":      {{Text: "2d", Sort: at}, {Text: "1d", Sort: at.Add(time.Hour)}},
		"booleans":   {{Text: "false", Sort: false}, {Text: "true", Sort: true}},
	} {
		shuffled := slices.Clone(order)
		slices.Reverse(shuffled)
		slices.SortFunc(shuffled, Compare)
		if diff := cmp.Diff(order, shuffled); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// The copy that is compiled in says what the CRD says.
func TestBuiltinColumnsAreThoseOfTheCRD(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "config", "crd", "bases", "database.kuberly.io_valkeys.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	crd := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(data, &crd.Object); err != nil {
		t.Fatal(err)
	}
	columns, err := columnsOf(crd)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(columns, builtin); diff != "" {
		t.Errorf("-CRD +builtin\n%s", diff)
	}
}

// case 12 (dashboard): a name, a label, a status that drive a terminal are cleaned on their way into a row.
func TestRowsAreClean(t *testing.T) {
	o := unstructuredValkey("x\x1b]0;t\x07", "1", "2026-01-02T03:04:05Z")
	o.Object["status"] = map[string]any{"status": "run\x1b[2Jning", "error": "bad\r\nthing\u202e"}
	row := newRow(o, newColumnSet(builtin), time.Now())
	if row.Name != "x" || row.Status != "running" || row.Error != "bad thing" {
		t.Errorf("name %q, status %q, error %q", row.Name, row.Status, row.Error)
	}
	for _, cell := range row.Cells {
		for _, r := range cell.Text {
			if r < 0x20 || r == 0x202e {
				t.Errorf("cell %q", cell.Text)
			}
		}
	}
}
