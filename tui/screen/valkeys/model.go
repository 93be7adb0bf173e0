package valkeys

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

// Model is the list. It implements screen.Screen.
type Model struct {
	env   screen.Env
	table *widget.Table

	latest screen.Snapshot // the newest known, perhaps not arranged yet
	known  bool            // there is one
	shown  *arrangement    // what is drawn; nil before the first
	now    time.Time
	wish   wish
	// At most one arrangement is being made. What comes meanwhile is taken up when it is done, so that a flood of
	// snapshots costs one after the other and never a queue.
	arranging, again bool

	want  string      // key of a row to go to as soon as it is there
	press *tea.KeyMsg // what is pressed there then

	prompt *widget.Prompt // open while a filter is typed
	before string         // the filter before the prompt was opened
	// badFilter is what is wrong with what is typed.
	badFilter string

	width, height int
}

// arranged is the reply of the command that arranges.
type arranged struct {
	*arrangement
	list uint64
}

// detailLines is the room below the table for what is wrong with the Valkey under the cursor.
const detailLines = 1

// New makes an empty list.
func New(env screen.Env) *Model {
	return &Model{env: env, table: widget.NewTable(env.Theme), wish: wish{order: order{column: byNamespace}, names: strings.Join(env.Columns, "\n")}}
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = width, height
	m.table.SetSize(width, height-detailLines)
}

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Snapshot:
		if msg.List != m.latest.List && len(msg.Rows) == 0 {
			// What is shown is of another namespace or cluster.
			m.shown = nil
			m.table.ClearMarks()
		}
		m.latest, m.known, m.now = msg, true, msg.At
		return m.arrange()
	case screen.Clock:
		return m.tick(msg.Now)
	case screen.ShowRow:
		return m.showRow(msg)
	case screen.SortBy:
		return m.sortByName(msg)
	case screen.Created:
		m.want = string(msg.Valkey.UID)
	case arranged:
		return m.apply(msg.arrangement, msg.list)
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	}
	return nil
}

// tick shows the dates as they read now.
func (m *Model) tick(now time.Time) screen.Effect {
	before := m.now
	m.now = now
	if m.shown == nil {
		return nil
	}
	m.table.SetSource(m.shown.at(now))
	first, end := m.table.Seen()
	if !m.shown.redated(first, end, before, now) {
		return nil
	}
	return screen.Redated{}
}

// arrange starts a command that arranges the newest snapshot, or notes that it is to be done again.
func (m *Model) arrange() screen.Effect {
	if !m.known {
		return nil
	}
	if m.arranging {
		m.again = true
		return nil
	}
	m.arranging, m.again = true, false
	t, s, w := m.env.Theme, m.latest, m.wish
	return func() tea.Msg { return arranged{arrange(t, s.Snapshot, s.All, w), s.List} }
}

// apply shows an arrangement, unless the user wishes another one by now, or another list.
func (m *Model) apply(a *arrangement, list uint64) screen.Effect {
	m.arranging = false
	if a.wish == m.wish && list == m.latest.List {
		m.shown = a
		frozen := 1
		if a.all {
			frozen = 2
		}
		m.table.SetColumns(a.columns, frozen)
		m.table.SetSorted(m.sortedColumn(), a.wish.order.descending)
		m.table.SetStale(a.snapshot.Stale)
		m.table.SetSource(a.at(m.now))
		m.keepMarks(a.snapshot.Rows)
	} else {
		m.again = true
	}
	wanted := m.goToWanted()
	if m.again {
		return screen.Effects{wanted, m.arrange()}
	}
	return wanted
}

// goToWanted puts the cursor on the row that is waited for, once it is shown.
func (m *Model) goToWanted() screen.Effect {
	if m.want == "" || m.again || !m.table.Select(m.want) {
		return nil
	}
	press := m.press
	m.want, m.press = "", nil
	if press == nil {
		return nil
	}
	return m.key(*press)
}

// showRow goes to a row and presses a key there. A filter that hides it, and marks, which would be acted on in its place, go.
func (m *Model) showRow(msg screen.ShowRow) screen.Effect {
	m.want, m.press, m.prompt = string(msg.UID), &msg.Key, nil
	m.table.ClearMarks()
	if m.table.Select(m.want) {
		return m.goToWanted()
	}
	m.wish.filter = ""
	return m.arrange()
}

// keepMarks drops the marks of objects that are gone. Those that are only filtered out keep theirs.
func (m *Model) keepMarks(rows []*kube.Row) {
	if m.table.Marks() == 0 {
		return
	}
	exists := make(map[string]struct{}, len(rows))
	for _, r := range rows {
		exists[string(r.UID)] = struct{}{}
	}
	m.table.KeepMarks(func(key string) bool { _, found := exists[key]; return found })
}

// sortedColumn is the place on the screen of the column that is sorted by. Namespace and then name is the order in which rows
// come: with one namespace it shows as sorted by name.
func (m *Model) sortedColumn() int {
	for i, c := range m.shown.shown {
		if c == m.wish.order.column || m.wish.order.column == byNamespace && !m.shown.all && c == byName {
			return i
		}
	}
	return -1
}

// current is the row under the cursor, nil where there is none.
func (m *Model) current() *kube.Row {
	i := m.table.Cursor()
	if m.shown == nil || i < 0 {
		return nil
	}
	return m.shown.rows[i]
}

// chosen are the marked rows, else the one under the cursor.
func (m *Model) chosen() []*kube.Row {
	if m.table.Marks() > 0 {
		var rows []*kube.Row
		for _, r := range m.shown.snapshot.Rows {
			if m.table.IsMarked(string(r.UID)) {
				rows = append(rows, r)
			}
		}
		return rows
	}
	if r := m.current(); r != nil {
		return []*kube.Row{r}
	}
	return nil
}
