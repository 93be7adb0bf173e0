package kube

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// allowed says in words what a pattern of the CRD says in signs.
var allowed = map[string]string{
	"spec.image":           "an image has no spaces, e.g. valkey/valkey:9.1",
	"spec.user":            "a user name is 1 to 64 of letters, digits, _ . and -",
	"spec.volume.storage":  "a size is a whole number and Mi, Gi or Ti, e.g. 1Gi",
	"spec.resource.memory": "memory is a whole number and Ki, Mi or Gi, e.g. 512Mi, at least 32Mi",
	"spec.resource.cpu":    "cpu is cores or thousandths of one, e.g. 200m, 1 or 2.5, above zero",
	// The same pattern as that of the volume.
	"spec.resource.storage": "a size is a whole number and Mi, Gi or Ti, e.g. 1Gi",
}

// nameRule is the first rule of the CRD for a name: Kubernetes' own, which it is refused by before, would allow what this one does not.
const nameRule = "the name must be lower case letters, digits and dashes, start with a letter and end with a letter or digit"

// namespaceRule is that of Kubernetes for a label, in words.
const namespaceRule = "the name of a namespace is lower case letters, digits and dashes, starts and ends with a letter or digit, and has at most 63"

// explainInvalid turns each refused value into one clause.
func explainInvalid(status metav1.Status) *Problem {
	p := &Problem{Class: ClassInvalid, Message: status.Message}
	if status.Details == nil || len(status.Details.Causes) == 0 {
		return p
	}
	seen := map[FieldProblem]bool{}
	for _, cause := range status.Details.Causes {
		if cause.Type == metav1.CauseTypeUnexpectedServerResponse {
			continue
		}
		field := fieldProblem(cause)
		if field.Path == "metadata.name" && strings.EqualFold(strings.TrimSuffix(status.Details.Kind, "s"), "namespace") {
			field.Path, field.Message = "namespace", namespaceRule
		}
		if isEcho(cause) || seen[field] {
			continue
		}
		seen[field] = true
		p.Fields = append(p.Fields, field)
		if isNameTooLong(field) {
			p.Class = ClassNameTooLong
		}
	}
	if len(p.Fields) > 0 {
		p.Message = clausesOf(p.Fields)
	}
	return p
}

// clausesOf is a clause for each value that was refused: two fields that were refused the same for the same reason share one, and of one
// value the first reason is enough.
func clausesOf(fields []FieldProblem) string {
	var said []FieldProblem
	for _, f := range fields {
		at := slices.IndexFunc(said, func(s FieldProblem) bool {
			return f.Value != "" && s.Value == f.Value && (s.Path == f.Path || s.Message == f.Message)
		})
		switch {
		case at < 0:
			said = append(said, f)
		case said[at].Path != f.Path:
			said[at].Path = min(f.Path, said[at].Path) + " and " + max(f.Path, said[at].Path) // the server tells them in any order
		}
	}
	clauses := make([]string, len(said))
	for i, f := range said {
		clauses[i] = f.String()
	}
	return strings.Join(clauses, "; ")
}

// typedPatch is how the API server refuses a server-side apply of what does not fit the schema; each line names a field and what is wrong.
var (
	typedPatch = regexp.MustCompile(`(?s)^failed to create typed patch object \([^)]*\): (?:errors:)?(.*)$`)
	patchField = regexp.MustCompile(`(?m)^\s*\.(\S+): (.*)$`)
	gotValue   = regexp.MustCompile(`, got &value\..*$`)
)

// explainTypedPatch leaves out the value, which may be a password: there is no telling from the outside how it ends.
func explainTypedPatch(message string) *Problem {
	m := typedPatch.FindStringSubmatch(message)
	if m == nil {
		return nil
	}
	p := &Problem{Class: ClassInvalid}
	var clauses []string
	for _, line := range patchField.FindAllStringSubmatch(m[1], -1) {
		f := FieldProblem{Path: line[1], Message: gotValue.ReplaceAllString(line[2], "")}
		if f.Message == "field not declared in schema" {
			f.Message = "there is no such field"
		}
		p.Fields = append(p.Fields, f)
		clauses = append(clauses, f.String())
	}
	p.Message = strings.Join(clauses, "; ")
	if len(clauses) == 0 {
		p.Message = "the manifest does not fit the schema"
	}
	return p
}

// String is, for example: spec.replicas: 9 is refused: should be less than or equal to 5.
func (f FieldProblem) String() string {
	switch {
	case f.Path == "":
		return f.Message
	case f.Value == "":
		return f.Path + ": " + f.Message
	default:
		return f.Path + ": " + strconv.Quote(f.Value) + " is refused: " + f.Message
	}
}

// isEcho reports whether the cause only says that rules were left unchecked because of another cause.
func isEcho(cause metav1.StatusCause) bool {
	return strings.Contains(cause.Message, "some validation rules were not checked")
}

func isNameTooLong(f FieldProblem) bool {
	return (f.Path == "metadata.name" || f.Path == "") &&
		(strings.Contains(f.Message, "at most 50 characters") || strings.Contains(f.Message, "must be no more than"))
}

// refusal is how the API server begins the message of a cause.
var refusal = regexp.MustCompile(`^(Invalid value|Unsupported value|Required value|Duplicate value|Forbidden|Too long|Too many|Not found|Internal error)(?:: )?`)

func fieldProblem(cause metav1.StatusCause) FieldProblem {
	f := FieldProblem{Path: strings.TrimPrefix(strings.TrimPrefix(cause.Field, "<nil>"), "."), Message: cause.Message}
	if m := refusal.FindStringSubmatch(cause.Message); m != nil {
		rest := cause.Message[len(m[0]):]
		switch m[1] {
		case "Invalid value", "Unsupported value", "Duplicate value", "Not found":
			f.Value, rest = cutValue(rest)
		case "Required value":
			if rest == "" {
				rest = "a value is required"
			}
		}
		f.Message = rest
		if f.Message == "" {
			f.Message = strings.ToLower(m[1])
		}
	}
	f.Message = strings.TrimPrefix(f.Message, f.Path+" in body ")
	f.Message = strings.TrimPrefix(f.Message, f.Path+": ")
	if words, ok := allowed[f.Path]; ok && strings.Contains(f.Message, "should match") {
		f.Message = words
	}
	if f.Path == "metadata.name" && strings.Contains(f.Message, "RFC 1123") {
		f.Message = nameRule
	}
	if !isTellable(f) {
		f.Value = ""
	}
	return f
}

// bareValue is a value that the API server does not quote. A message without a value, which rules on a whole object have, is none.
var bareValue = regexp.MustCompile(`^(-?[0-9][0-9.e+-]*|true|false|null|[{\[].*|map\[.*)$`)

// cutValue splits `"value": message` and `value: message`. The value is quoted where it is a string.
func cutValue(s string) (value, message string) {
	if quoted, err := strconv.QuotedPrefix(s); err == nil {
		if text, err := strconv.Unquote(quoted); err == nil {
			return shortened(text), strings.TrimPrefix(s[len(quoted):], ": ")
		}
	}
	value, message, found := strings.Cut(s, ": ")
	if !found || !bareValue.MatchString(value) {
		return "", s
	}
	return shortened(value), message
}

// maxValue is how much of a refused value is repeated.
const maxValue = 60

func shortened(s string) string {
	if utf8.RuneCountInString(s) <= maxValue {
		return s
	}
	return string([]rune(s)[:maxValue]) + "..."
}

// isTellable reports whether the value is worth repeating: no password, no whole object, not the name of a type that rules on an
// object put in the place of the value.
func isTellable(f FieldProblem) bool {
	switch f.Value {
	case "object", "string", "array", "integer", "boolean", "null", "":
		return false
	}
	return !strings.Contains(strings.ToLower(f.Path), "password") && f.Path != "" && f.Path != "spec" &&
		!strings.HasPrefix(f.Value, "{") && !strings.HasPrefix(f.Value, "map[")
}
