package valkeys

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

// Rows that were being arranged when another list was wished are not shown under its name.
func TestALateArrangementIsNotShown(t *testing.T) {
	m := New(screen.Env{Theme: theme.New(theme.Options{}), Keys: keys.Default()})
	m.SetSize(100, 20)
	late := run(t, m.Update(screen.Snapshot{Snapshot: snapshotOf(3), Namespace: "a", List: 1}))
	m.Update(screen.Snapshot{Snapshot: kube.Snapshot{Columns: snapshotOf(1).Columns}, Namespace: "a", List: 2})
	again := m.Update(late)
	if text := strings.Join(m.View().Lines, "\n"); strings.Contains(text, "app-0000") {
		t.Errorf("rows of another list are shown:\n%s", text)
	}
	m.Update(screen.Snapshot{Snapshot: snapshotOf(2), Namespace: "a", List: 2})
	last := m.Update(run(t, second(t, again)))
	m.Update(run(t, second(t, last)))
	if n := m.table.Len(); n != 2 {
		t.Errorf("%d rows are shown, want the 2 of the list that is wished", n)
	}
}

// second is the second of two effects.
func second(t *testing.T, effect screen.Effect) screen.Effect {
	t.Helper()
	effects, _ := effect.(screen.Effects)
	if len(effects) != 2 {
		t.Fatalf("there is no second one of %v", effect)
	}
	return effects[1]
}

// run does the work of an effect.
func run(t *testing.T, effect screen.Effect) tea.Msg {
	t.Helper()
	work, isWork := effect.(func() tea.Msg)
	if !isWork {
		t.Fatalf("%T is no work", effect)
	}
	return work()
}
