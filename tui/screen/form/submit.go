package form

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
	"kuberly.io/valkey-operator/tui/schema"
	"kuberly.io/valkey-operator/tui/screen"
)

// submit has what was typed checked, or shows what is wrong with it.
func (m *Model) submit() screen.Effect {
	m.above, m.refused = nil, map[string]string{}
	object := m.assemble()
	m.checkAll(object)
	password := m.password()
	if m.isNew() && password != "" {
		if err := kube.CheckPassword(password); err != nil {
			m.refused[pathPassword] = kube.Explain(err).Fields[0].Message
		}
	}
	if len(m.refused) > 0 {
		m.goToRefused()
		return nil
	}
	m.sending = true
	if m.isNew() && password == "" && secretOf(object) == "" {
		return m.generate(true)
	}
	return m.propose(password)
}

// password is what is typed for one.
func (m *Model) password() string {
	if i := m.passwordAt(); i >= 0 {
		return m.fields[i].value()
	}
	return ""
}

// propose sends it. The password of a new one goes its own way, into a Secret.
func (m *Model) propose(password string) screen.Effect {
	p := kube.Proposal{Base: m.base, Wanted: m.assemble()}
	if m.isNew() {
		manifest.SetPassword(p.Wanted, "")
		p.Password = password
	}
	return screen.Propose{From: m.id, Title: m.title(), Proposal: p}
}

// assemble is the object of the fields. In one that is changed everything stays as it is but what was typed. What cannot be read is noted
// beside its field.
func (m *Model) assemble() *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{}, "spec": map[string]any{}}}
	object.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(manifest.Kind))
	if m.base != nil {
		object = m.base.DeepCopy()
	}
	for _, f := range m.fields {
		if !m.isNew() && f.value() == f.initial {
			continue
		}
		text := f.value()
		if f.Path != pathPassword {
			text = strings.TrimSpace(text)
		}
		value, err := f.Parse(text)
		if err != nil {
			m.refused[f.Path] = err.Error()
			continue
		}
		put(object, f.Path, value)
	}
	if m.isNew() && at(object, pathVolume) == false {
		put(object, pathStorage, nil)
	}
	for _, f := range m.fields {
		m.dropDefaults(object, f)
	}
	return object
}

// put sets a value, or takes it away where it is nil, and the part that is empty then.
func put(object *unstructured.Unstructured, path string, value any) {
	steps := strings.Split(path, ".")
	if value != nil {
		_ = unstructured.SetNestedField(object.Object, value, steps...) // the parts are maps, by the schema
		return
	}
	unstructured.RemoveNestedField(object.Object, steps...)
	parent := steps[:len(steps)-1]
	if rest, isMap := at(object, strings.Join(parent, ".")).(map[string]any); isMap && len(rest) == 0 && len(parent) > 1 {
		unstructured.RemoveNestedField(object.Object, parent...)
	}
}

// dropDefaults takes away a part that was emptied, of which only what the server fills in by itself is left.
func (m *Model) dropDefaults(object *unstructured.Unstructured, f *field) {
	steps := strings.Split(f.Path, ".")
	if len(steps) != 3 || f.Path != pathSecret || f.value() != "" {
		return
	}
	group := strings.Join(steps[:2], ".")
	rest, isMap := at(object, group).(map[string]any)
	if !isMap {
		return
	}
	for name, value := range rest {
		part, known := m.schema.Field(group + "." + name)
		if !known || part.Default == "" || part.Format(value) != part.Default {
			return
		}
	}
	unstructured.RemoveNestedField(object.Object, steps[:2]...)
}

// checkAll holds the object against the schema, and notes what is wrong beside its field.
func (m *Model) checkAll(object *unstructured.Unstructured) {
	for _, f := range m.fields {
		if strings.HasPrefix(f.Path, "metadata.") && strings.TrimSpace(f.value()) == "" {
			m.refused[f.Path] = "a value is required"
		} else if f.Path == pathName && m.isNew() {
			if fault := nameFault(strings.TrimSpace(f.value())); fault != "" {
				m.refused[f.Path] = fault
			}
		}
	}
	for _, p := range m.problems(object) {
		f := m.fieldOf(p.Path)
		switch {
		case f == nil:
			m.above = &kube.Problem{Class: kube.ClassInvalid, Message: p.Path + ": " + p.Message}
		case m.refused[f.Path] == "":
			m.refused[f.Path] = p.Message
		}
	}
}

func (m *Model) problems(object *unstructured.Unstructured) []schema.Problem {
	spec, _ := object.Object["spec"].(map[string]any)
	problems := m.schema.Check(spec)
	for i := range problems {
		if words := kube.Allowed(problems[i].Path); words != "" && strings.Contains(problems[i].Message, "should match") {
			problems[i].Message = words
		}
	}
	return problems
}

// checkOne is checkAll for the field that is being left.
func (m *Model) checkOne(f *field) {
	before := m.refused
	m.refused = map[string]string{}
	m.checkAll(m.assemble())
	message, wrong := m.refused[f.Path]
	m.refused = before
	if wrong && (f.value() != "" || f.value() != f.initial) && m.refused[f.Path] == "" {
		m.refused[f.Path] = message
	}
}

// fieldOf is the field that a path of the API belongs to: its own, or that of the part which it is in, or of which it is a whole.
func (m *Model) fieldOf(path string) *field {
	for _, f := range m.fields {
		if path == f.Path || strings.HasPrefix(path, f.Path+".") || strings.HasPrefix(path, f.Path+"[") {
			return f
		}
	}
	if i := slices.IndexFunc(m.fields, func(f *field) bool { return strings.HasPrefix(f.Path, path+".") && strings.Count(path, ".") == 1 }); i >= 0 {
		return m.fields[i]
	}
	return nil
}

// refuse shows what the server does not take beside the fields that it is about; without a problem it was only that nothing would change.
func (m *Model) refuse(problem *kube.Problem) {
	m.sending = false
	m.refused = map[string]string{}
	if m.above = problem; problem == nil {
		return
	}
	placed := 0
	for _, p := range problem.Fields {
		path := p.Path
		if !strings.HasPrefix(path, "spec.") && !strings.HasPrefix(path, "metadata.") || m.fieldOf(path) == nil {
			path = m.schema.FieldOf(p.Path, p.Message)
		}
		if f := m.fieldOf(path); f != nil {
			m.refused[f.Path] = p.Message
			placed++
		}
	}
	if c := problem.Class; m.isNew() && (c == kube.ClassExists || c == kube.ClassNameTooLong) {
		m.refused[pathName] = problem.Message
		m.above = nil
	}
	if placed > 0 && placed == len(problem.Fields) {
		m.above = nil
	}
	m.goToRefused()
}

func (m *Model) goToRefused() {
	for i, f := range m.fields {
		if m.refused[f.Path] != "" {
			m.goTo(i)
			return
		}
	}
	m.scroll()
}
