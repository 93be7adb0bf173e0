package valkeys

import (
	"slices"
	"strings"
	"time"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// Columns that are not in Snapshot.Columns, as values of order.column.
const (
	byName      = -1
	byNamespace = -2
)

// order is by what the rows are sorted. The column is a place in Snapshot.Columns or one of the above.
type order struct {
	column     int
	descending bool
}

// wish is what the user wants to see.
type wish struct {
	filter string
	order  order
	wide   bool
	names  string // of the columns that the configuration wants, a line for each; empty for those that the CRD wants
}

// arrangement is a list that is ready to be drawn. It is made in a command and not changed afterwards.
type arrangement struct {
	wish     wish
	snapshot kube.Snapshot
	all      bool

	rows    []*kube.Row
	shown   []int // places in Snapshot.Columns, with the above for name and namespace
	columns []widget.Column
	theme   *theme.Theme
	special special
	counts  counts
}

// counts are the numbers of Valkeys by state, of all rows, the filtered ones too.
type counts struct{ running, busy, failed, stopped, other int }

// special are the places of the columns with a meaning of their own, -1 for none.
type special struct{ status, failure, ready int }

// arrange filters, sorts and measures. It is pure.
func arrange(t *theme.Theme, s kube.Snapshot, all bool, w wish) *arrangement {
	a := &arrangement{wish: w, snapshot: s, all: all, theme: t, special: specialColumns(s.Columns)}
	f, err := parseFilter(w.filter)
	if err != nil {
		f = filter{} // it was checked when it was typed
	}
	a.rows = f.apply(s.Rows)
	a.shown = shownColumns(s.Columns, all, w)
	sortRows(a.rows, w.order)
	a.counts = count(s.Rows)
	a.columns = make([]widget.Column, len(a.shown))
	for i, c := range a.shown {
		a.columns[i] = a.column(c)
	}
	return a
}

func count(rows []*kube.Row) counts {
	var n counts
	for _, r := range rows {
		switch {
		case r.Deleting:
			n.other++
		case r.Status == v1alpha1.PhaseRunning:
			n.running++
		case r.Status == v1alpha1.PhaseInProgress:
			n.busy++
		case r.Status == v1alpha1.PhaseFailed:
			n.failed++
		case r.Status == v1alpha1.PhaseStopped:
			n.stopped++
		default:
			n.other++
		}
	}
	return n
}

func specialColumns(columns []kube.Column) special {
	s := special{status: -1, failure: -1, ready: -1}
	for i, c := range columns {
		switch strings.TrimPrefix(c.JSONPath, ".") {
		case "status.status":
			s.status = i
		case "status.error":
			s.failure = i
		case "status.ready_replicas":
			s.ready = i
		}
	}
	return s
}

// shownColumns are those of priority 0, or those that the configuration names, in its order; wide is all.
func shownColumns(columns []kube.Column, all bool, w wish) []int {
	var shown []int
	if all {
		shown = append(shown, byNamespace)
	}
	shown = append(shown, byName)
	names := strings.FieldsFunc(w.names, func(r rune) bool { return r == '\n' })
	for _, name := range names {
		if i := slices.IndexFunc(columns, func(c kube.Column) bool { return strings.EqualFold(c.Name, name) }); i >= 0 {
			shown = append(shown, i)
		}
	}
	for i, c := range columns {
		if !slices.Contains(shown, i) && (w.wide || len(names) == 0 && c.Priority == 0) {
			shown = append(shown, i)
		}
	}
	return shown
}

func contains(s, lower string) bool { return widget.IndexFold(s, lower) >= 0 }

// sortRows sorts by the order; what is equal stays in the order of namespace and name in which it came.
func sortRows(rows []*kube.Row, o order) {
	if o == (order{column: byNamespace}) {
		return // as they come
	}
	slices.SortFunc(rows, func(a, b *kube.Row) int {
		c := compareRows(a, b, o.column)
		if o.descending {
			c = -c
		}
		if c != 0 {
			return c
		}
		return compareRows(a, b, byNamespace)
	})
}

func compareRows(a, b *kube.Row, column int) int {
	switch column {
	case byNamespace:
		if c := strings.Compare(a.Namespace, b.Namespace); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	case byName:
		return strings.Compare(a.Name, b.Name)
	default:
		return kube.Compare(cellOf(a, column), cellOf(b, column))
	}
}

func cellOf(r *kube.Row, column int) kube.Cell {
	if column < len(r.Cells) {
		return r.Cells[column]
	}
	return kube.Cell{}
}

// column measures one column over all rows.
func (a *arrangement) column(c int) widget.Column {
	col := widget.Column{Title: a.title(c), Rank: a.rank(c)}
	for i := range a.rows {
		col.Want = max(col.Want, a.cells(i, c))
	}
	most, least := a.bounds(c)
	col.Want = min(max(col.Want, a.reserve(c)), most)
	col.Min = min(least, col.Want)
	col.Right = c >= 0 && (a.snapshot.Columns[c].Type == "integer" || a.snapshot.Columns[c].Type == "number")
	return col
}

// Ranks of columns: what is left out first where not all fit is first.
const (
	rankSize   = iota + 1 // what was asked for, and changes seldom
	rankOther             // also columns that somebody added
	rankImage             // it can be cut
	rankSorted            // what the rows are sorted by
	rankCount             // of servers
	rankStatus
)

// rank says what a column is worth where not all fit.
func (a *arrangement) rank(c int) int {
	if c < 0 || c == a.special.status {
		return rankStatus
	}
	switch path := strings.TrimPrefix(a.snapshot.Columns[c].JSONPath, "."); {
	case path == "spec.replicas" || c == a.special.ready:
		return rankCount
	case c == a.wish.order.column:
		return rankSorted
	case path == "spec.image":
		return rankImage
	case strings.HasPrefix(path, "spec.resource.") || strings.HasPrefix(path, "spec.volume."):
		return rankSize
	default:
		return rankOther
	}
}

// cells is the width of a cell's text.
func (a *arrangement) cells(row, c int) int {
	r := a.rows[row]
	switch c {
	case byName:
		return widget.Width(r.Name)
	case byNamespace:
		return widget.Width(r.Namespace)
	case a.special.status:
		return widget.Width(cellOf(r, c).Text) + 2 // its sign
	default:
		return widget.Width(cellOf(r, c).Text)
	}
}

// bounds are the most that a column may take and the least that it may shrink to; 0 for one that stays whole, as states,
// numbers and dates do.
func (a *arrangement) bounds(c int) (most, least int) {
	switch {
	case c == byName || c == byNamespace:
		return 63, 12
	case c == a.special.failure:
		return 120, 8
	case c == a.special.status || a.snapshot.Columns[c].Type != "string":
		return 40, 0
	default:
		return 40, 20
	}
}

// reserve is the room for values that come and go, so that the columns do not jump.
func (a *arrangement) reserve(c int) int {
	const dateCells = 6 // 11h59m
	switch {
	case c >= 0 && c == a.special.status:
		return len(v1alpha1.PhaseInProgress) + 2
	case c >= 0 && a.snapshot.Columns[c].Type == "date":
		return dateCells
	default:
		return 0
	}
}

func (a *arrangement) title(c int) string {
	switch c {
	case byName:
		return "NAME"
	case byNamespace:
		return "NAMESPACE"
	default:
		return strings.ToUpper(a.snapshot.Columns[c].Name)
	}
}

// redated says whether a date of the rows from first up to end reads otherwise now than before.
func (a *arrangement) redated(first, end int, before, now time.Time) bool {
	for _, row := range a.rows[first:end] {
		for _, c := range a.shown {
			if c < 0 {
				continue // the name or the namespace
			}
			if cell := cellOf(row, c); cell.IsDate() && cell.Reads(before) != cell.Reads(now) {
				return true
			}
		}
	}
	return false
}

// view is an arrangement at a time: its dates tick.
type view struct {
	*arrangement
	now time.Time
}

func (a *arrangement) at(now time.Time) view { return view{a, now} }

// Len is for widget.Source.
func (a *arrangement) Len() int { return len(a.rows) }

// Key is for widget.Source: a row is its object, whatever its name and place.
func (a *arrangement) Key(row int) string { return string(a.rows[row].UID) }

// Cell is for widget.Source.
func (v view) Cell(row, column int) (string, theme.Tone) {
	c := v.shown[column]
	text := v.text(row, c)
	r := v.rows[row]
	switch {
	case c == byName:
		return text, theme.Text
	case c == byNamespace:
		return text, theme.Dim
	case c == v.special.status:
		_, tone := screen.Phase(v.theme, r)
		return text, tone
	case c == v.special.failure:
		return text, theme.Error
	case c == v.special.ready && r.Ready < r.Replicas:
		return text, theme.Warn
	default:
		return text, theme.Text
	}
}

// text is what stands in a cell.
func (v view) text(row, c int) string {
	r := v.rows[row]
	switch c {
	case byName:
		return r.Name
	case byNamespace:
		return r.Namespace
	case v.special.status:
		sign, _ := screen.Phase(v.theme, r)
		if v.snapshot.Stale {
			sign = v.theme.Signs.Unknown
		}
		if r.Deleting {
			return sign + " deleting"
		}
		return sign + " " + cellOf(r, c).Text
	default:
		return cellOf(r, c).Reads(v.now)
	}
}
