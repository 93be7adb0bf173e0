package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// mouseEvent presses the key of a hint that is clicked. Other events go to the upper screen, with their place counted from its own corner.
func (m *model) mouseEvent(msg tea.MouseMsg) tea.Cmd {
	if m.isTooSmall() {
		return nil
	}
	v := m.top().screen.View()
	if msg.Y >= m.height-footLines {
		return m.hintClicked(msg, v)
	}
	if v.Dialog {
		left, top := widget.OverlayAt(v.Lines, m.width, m.height-footLines)
		msg.X -= left
		msg.Y -= top
		if msg.X < 0 || msg.Y < 0 || msg.Y >= len(v.Lines) || msg.X >= widget.Width(v.Lines[msg.Y]) {
			return nil
		}
		return m.apply(m.top().screen.Update(msg))
	}
	msg.Y -= m.bodyTop()
	if msg.Y < 0 || msg.Y >= m.bodyHeight() {
		return nil
	}
	return m.apply(m.top().screen.Update(msg))
}

func (m *model) hintClicked(msg tea.MouseMsg, v screen.View) tea.Cmd {
	isClick := msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress
	if !isClick || v.Prompt != "" || m.flash.Text != "" {
		return nil
	}
	h, hit := widget.HintAt(v.Hints, m.width-2, msg.X-1)
	key, known := keys.Press(h.Press)
	if !hit || !known {
		return nil
	}
	return m.key(key)
}
