package create

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/huh"

	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// Keys of the fields.
const (
	fieldName      = "name"
	fieldNamespace = "namespace"
	fieldImage     = "image"
	fieldUser      = "user"
	fieldPassword  = "password"
	fieldReplicas  = "replicas"
	fieldMemory    = "memory"
	fieldCPU       = "cpu"
	fieldVolume    = "volume"
	fieldStorage   = "storage"
)

// spec describes a field.
type spec struct {
	key, label, hint string
	limit            int
	check            func(string) error
	// paths are those of the API that the field fills: a refusal of one of them is shown here.
	paths []string
}

// specs are the fields in their order.
var specs = []spec{
	{fieldName, "Name", "of the Valkey, and of the Service that leads to its primary", 253, checkName, []string{"metadata.name"}},
	{fieldNamespace, "Namespace", "is made where it is missing", 253, checkNamespace, []string{"metadata.namespace"}},
	{fieldReplicas, "Servers", "0 is stopped, 1 alone, more: one primary, the others its replicas", 3, checkReplicas, []string{"spec.replicas"}},
	{fieldImage, "Image", "any with the layout of the official one", maxImage, checkImage, []string{"spec.image"}},
	{fieldUser, "User", "the admin user's name", 253, checkUser, []string{"spec.user"}},
	{fieldPassword, "Password", "empty: one is made; it is kept in a Secret", 1024, checkPassword, []string{"spec.password", "spec.passwordSecretRef"}},
	{fieldMemory, "Memory", "limit of each server, e.g. 512Mi", 32, checkMemory, []string{"spec.resource.memory"}},
	{fieldCPU, "CPU", "limit of each server in cores, e.g. 200m, 1 or 2.5", 32, checkCPU, []string{"spec.resource.cpu"}},
	{fieldVolume, "Volume", "keep the data on a claim of its own; cannot be switched later", 0, nil, []string{"spec.volume.enabled", "spec.volume"}},
	{fieldStorage, "Storage", "size of each claim, or of the scratch space without a volume", 32, checkStorage, []string{"spec.volume.storage", "spec.resource.storage"}},
}

// labelWidth is the room for the fields' labels.
const labelWidth = 11

// field is a field of huh with its label at the left, and what is wrong with it, or what it is for, beneath.
type field struct {
	huh.Field
	spec    *spec
	theme   *theme.Theme
	focused func() string
	refused func(key string) string
	width   int
}

// Update is for huh.Field: the inner field stays in its wrapping.
func (f *field) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	inner, cmd := f.Field.Update(msg)
	if in, isField := inner.(huh.Field); isField {
		f.Field = in
	}
	return f, cmd
}

// WithWidth is for huh.Field.
func (f *field) WithWidth(width int) huh.Field {
	f.width = width
	f.Field.WithWidth(max(width-labelWidth-2, 4))
	return f
}

// View is for huh.Field.
func (f *field) View() string {
	isFocused := f.focused() == f.spec.key
	lead, label := "  ", f.theme.Render(theme.Dim, widget.Fit(f.spec.label, labelWidth, ""))
	if isFocused {
		lead = f.theme.Render(theme.Accent, f.theme.Signs.Cursor) + " "
		label = f.theme.Render(theme.Strong, widget.Fit(f.spec.label, labelWidth, ""))
	}
	value, _, _ := strings.Cut(f.Field.View(), "\n")
	line := lead + label + value
	room := max(f.width-labelWidth-2, 8)
	indent := widget.Spaces(labelWidth + 2)
	if problem := f.problem(); problem != "" {
		for i, l := range widget.Wrap(problem, room-2) {
			sign := f.theme.Signs.Fail + " "
			if i > 0 {
				sign = "  "
			}
			line += "\n" + indent + f.theme.Render(theme.Error, sign+l)
		}
	} else if isFocused {
		line += "\n" + indent + f.theme.Render(theme.Dim, widget.Truncate(f.spec.hint, room, f.theme.Signs.Ellipsis))
	}
	return line
}

// problem is what the server or the check says against the value.
func (f *field) problem() string {
	if refused := f.refused(f.spec.key); refused != "" {
		return refused
	}
	if err := f.Error(); err != nil {
		return err.Error()
	}
	return ""
}

// huhTheme dresses huh in the dashboard's theme.
func huhTheme(t *theme.Theme) *huh.Theme {
	h := huh.ThemeBase()
	plain := t.Lipgloss(theme.Text)
	h.FieldSeparator = plain.SetString("\n")
	h.Focused.Base, h.Blurred.Base = plain, plain
	h.Focused.FocusedButton = t.Lipgloss(theme.Selected).Padding(0, 1)
	h.Focused.BlurredButton = t.Lipgloss(theme.Dim).Padding(0, 1)
	h.Focused.TextInput.Cursor = plain
	h.Focused.TextInput.Placeholder = t.Lipgloss(theme.Dim)
	h.Focused.TextInput.Prompt = plain
	h.Focused.TextInput.Text = plain
	h.Blurred.TextInput = h.Focused.TextInput
	h.Blurred.FocusedButton = t.Lipgloss(theme.Strong).Padding(0, 1)
	h.Blurred.BlurredButton = t.Lipgloss(theme.Dim).Padding(0, 1)
	return h
}
