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
		v.Status, v.Lines = strconv.Itoa(n)+" on this machine", m.table.Lines()
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

// source is what the table shows.
type source struct {
	columns []widget.Column
	keys    []string
	cells   [][]cell
}

type cell struct {
	text string
	tone theme.Tone
}

// leastSaid is the least width of the column that tells how a forward fares.
const leastSaid = 26

func newSource(t *theme.Theme, list []screen.Forward) *source {
	s := &source{columns: []widget.Column{
		{Title: "LOCAL"},
		{Title: "VALKEY"},
		{Title: "LEADS TO"},
		{Title: "HOW IT FARES", Min: leastSaid},
		{Title: "OPEN", Right: true},
		{Title: "IN ALL", Right: true},
		{Title: "SENT", Right: true},
		{Title: "RECEIVED", Right: true},
		{Title: "FAILED", Right: true},
	}}
	for _, f := range list {
		s.keys = append(s.keys, strconv.FormatUint(f.ID, 10))
		s.cells = append(s.cells, cells(t, f))
	}
	for i := range s.columns {
		for _, row := range s.cells {
			s.columns[i].Want = max(s.columns[i].Want, widget.Width(row[i].text))
		}
		s.columns[i].Min = min(s.columns[i].Min, s.columns[i].Want)
	}
	return s
}

func cells(t *theme.Theme, f screen.Forward) []cell {
	s := f.Status
	to := wished(s)
	if s.Node == "" && s.Target != "" {
		to += " " + strings.TrimPrefix(s.Target, s.Ref.Name+"-")
	}
	failed := cell{strconv.Itoa(s.Failures), theme.Dim}
	if s.Failures > 0 {
		failed.tone = theme.Warn
	}
	return []cell{
		{s.Local, theme.Strong},
		{s.Ref.String(), theme.Text},
		{to, theme.Text},
		faring(t, f),
		{strconv.Itoa(s.Open), theme.Text},
		{strconv.Itoa(s.Total), theme.Text},
		{roster.Size(s.In), theme.Text},
		{roster.Size(s.Out), theme.Text},
		failed,
	}
}

// faring is the end of a forward, else its last trouble and what happened last.
func faring(t *theme.Theme, f screen.Forward) cell {
	s := f.Status
	switch {
	case f.End != nil:
		return cell{t.Signs.Fail + " ended: " + f.End.Message, theme.Error}
	case s.Problem != "":
		return cell{t.Signs.Warn + " " + s.Problem + "; " + s.Said, theme.Warn}
	case s.Target == "":
		return cell{t.Signs.Busy + " " + s.Said, theme.Busy}
	default:
		return cell{t.Signs.OK + " " + s.Said, theme.OK}
	}
}

// Len is for widget.Source.
func (s *source) Len() int { return len(s.keys) }

// Key is for widget.Source.
func (s *source) Key(row int) string { return s.keys[row] }

// Cell is for widget.Source.
func (s *source) Cell(row, column int) (string, theme.Tone) {
	c := s.cells[row][column]
	return c.text, c.tone
}
