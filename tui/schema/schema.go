package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"kuberly.io/valkey-operator/tui/clean"
)

// specPath is the path of what a user wishes for.
const specPath = "spec"

// Schema is that of one version of the kind. It is immutable.
type Schema struct {
	root   *apiextensionsv1.JSONSchemaProps
	spec   *spec.Schema
	fields []Field
	rules  []rule
}

// Kind is how a field is typed in.
type Kind int

// Kinds of fields.
const (
	Text   Kind = iota // one line
	Number             // a whole number
	Choice             // one of Choices
	Lines              // a map of strings: one "key: value" on each line
	YAML               // anything else
)

// Field is one field of the spec.
type Field struct {
	// Path is, for example, spec.volume.storage.
	Path string
	Kind Kind
	// Description is what the schema says about it, cleaned and on one line.
	Description string
	Required    bool
	// Default is what the server sets where it is left out, as text.
	Default string
	// Choices are the values that it takes, for a Choice.
	Choices []string
	// MaxLength is that of a Text; 0 where there is none.
	MaxLength int
}

// New reads the schema of the kind as a CRD or an OpenAPI document holds it.
func New(root *apiextensionsv1.JSONSchemaProps) (*Schema, error) {
	root = root.DeepCopy()
	dropRefs(root)
	wish, found := root.Properties[specPath]
	if !found || len(wish.Properties) == 0 {
		return nil, errors.New("the schema declares no spec")
	}
	data, err := json.Marshal(wish)
	if err != nil {
		return nil, fmt.Errorf("write the schema of the spec: %w", err)
	}
	s := &Schema{root: root, spec: &spec.Schema{}}
	if err := json.Unmarshal(data, s.spec); err != nil {
		return nil, fmt.Errorf("read the schema of the spec: %w", err)
	}
	s.fields = fieldsOf(specPath, &wish)
	s.rules = rulesOf("", root)
	return s, nil
}

// Fields are the fields of the spec by their path. The parts of a part that has only simple ones (volume, resource) are fields of their own.
func (s *Schema) Fields() []Field { return slices.Clone(s.fields) }

// Field is the one with the path.
func (s *Schema) Field(path string) (Field, bool) {
	i := slices.IndexFunc(s.fields, func(f Field) bool { return f.Path == path })
	if i < 0 {
		return Field{}, false
	}
	return s.fields[i], true
}

// dropRefs leaves out what stands elsewhere in an OpenAPI document: the metadata, which the server checks by itself.
func dropRefs(p *apiextensionsv1.JSONSchemaProps) {
	p.Ref = nil
	for name, property := range p.Properties {
		if property.Ref != nil {
			delete(p.Properties, name)
			continue
		}
		dropRefs(&property)
		p.Properties[name] = property
	}
}

func fieldsOf(path string, p *apiextensionsv1.JSONSchemaProps) []Field {
	var fields []Field
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		property := p.Properties[name]
		at := path + "." + clean.Text(name)
		required := slices.Contains(p.Required, name)
		if isGroup(&property) {
			for _, part := range fieldsOf(at, &property) {
				part.Required = part.Required && required
				fields = append(fields, part)
			}
			continue
		}
		f := Field{Path: at, Description: oneLine(property.Description), Required: required, Default: defaultOf(&property)}
		f.Kind, f.Choices = kindOf(&property)
		if property.MaxLength != nil {
			f.MaxLength = int(*property.MaxLength)
		}
		fields = append(fields, f)
	}
	return fields
}

// isGroup says that a part of the spec has simple fields alone.
func isGroup(p *apiextensionsv1.JSONSchemaProps) bool {
	if p.Type != "object" || len(p.Properties) == 0 {
		return false
	}
	for _, property := range p.Properties {
		if kind, _ := kindOf(&property); kind == Lines || kind == YAML {
			return false
		}
	}
	return true
}

func kindOf(p *apiextensionsv1.JSONSchemaProps) (Kind, []string) {
	switch {
	case len(p.Enum) > 0:
		var choices []string
		for _, value := range p.Enum {
			choices = append(choices, textOf(value.Raw))
		}
		return Choice, choices
	case p.Type == "boolean":
		return Choice, []string{"true", "false"}
	case p.Type == "integer":
		return Number, nil
	case p.Type == "string", p.XIntOrString:
		return Text, nil
	case p.Type == "object" && len(p.Properties) == 0 && p.AdditionalProperties != nil &&
		p.AdditionalProperties.Schema != nil && p.AdditionalProperties.Schema.Type == "string":
		return Lines, nil
	default:
		return YAML, nil
	}
}

func defaultOf(p *apiextensionsv1.JSONSchemaProps) string {
	if p.Default == nil {
		return ""
	}
	return textOf(p.Default.Raw)
}

// textOf is a value of JSON as one types it.
func textOf(raw []byte) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return clean.Text(text)
	}
	return clean.Text(string(raw))
}

// maxDescription bounds a description, in bytes: ours are shorter.
const maxDescription = 1000

func oneLine(s string) string {
	if len(s) > maxDescription {
		s = s[:maxDescription]
	}
	return strings.Join(strings.Fields(clean.Text(s)), " ")
}
