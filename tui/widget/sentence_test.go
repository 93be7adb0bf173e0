package widget

import (
	"testing"

	"kuberly.io/valkey-operator/tui/theme"
)

func TestARowInWords(t *testing.T) {
	g := NewGrid("Node", "Ready", ">Ops/s", "~Memory", "Host")
	g.Add("a", Toned("● node-0", theme.Text), Toned("+ yes", theme.OK), Toned("120", theme.Text), Toned("##..| 10M/64M", theme.Text), Toned("-", theme.Dim))
	g.Add("b", Toned("node-1", theme.Text), Toned("no", theme.OK), Toned("-5", theme.Text), Toned("", theme.Text), Toned("h", theme.Dim))
	table := NewTable(testTheme(theme.Mono))
	if words, figures := table.Words(); words != "" || figures != "" {
		t.Errorf("a table without rows says %q, %q", words, figures)
	}
	table.SetColumns(g.Columns, 1)
	table.SetSource(g)
	for _, want := range [][2]string{
		{"node-0, ready yes", "row 1 of 2, ops/s 120, memory 10M/64M"},
		{"node-1, ready no, host h", "row 2 of 2, ops/s -5"},
	} {
		if words, figures := table.Words("ops/s", "memory"); words != want[0] || figures != want[1] {
			t.Errorf("it says %q, %q, want %q", words, figures, want)
		}
		table.Move(1)
	}
}
