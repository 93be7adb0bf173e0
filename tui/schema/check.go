package schema

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	validation "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// Problem is a value that the schema does not take.
type Problem struct {
	Path    string
	Message string
}

// Check holds a spec against the schema, with the library that the API server has for it. The rules in CEL are the server's alone.
func (s *Schema) Check(value map[string]any) []Problem {
	result := validate.NewSchemaValidator(s.spec, nil, specPath, strfmt.Default).Validate(value)
	var problems []Problem
	for _, err := range result.Errors {
		var v *validation.Validation
		if !errors.As(err, &v) {
			problems = append(problems, Problem{Path: specPath, Message: oneLine(err.Error())})
			continue
		}
		problems = append(problems, Problem{Path: v.Name, Message: s.message(v)})
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return problems
}

var example = regexp.MustCompile(`e\.g\. ((?:[^;.]|\.\S)*[^;. ])`)

// message is what the library says without the path, which the field shows, and with the description's example beside a pattern.
func (s *Schema) message(v *validation.Validation) string {
	text := oneLine(strings.TrimPrefix(v.Error(), v.Name+" in body "))
	if text == "is required" {
		return "a value is required"
	}
	if f, known := s.Field(v.Name); known && v.Code() == validation.PatternFailCode {
		if m := example.FindStringSubmatch(f.Description); m != nil {
			text += ", e.g. " + m[1]
		}
	}
	return text
}

// rule is a rule in CEL, which only the server can check.
type rule struct {
	path    string
	message string
	paths   []string // of what it speaks about
}

// FieldOf is the path that a refusal of the server is about: its own, or, where that is a whole part of the object, that of the first
// thing that the refusing rule speaks about. So a rule on the whole object shows beside the name that it is about.
func (s *Schema) FieldOf(path, message string) string {
	for _, r := range s.rules {
		if r.path == path && r.message != "" && strings.Contains(message, r.message) && len(r.paths) > 0 {
			return r.paths[0]
		}
	}
	return path
}

var spokenOf = regexp.MustCompile(`\bself((?:\.[a-zA-Z][a-zA-Z0-9]*)+)`)

func rulesOf(path string, p *apiextensionsv1.JSONSchemaProps) []rule {
	var rules []rule
	for _, v := range p.XValidations {
		r := rule{path: path, message: oneLine(v.Message)}
		for _, m := range spokenOf.FindAllStringSubmatch(v.Rule, -1) {
			if at := withoutCalls(p, m[1]); at != "" {
				r.paths = append(r.paths, strings.TrimPrefix(path+at, "."))
			}
		}
		rules = append(rules, r)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		property := p.Properties[name]
		rules = append(rules, rulesOf(strings.TrimPrefix(path+"."+name, "."), &property)...)
	}
	return rules
}

// withoutCalls cuts the methods off what a rule speaks about: .password.contains is .password.
func withoutCalls(p *apiextensionsv1.JSONSchemaProps, spoken string) string {
	if strings.HasPrefix(spoken, ".metadata.name") {
		return ".metadata.name" // no schema of a kind describes the metadata
	}
	kept := ""
	for name := range strings.SplitSeq(strings.TrimPrefix(spoken, "."), ".") {
		property, known := p.Properties[name]
		if !known {
			break
		}
		kept, p = kept+"."+name, &property
	}
	return kept
}
