package widget

import (
	"strings"

	"kuberly.io/valkey-operator/tui/theme"
)

// Cell is a text with its meaning.
type Cell struct {
	Text string
	Tone theme.Tone
}

// Toned is a cell of a text.
func Toned(text string, tone theme.Tone) Cell { return Cell{text, tone} }

// Grid is a Source of cells that are all there: for tables of few rows.
type Grid struct {
	Columns []Column
	Frozen  int // columns at the left that do not scroll
	// Least is the least width of a column that may be cut.
	Least int

	keys  []string
	cells [][]Cell
}

// leastLong is what Least is where nothing else is set.
const leastLong = 12

// NewGrid has columns of the titles; one that begins with > is aligned to the right, one with ~ may be cut.
func NewGrid(titles ...string) *Grid {
	g := &Grid{Least: leastLong}
	for _, title := range titles {
		c := Column{}
		if rest, right := strings.CutPrefix(title, ">"); right {
			title, c.Right = rest, true
		}
		if rest, long := strings.CutPrefix(title, "~"); long {
			title, c.Min = rest, leastLong
		}
		c.Title = strings.ToUpper(title)
		g.Columns = append(g.Columns, c)
	}
	return g
}

// Add adds a row.
func (g *Grid) Add(key string, cells ...Cell) {
	g.keys, g.cells = append(g.keys, key), append(g.cells, cells)
	for i := range cells {
		c := &g.Columns[i]
		if c.Want = max(c.Want, Width(cells[i].Text)); c.Min > 0 {
			c.Min = min(g.Least, c.Want)
		}
	}
}

// Len is for Source.
func (g *Grid) Len() int { return len(g.keys) }

// Key is for Source.
func (g *Grid) Key(row int) string { return g.keys[row] }

// Cell is for Source.
func (g *Grid) Cell(row, column int) (string, theme.Tone) {
	c := g.cells[row][column]
	return c.Text, c.Tone
}
