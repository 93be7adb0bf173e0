package widget

import (
	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/theme"
)

// Prompt is one line of text that is typed or pasted. Its cursor does not blink, so that a program at rest stays at rest.
type Prompt struct {
	theme *theme.Theme
	label string
	input textinput.Model
}

// NewPrompt makes an empty prompt of at most limit characters.
func NewPrompt(t *theme.Theme, label string, limit int) Prompt {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = limit
	in.PlaceholderStyle = t.Lipgloss(theme.Dim)
	in.Cursor.Style = t.Lipgloss(theme.Selected).Reverse(true)
	in.Cursor.SetMode(cursor.CursorStatic)
	in.Focus()
	return Prompt{theme: t, label: label, input: in}
}

// Value is what was typed.
func (p Prompt) Value() string { return p.input.Value() }

// SetValue replaces what was typed.
func (p *Prompt) SetValue(s string) {
	p.input.SetValue(s)
	p.input.CursorEnd()
}

// Update takes a key or a paste. It needs no command.
func (p *Prompt) Update(msg tea.KeyMsg) { p.input, _ = p.input.Update(msg) }

// View is one line of at most the width.
func (p Prompt) View(width int) string {
	label := p.theme.Render(theme.Accent, p.label)
	room := width - Width(p.label) - 1
	if room < 2 {
		return Truncate(p.label+p.input.Value(), width, "")
	}
	p.input.Width = room
	return label + Truncate(p.input.View(), width-Width(p.label), "")
}
