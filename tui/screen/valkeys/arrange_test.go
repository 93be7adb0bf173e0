package valkeys

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

func snapshotOf(n int) kube.Snapshot {
	s := kube.Snapshot{Synced: true, Columns: []kube.Column{
		{Name: "Image", Type: "string", JSONPath: ".spec.image"},
		{Name: "Status", Type: "string", JSONPath: ".status.status"},
		{Name: "Replicas", Type: "integer", JSONPath: ".spec.replicas"},
		{Name: "Primary", Type: "string", JSONPath: ".status.primary", Priority: 1},
	}}
	for i := range n {
		replicas := (i * 7) % 6
		s.Rows = append(s.Rows, &kube.Row{
			UID: types.UID(strconv.Itoa(i)), Namespace: fmt.Sprintf("team-%02d", i*37/n), Name: fmt.Sprintf("app-%05d", i), Status: v1alpha1.PhaseRunning,
			Cells: []kube.Cell{
				{Text: "valkey/valkey:9.1"}, {Text: "running"}, {Text: strconv.Itoa(replicas), Sort: float64(replicas)}, {Text: "x"},
			},
		})
	}
	return s
}

func names(a *arrangement) (all []string) {
	for _, r := range a.rows {
		all = append(all, r.Name)
	}
	return all
}

func TestArrangeDoesNotTouchTheSnapshot(t *testing.T) {
	s := snapshotOf(20)
	look := theme.New(theme.Options{})
	first := s.Rows[0]
	a := arrange(look, s, true, wish{order: order{column: 2, descending: true}})
	if s.Rows[0] != first {
		t.Error("the rows of the snapshot were sorted in place")
	}
	if got := a.rows[0].Cells[2].Text; got != "5" {
		t.Errorf("sorted downwards by replicas the first has %s", got)
	}
}

func TestArrangeKeepsTheOrderOfEquals(t *testing.T) {
	a := arrange(theme.New(theme.Options{}), snapshotOf(20), true, wish{order: order{column: 0}})
	for i, name := range names(a) {
		if want := fmt.Sprintf("app-%05d", i); name != want {
			t.Fatalf("row %d is %s, want %s", i, name, want)
		}
	}
}

func TestArrangeSurvivesColumnsThatWentAway(t *testing.T) {
	s := snapshotOf(5)
	for _, r := range s.Rows {
		r.Cells = r.Cells[:1]
	}
	a := arrange(theme.New(theme.Options{}), s, false, wish{order: order{column: 3}, wide: true})
	if text, _ := a.at(time.Time{}).Cell(0, 3); text != "" {
		t.Errorf("a cell that is not there is %q", text)
	}
}

func BenchmarkArrange10000(b *testing.B) {
	s := snapshotOf(10_000)
	look := theme.New(theme.Options{})
	for name, w := range map[string]wish{
		"as it comes":        {order: order{column: byNamespace}},
		"sorted by replicas": {order: order{column: 2}},
		"sorted by image":    {order: order{column: 0, descending: true}},
		"filtered":           {filter: "99 team", order: order{column: byNamespace}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if arrange(look, s, true, w).Len() == 0 {
					b.Fatal("no rows")
				}
			}
		})
	}
}
