package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// Effect is what comes of a message: an intent, a tea.Cmd with work that needs no cluster, Effects, or nil. An intent is
// done at once, before the next key, so that keys typed ahead reach the screen that they are meant for.
type Effect any

// Effects are several, in their order.
type Effects []Effect

// Screen is a page or a dialog on the root's stack.
type Screen interface {
	// Update takes a message and returns what is to be done.
	Update(msg tea.Msg) Effect
	// SetSize gives it the room that its lines may take.
	SetSize(width, height int)
	// View is what it looks like now.
	View() View
}

// Worded is a screen that is said to those who cannot see it in sentences of its own, where its lines would not do: what it is, what is under
// the cursor, what is wrong, what came of it. Figures change by themselves all the time: they are said after a key, not as they change. Without
// words its lines are said.
type Worded interface {
	Words() (words, figures []string)
}

// View is a drawn screen.
type View struct {
	// Lines are the body: as many as there is room for, or, in a dialog, as many as it needs.
	Lines []string
	// Title stands above the body at the left, Status at the right.
	Title, Status string
	// Hints are the keys worth knowing here.
	Hints []widget.Hint
	// Prompt is drawn in place of the hints while text is typed.
	Prompt string
	// Dialog says that the lines are drawn over what lies beneath.
	Dialog bool
	// Scopes are the keys that are in force, for the help.
	Scopes []keys.Scope
}

// Env is what every screen needs to draw and to understand keys.
type Env struct {
	Theme *theme.Theme
	Keys  *keys.Map
	// ReadOnly says that nothing may be changed.
	ReadOnly bool
	// Columns are the names of the list's columns in their order; empty for those of the CRD.
	Columns []string
	// Rights are what the user may do; nil where nobody knows.
	Rights *Rights
}

// Hints are the footer's hints of the scopes' bindings that have a short word.
func (e Env) Hints(scopes ...keys.Scope) []widget.Hint {
	var hints []widget.Hint
	for _, s := range scopes {
		for _, b := range e.Keys.Bindings(s) {
			if b.Short != "" && len(b.Keys) > 0 {
				hints = append(hints, widget.Hint{Key: e.Label(b.Keys[0]), Text: b.Short, Off: e.Why(b.Action) != "", Keep: s == keys.Everywhere, Press: b.Keys[0]})
			}
		}
	}
	return hints
}

// Label is a key's name with the theme's signs for the arrows.
func (e Env) Label(key string) string {
	switch key {
	case "up":
		return e.Theme.Signs.KeyUp
	case "down":
		return e.Theme.Signs.KeyDown
	case "left":
		return e.Theme.Signs.KeyLeft
	case "right":
		return e.Theme.Signs.KeyRight
	default:
		return keys.Label(key)
	}
}

// UpDown are the names of both arrows that go up and down.
func (e Env) UpDown() string {
	up, down := e.Label("up"), e.Label("down")
	if widget.Width(up) > 1 {
		return up + ", " + down
	}
	return up + down
}

// Common turns the keys that mean the same on every screen into intents; nil where the key is none of them.
func (e Env) Common(key string) Effect {
	switch e.Keys.Action(key, keys.Everywhere) {
	case keys.Help:
		return ShowHelp{}
	case keys.Back, keys.Quit:
		return Close{}
	case keys.Retry:
		return Retry{}
	case keys.Palette:
		return OpenPalette{}
	default:
		return nil
	}
}
