package form

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/schema"
	"kuberly.io/valkey-operator/tui/theme"
)

// Paths of the fields that mean something to the form.
const (
	pathName      = "metadata.name"
	pathNamespace = "metadata.namespace"
	pathPassword  = "spec.password"
	pathSecret    = "spec.passwordSecretRef.name"
	pathVolume    = "spec.volume.enabled"
	pathStorage   = "spec.volume.storage"
	pathClass     = "spec.volume.storageClassName"
)

// labels are what the fields are called that one fills in first, in their order; the others are advanced.
var labels = []struct{ path, label string }{
	{pathName, "Name"},
	{pathNamespace, "Namespace"},
	{"spec.replicas", "Servers"},
	{"spec.image", "Image"},
	{"spec.user", "User"},
	{pathPassword, "Password"},
	{"spec.resource.memory", "Memory"},
	{"spec.resource.cpu", "CPU"},
	{pathVolume, "Volume"},
	{pathStorage, "Storage"},
	{pathClass, "Class"},
	{"spec.volume.reclaim", "Reclaim"},
}

// suggestions are what a new Valkey has, as that of the verb create, where nothing else is typed.
var suggestions = map[string]string{
	"spec.replicas": "1", "spec.image": v1alpha1.DefaultImage, "spec.user": "root", "spec.resource.memory": "512Mi", "spec.resource.cpu": "200m",
	pathVolume: "true", pathStorage: "512Mi", "spec.resource.storage": "512Mi",
}

const (
	// nameLimit and textLimit bound what can be typed; how much of it is right the schema says.
	nameLimit, textLimit, areaLimit = 253, 2048, 32 << 10
	areaHeight                      = 5
)

// field is one field with what is typed in it.
type field struct {
	schema.Field
	label    string
	hint     string
	advanced bool
	initial  string // what was in it before anything was typed
	offered  []string

	line textinput.Model // of one line
	area textarea.Model  // of several
	pick string          // of a choice
}

// newFields makes the fields of a schema, the main ones first.
func newFields(s *schema.Schema, look *theme.Theme, isNew bool) []*field {
	var fields []*field
	for _, l := range labels {
		f, known := s.Field(l.path)
		switch {
		case l.path == pathName && isNew:
			f = schema.Field{Path: pathName, Required: true, MaxLength: nameLimit, Description: "of the Valkey, and of the Service that leads to its primary"}
		case l.path == pathNamespace && isNew:
			f = schema.Field{Path: pathNamespace, Required: true, MaxLength: nameLimit, Description: "is made where it is missing"}
		case !known:
			continue
		}
		fields = append(fields, newField(f, l.label, look))
	}
	for _, f := range s.Fields() {
		if !slices.ContainsFunc(fields, func(have *field) bool { return have.Path == f.Path }) {
			advanced := newField(f, strings.TrimPrefix(f.Path, "spec."), look)
			advanced.advanced = true
			fields = append(fields, advanced)
		}
	}
	return fields
}

func newField(f schema.Field, label string, look *theme.Theme) *field {
	made := &field{Field: f, label: label, hint: f.Description}
	if f.Default != "" && f.Path != pathSecret {
		made.hint = strings.TrimSpace(made.hint + " Empty: " + f.Default + ".")
	}
	switch f.Kind {
	case schema.Lines, schema.YAML:
		a := textarea.New()
		a.Prompt, a.ShowLineNumbers, a.CharLimit = "", false, areaLimit
		a.FocusedStyle, a.BlurredStyle = areaStyle(look), areaStyle(look)
		a.Cursor.SetMode(cursor.CursorStatic)
		a.Cursor.Style = look.Lipgloss(theme.Selected).Reverse(true)
		a.SetHeight(areaHeight)
		made.area = a
	case schema.Choice:
	default:
		in := textinput.New()
		in.Prompt, in.CharLimit = "", textLimit
		in.PlaceholderStyle = look.Lipgloss(theme.Dim)
		in.Cursor.Style = look.Lipgloss(theme.Selected).Reverse(true)
		in.Cursor.SetMode(cursor.CursorStatic)
		if in.Placeholder = f.Default; f.Path == pathName {
			in.Placeholder = "for example app-db"
		}
		if f.Path == pathPassword {
			in.EchoMode = textinput.EchoPassword
			in.EchoCharacter = look.Signs.Secret
		}
		made.line = in
	}
	return made
}

func areaStyle(look *theme.Theme) textarea.Style {
	plain := look.Lipgloss(theme.Text)
	return textarea.Style{Base: plain, CursorLine: plain, Text: plain, EndOfBuffer: plain, Placeholder: look.Lipgloss(theme.Dim), Prompt: plain}
}

func (f *field) isArea() bool { return f.Kind == schema.Lines || f.Kind == schema.YAML }

// value is what is typed.
func (f *field) value() string {
	switch {
	case f.Kind == schema.Choice:
		return f.pick
	case f.isArea():
		return f.area.Value()
	default:
		return f.line.Value()
	}
}

func (f *field) set(text string) {
	switch {
	case f.Kind == schema.Choice:
		f.pick = text
	case f.isArea():
		f.area.SetValue(text)
	default:
		f.line.SetValue(text)
		f.line.CursorEnd()
	}
}

func (f *field) focus(on bool) {
	switch {
	case f.Kind == schema.Choice:
	case f.isArea() && on:
		f.area.Focus()
	case f.isArea():
		f.area.Blur()
	case on:
		f.line.Focus()
	default:
		f.line.Blur()
	}
}

// update gives a key to the field.
func (f *field) update(msg tea.KeyMsg) {
	switch {
	case f.Kind == schema.Choice:
		switch msg.String() {
		case " ", "right", "l":
			f.turn(1)
		case "left", "h":
			f.turn(-1)
		}
	case f.isArea():
		f.area, _ = f.area.Update(msg)
	default:
		f.line, _ = f.line.Update(msg)
	}
}

// options are what a choice can be: nothing too, where the server has a default or needs none.
func (f *field) options() []string {
	if f.Required {
		return f.Choices
	}
	return append([]string{""}, f.Choices...)
}

func (f *field) turn(by int) {
	options := f.options()
	at := max(slices.Index(options, f.pick), 0)
	f.pick = options[(at+by+len(options))%len(options)]
}

// isEdge says that the cursor of an area is at its first line (by < 0) or its last, so that a further step leaves the field.
func (f *field) isEdge(by int) bool {
	if !f.isArea() {
		return true
	}
	if by < 0 {
		return f.area.Line() == 0
	}
	return f.area.Line() >= f.area.LineCount()-1
}

// at is the value of a path in an object; nil where there is none.
func at(object *unstructured.Unstructured, path string) any {
	if object == nil {
		return nil
	}
	value, found, err := unstructured.NestedFieldNoCopy(object.Object, strings.Split(path, ".")...)
	if !found || err != nil {
		return nil
	}
	return value
}
