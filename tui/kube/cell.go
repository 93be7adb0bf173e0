package kube

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/client-go/util/jsonpath"

	"kuberly.io/valkey-operator/tui/clean"
)

// Compare orders two cells of one column: cells without a value first, then by what they mean, else by text.
func Compare(a, b Cell) int {
	if (a.Text == "") != (b.Text == "") {
		return cmp.Compare(len(a.Text), len(b.Text))
	}
	switch x := a.Sort.(type) {
	case float64:
		if y, ok := b.Sort.(float64); ok {
			return cmp.Compare(x, y)
		}
	case time.Time:
		if y, ok := b.Sort.(time.Time); ok {
			return x.Compare(y)
		}
	case bool:
		if y, ok := b.Sort.(bool); ok && x != y {
			if x {
				return 1
			}
			return -1
		}
	}
	return strings.Compare(a.Text, b.Text)
}

// printer makes the cells of one column as the API server and kubectl do.
type printer struct {
	kind       string
	fields     []string           // of a path of plain fields, which nearly all are
	path       *jsonpath.JSONPath // of any other
	isQuantity bool
}

func newPrinter(column Column) (*printer, error) {
	p := &printer{kind: column.Type}
	last := column.JSONPath[strings.LastIndexByte(column.JSONPath, '.')+1:]
	switch last {
	case "cpu", "memory", "storage", "ephemeral-storage", "size":
		p.isQuantity = true
	}
	if p.fields = plainFields(column.JSONPath); p.fields != nil {
		return p, nil
	}
	p.path = jsonpath.New(column.Name).AllowMissingKeys(true)
	if err := p.path.Parse("{" + column.JSONPath + "}"); err != nil {
		return nil, fmt.Errorf("column %s: %w", column.Name, err)
	}
	return p, nil
}

// plainFields splits a path such as .spec.resource.cpu, and is nil for one with brackets, quotes, filters or escapes.
func plainFields(path string) []string {
	if len(path) < 2 || path[0] != '.' {
		return nil
	}
	fields := strings.Split(path[1:], ".")
	for _, field := range fields {
		if field == "" || strings.ContainsFunc(field, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
		}) {
			return nil
		}
	}
	return fields
}

// value is what the path leads to; nil where it leads nowhere.
func (p *printer) value(object map[string]any) any {
	if p.path == nil {
		var value any = object
		for _, field := range p.fields {
			m, ok := value.(map[string]any)
			if !ok {
				return nil
			}
			value = m[field]
		}
		return value
	}
	results, err := p.path.FindResults(object)
	if err != nil || len(results) == 0 || len(results[0]) == 0 || !results[0][0].IsValid() {
		return nil
	}
	return results[0][0].Interface()
}

// cell prints one value.
func (p *printer) cell(object map[string]any, now time.Time) Cell {
	value := p.value(object)
	if value == nil {
		return Cell{}
	}
	switch p.kind {
	case "integer", "number":
		return numberCell(p.kind, value)
	case "boolean":
		if b, ok := value.(bool); ok {
			return Cell{Text: strconv.FormatBool(b), Sort: b}
		}
	case "date":
		return dateCell(value, now)
	case "string":
		return p.stringCell(value)
	}
	return Cell{}
}

func numberCell(kind string, value any) Cell {
	var f float64
	switch n := value.(type) {
	case int64:
		f = float64(n)
	case float64:
		f = n
	default:
		return Cell{}
	}
	if kind == "integer" {
		return Cell{Text: strconv.FormatInt(int64(f), 10), Sort: f}
	}
	return Cell{Text: fmt.Sprint(f), Sort: f}
}

func dateCell(value any, now time.Time) Cell {
	text, ok := value.(string)
	if !ok {
		return Cell{}
	}
	var stamp metav1.Time
	switch err := stamp.UnmarshalQueryParameter(text); {
	case err != nil:
		return Cell{Text: "<invalid>"}
	case stamp.IsZero():
		return Cell{Text: "<unknown>"}
	}
	return Cell{Text: age(stamp.Time, now), Sort: stamp.Time}
}

func (p *printer) stringCell(value any) Cell {
	text, ok := value.(string)
	if !ok {
		var buffer bytes.Buffer
		// The path is not looked at by PrintResults: any will do.
		if err := jsonpath.New("").PrintResults(&buffer, []reflect.Value{reflect.ValueOf(value)}); err != nil {
			return Cell{}
		}
		text = buffer.String()
	}
	cell := Cell{Text: firstLine(text)}
	if p.isQuantity {
		if q, err := resource.ParseQuantity(text); err == nil {
			cell.Sort = q.AsApproximateFloat64()
		}
	}
	return cell
}

// firstLine cuts a text at its first line break, as kubectl's tables do, and cleans it.
func firstLine(text string) string {
	if i := strings.IndexAny(text, "\f\n\r"); i >= 0 {
		text = text[:i] + "..."
	}
	return clean.Text(text)
}

// age is the time since at as kubectl prints it.
func age(at, now time.Time) string { return duration.HumanDuration(now.Sub(at)) }
