package manifest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/clean"
)

// Op says what becomes of a line.
type Op int

// Ops.
const (
	Same Op = iota
	Added
	Removed
	Gap // lines that are the same are left out here
)

// Line is one line of a comparison, cleaned.
type Line struct {
	Op   Op
	Text string
}

// context is how many lines stand around a change.
const context = 3

// Marks for passwords, as kubectl diff has them for Secrets.
const (
	anyPassword = "***"
	oldPassword = "*** (before)"
	newPassword = "*** (after)"
)

// Diff compares what a person can wish of two objects; nil is none. No password is in it, only whether it changes.
func Diff(before, after *unstructured.Unstructured) ([]Line, error) {
	before, after = masked(before, after)
	a, err := text(before)
	if err != nil {
		return nil, err
	}
	b, err := text(after)
	if err != nil {
		return nil, err
	}
	a, b = clean.Block(a), clean.Block(b)
	unified, err := udiff.ToUnifiedDiff("", "", a, udiff.Lines(a, b), context)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	var lines []Line
	end := 1
	for _, hunk := range unified.Hunks {
		if hunk.FromLine > end {
			lines = append(lines, Line{Op: Gap})
		}
		end = hunk.FromLine
		for _, l := range hunk.Lines {
			op := Same
			switch l.Kind {
			case udiff.Delete:
				op = Removed
			case udiff.Insert:
				op = Added
			case udiff.Equal:
			}
			if op != Added {
				end++
			}
			lines = append(lines, Line{Op: op, Text: strings.TrimSuffix(l.Content, "\n")})
		}
	}
	return lines, nil
}

// masked are the visible parts, with marks in the places of passwords.
func masked(before, after *unstructured.Unstructured) (a, b *unstructured.Unstructured) {
	markA, markB := anyPassword, anyPassword
	if before != nil && after != nil {
		a, hasA := Password(before)
		b, hasB := Password(after)
		if hasA && hasB && a != b {
			markA, markB = oldPassword, newPassword
		}
	}
	mask := func(object *unstructured.Unstructured, mark string) *unstructured.Unstructured {
		if object == nil {
			return nil
		}
		seen := Visible(object)
		if _, ok := Password(seen); ok {
			SetPassword(seen, mark)
		}
		return seen
	}
	return mask(before, markA), mask(after, markB)
}

// Change is a field that two objects differ in. What is not there is "".
type Change struct {
	Path          string
	Before, After string
}

// String is, for example: spec.image: valkey/valkey:9.0 -> valkey/valkey:9.1.
func (c Change) String() string {
	words := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return s
	}
	return c.Path + ": " + words(c.Before) + " -> " + words(c.After)
}

// Changes are the fields of what a person can wish in which two objects differ, by their paths. No password is in them.
func Changes(before, after *unstructured.Unstructured) []Change {
	before, after = masked(before, after)
	var changes []Change
	compare("", before.Object, after.Object, &changes)
	return changes
}

func compare(path string, a, b any, changes *[]Change) {
	mapA, isA := a.(map[string]any)
	mapB, isB := b.(map[string]any)
	if (isA || a == nil) && (isB || b == nil) && (isA || isB) {
		keys := slices.Collect(maps.Keys(mapA))
		for key := range mapB {
			if _, both := mapA[key]; !both {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			compare(strings.TrimPrefix(path+"."+clean.Text(key), "."), mapA[key], mapB[key], changes)
		}
		return
	}
	if !reflect.DeepEqual(a, b) {
		*changes = append(*changes, Change{Path: path, Before: short(a), After: short(b)})
	}
}

// maxValue is how much of a value is told, in characters.
const maxValue = 60

func short(value any) string {
	text := ""
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		if text = v; v == "" || strings.TrimSpace(v) != v {
			text = strconv.Quote(v)
		}
	default:
		text = fmt.Sprint(v)
	}
	text = clean.Text(text)
	if runes := []rune(text); len(runes) > maxValue {
		return string(runes[:maxValue]) + "..."
	}
	return text
}
