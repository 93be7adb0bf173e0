package widget

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// signs are what stands before the text of a cell for the eye: marks of a state, bars.
var signs = regexp.MustCompile(`^[^\pL\pN\s]+\s+`)

// Words are the row under the cursor as a sentence: each column that has a value, the first one without its title. Columns of the titles that
// change by themselves all the time are told apart, after the place of the row. Both are empty where there is no row.
func (t *Table) Words(changing ...string) (words, figures string) {
	row := t.Cursor()
	if row < 0 {
		return "", ""
	}
	place := "row " + strconv.Itoa(row+1) + " of " + strconv.Itoa(t.Len())
	words, figures = sentence(t.columns, row, t.source, changing)
	return words, strings.TrimSuffix(place+", "+figures, ", ")
}

// Words are a row of the grid as Table.Words tells it, without its place.
func (g *Grid) Words(row int, changing ...string) (words, figures string) {
	return sentence(g.Columns, row, g, changing)
}

func sentence(columns []Column, row int, source Source, changing []string) (words, figures string) {
	var told, moving []string
	for i, c := range columns {
		text, _ := source.Cell(row, i)
		text = strings.TrimSpace(signs.ReplaceAllString(text, ""))
		if text == "" || text == "-" {
			continue
		}
		title := strings.ToLower(c.Title)
		moves := slices.Contains(changing, title)
		if i > 0 || moves {
			text = title + " " + text
		}
		if moves {
			moving = append(moving, text)
		} else {
			told = append(told, text)
		}
	}
	return strings.Join(told, ", "), strings.Join(moving, ", ")
}
