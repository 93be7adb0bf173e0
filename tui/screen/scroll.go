package screen

import (
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/widget"
)

// Scroller is what a cursor moves over: a table or a text.
type Scroller interface {
	Move(by int)
	Page(by int)
	MoveTo(line int)
	Len() int
}

// Scroll moves up and down. It says false where the action is none that does.
func Scroll(on Scroller, action keys.Action) bool {
	switch action {
	case keys.Up:
		on.Move(-1)
	case keys.Down:
		on.Move(1)
	case keys.PageUp:
		on.Page(-1)
	case keys.PageDown:
		on.Page(1)
	case keys.Top:
		on.MoveTo(0)
	case keys.Bottom:
		on.MoveTo(on.Len() - 1)
	default:
		return false
	}
	return true
}

// ScrollTable is Scroll, and to the sides too.
func ScrollTable(t *widget.Table, action keys.Action) bool {
	switch action {
	case keys.Left:
		t.Scroll(-1)
	case keys.Right:
		t.Scroll(1)
	default:
		return Scroll(t, action)
	}
	return true
}
