package review

import (
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/impact"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/manifest"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// View is for screen.Screen.
func (m *Model) View() screen.View {
	t := m.env.Theme
	lines := m.lines()
	from, to := screen.Window(len(lines), m.top, m.height)
	v := screen.View{
		Lines:  widget.Height(lines[from:to], m.height),
		Title:  t.Render(theme.Strong, m.title),
		Hints:  m.hints(),
		Scopes: []keys.Scope{keys.Review, keys.Moving, keys.Everywhere},
	}
	switch {
	case m.busy != "":
		v.Status = t.Render(theme.Busy, t.Signs.Busy+" "+m.busy+t.Signs.Ellipsis)
	case m.problem != nil:
		v.Status = t.Render(theme.Error, t.Signs.Fail+" not applied")
	case m.note != "":
		v.Status = t.Render(theme.Error, t.Signs.Fail+" "+m.note)
	case len(lines) > m.height && m.height > 0:
		v.Status = t.Render(theme.Dim, "not applied yet; more below: "+m.env.Label("down"))
	default:
		v.Status = t.Render(theme.Dim, "not applied yet")
	}
	if m.prompt != nil {
		v.Prompt = m.prompt.View(m.width - 2)
	}
	return v
}

func (m *Model) hints() []widget.Hint {
	var hints []widget.Hint
	add := func(action keys.Action, text string) {
		if b, found := m.env.Keys.Find(keys.Review, action); found && len(b.Keys) > 0 {
			hints = append(hints, widget.Hint{Key: m.env.Label(b.Keys[0]), Text: text, Off: m.env.Why(action) != ""})
		}
	}
	if m.ready && m.busy == "" {
		add(keys.Confirm, "apply")
	}
	if m.isEditor && m.busy == "" {
		add(keys.EditAgain, "edit again")
	}
	back := "back to the form"
	if m.isEditor {
		back = "leave it"
	}
	add(keys.Back, back)
	return append(hints, m.env.Hints(keys.Everywhere)...)
}

func (m *Model) scroll(by int) {
	from, _ := screen.Window(len(m.lines()), max(m.top+by, 0), m.height)
	m.top = from
}

// lines are all there is to see.
func (m *Model) lines() []string {
	t := m.env.Theme
	lines := []string{""}
	if m.problem != nil {
		lines = append(lines, widget.Banner(t, theme.Alarm, m.problem.Error(), m.width, 6)...)
		if m.path != "" {
			lines = append(lines, "")
			lines = append(lines, m.wrapped(theme.Text, "  ", "What was written is kept in "+m.path)...)
		}
		return lines
	}
	if !m.ready {
		if m.path != "" {
			lines = append(lines, m.wrapped(theme.Dim, "  ", "the file is "+m.path)...)
		}
		return lines
	}
	lines = append(lines, " "+t.Render(theme.Strong, "What it does"))
	for _, e := range m.effects {
		tone, sign := look(t, e.Weight)
		lines = append(lines, m.wrapped(tone, "  "+sign+" ", e.Text)...)
	}
	lines = append(lines, m.beside()...)
	for _, w := range m.review.Warnings {
		lines = append(lines, m.wrapped(theme.Warn, "  "+t.Signs.Warn+" ", "the server warns: "+clean.Text(w))...)
	}
	if len(m.review.Meanwhile) > 0 {
		lines = append(lines, "", " "+t.Render(theme.Strong, "Changed by others meanwhile; the change here is on top of it"))
		for _, c := range m.review.Meanwhile {
			if m.mine[c.Path] {
				lines = append(lines, m.wrapped(theme.Warn, "  "+t.Signs.Warn+" ", c.String()+", also changed here: yours wins")...)
				continue
			}
			lines = append(lines, m.wrapped(theme.Busy, "  "+t.Signs.Busy+" ", c.String())...)
		}
	}
	lines = append(lines, "", " "+t.Render(theme.Strong, "What changes"))
	return append(lines, m.diffLines()...)
}

// beside is what is made besides the object.
func (m *Model) beside() []string {
	var lines []string
	sign := "  " + m.env.Theme.Signs.OK + " "
	if m.review.NewNamespace {
		lines = append(lines, m.wrapped(theme.Accent, sign, "makes the namespace "+clean.Text(m.review.Result.GetNamespace()))...)
	}
	if m.review.Secret != "" {
		lines = append(lines, m.wrapped(theme.Accent, sign, "keeps the password in the Secret "+clean.Text(m.review.Secret))...)
	}
	return lines
}

func (m *Model) diffLines() []string {
	t := m.env.Theme
	lines := make([]string, 0, len(m.diff))
	for _, l := range m.diff {
		text := widget.Truncate(l.Text, max(m.width-5, 1), t.Signs.Ellipsis)
		switch l.Op {
		case manifest.Added:
			lines = append(lines, "  "+t.Render(theme.OK, "+ "+text))
		case manifest.Removed:
			lines = append(lines, "  "+t.Render(theme.Error, "- "+text))
		case manifest.Gap:
			lines = append(lines, "    "+t.Render(theme.Dim, t.Signs.Ellipsis))
		case manifest.Same:
			lines = append(lines, "    "+t.Render(theme.Dim, text))
		}
	}
	return lines
}

// wrapped is a text on as many lines as it takes, behind a lead.
func (m *Model) wrapped(tone theme.Tone, lead, text string) []string {
	var lines []string
	for i, l := range widget.Wrap(text, max(m.width-widget.Width(lead)-2, 10)) {
		if i > 0 {
			lead = widget.Spaces(widget.Width(lead))
		}
		lines = append(lines, m.env.Theme.Render(tone, lead+l))
	}
	return lines
}

func look(t *theme.Theme, w impact.Weight) (tone theme.Tone, sign string) {
	switch w {
	case impact.Danger:
		return theme.Error, t.Signs.Fail
	case impact.Notable:
		return theme.Warn, t.Signs.Warn
	default:
		return theme.Accent, t.Signs.OK
	}
}
