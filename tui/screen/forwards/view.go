package forwards

import (
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// View is for screen.Screen.
func (m *Model) View() screen.View {
	v := screen.View{
		Title:  "Port-forwards",
		Hints:  m.env.Hints(keys.ForwardList, keys.Everywhere),
		Scopes: []keys.Scope{keys.ForwardList, keys.Moving, keys.Everywhere},
	}
	if n := len(m.list); n > 0 {
		v.Status, v.Lines = strconv.Itoa(n)+" here; they end with the dashboard, or another context", m.table.Lines()
	} else {
		v.Lines = m.empty()
	}
	if m.prompt != nil {
		v.Prompt, v.Scopes = m.asking(), []keys.Scope{keys.Input}
	}
	return v
}

// asking is the prompt, with what is wrong at its right.
func (m *Model) asking() string {
	t, width := m.env.Theme, m.width-2
	if m.note == "" {
		return m.prompt.View(width)
	}
	note := "  " + t.Render(theme.Error, widget.Truncate(t.Signs.Fail+" "+m.note, width/2, t.Signs.Ellipsis))
	return m.prompt.View(width-widget.Width(note)) + note
}

func (m *Model) empty() []string {
	text := "No port leads anywhere now. " + m.env.Keys.First(keys.List, keys.Forward) + " on a Valkey of the list leads one to it."
	lines := []string{""}
	for _, l := range widget.Wrap(text, max(m.width-2, 1)) {
		lines = append(lines, " "+m.env.Theme.Render(theme.Dim, l))
	}
	return lines
}

// leastSaid is the least width of the column that tells how a forward fares.
const leastSaid = 26

// grid is what the table shows.
func grid(t *theme.Theme, list []screen.Forward) *widget.Grid {
	g := widget.NewGrid("Local", "Valkey", "Leads to", "~How it fares", ">Open", ">In all", ">Sent", ">Received", ">Failed")
	g.Least = leastSaid
	for _, f := range list {
		g.Add(strconv.FormatUint(f.ID, 10), cells(t, f)...)
	}
	return g
}

func cells(t *theme.Theme, f screen.Forward) []widget.Cell {
	s := f.Status
	to := wished(s)
	if s.Node == "" && s.Target != "" {
		to += " " + strings.TrimPrefix(s.Target, s.Ref.Name+"-")
	}
	failed := widget.Toned(strconv.Itoa(s.Failures), theme.Dim)
	if s.Failures > 0 {
		failed.Tone = theme.Warn
	}
	return []widget.Cell{
		widget.Toned(s.Local, theme.Strong),
		widget.Toned(s.Ref.String(), theme.Text),
		widget.Toned(to, theme.Text),
		faring(t, f),
		widget.Toned(strconv.Itoa(s.Open), theme.Text),
		widget.Toned(strconv.Itoa(s.Total), theme.Text),
		widget.Toned(roster.Size(s.In), theme.Text),
		widget.Toned(roster.Size(s.Out), theme.Text),
		failed,
	}
}

// faring is the end of a forward, else its last trouble and what happened last.
func faring(t *theme.Theme, f screen.Forward) widget.Cell {
	s := f.Status
	switch {
	case f.End != nil:
		return widget.Toned(t.Signs.Fail+" ended: "+f.End.Message, theme.Error)
	case s.Problem != "":
		return widget.Toned(t.Signs.Warn+" "+s.Problem+"; "+s.Said, theme.Warn)
	case s.Target == "":
		return widget.Toned(t.Signs.Busy+" "+s.Said, theme.Busy)
	default:
		return widget.Toned(t.Signs.OK+" "+s.Said, theme.OK)
	}
}
