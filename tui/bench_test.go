package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

// manyRows is a session at 200x50 that shows 10,000 rows.
func manyRows(b testing.TB) *session {
	b.Helper()
	s := newSession(b, newFake(many(10_000)...), 200, 50, theme.TrueColor)
	s.press("0")
	s.sees("10000 Valkeys")
	return s
}

// BenchmarkUpdateView10000 is a key and the view after it, at 10,000 rows.
func BenchmarkUpdateView10000(b *testing.B) {
	s := manyRows(b)
	down, up := tea.KeyMsg{Type: tea.KeyPgDown}, tea.KeyMsg{Type: tea.KeyUp}
	took := make([]time.Duration, 0, 100_000)
	for i := 0; b.Loop(); i++ {
		msg := down
		if i%3 == 0 {
			msg = up
		}
		began := time.Now()
		s.m.Update(msg)
		if len(s.m.View()) == 0 {
			b.Fatal("nothing is drawn")
		}
		took = append(took, time.Since(began))
	}
	report(b, took)
}

// BenchmarkTick is a second of a dashboard at rest: one in which all dates read otherwise, and one in which none does.
func BenchmarkTick(b *testing.B) {
	for name, by := range map[string]time.Duration{"all dates": time.Hour, "no date": 0} {
		b.Run(name, func(b *testing.B) {
			s := manyRows(b)
			now := s.m.now()
			s.m.now = func() time.Time { return now }
			p := newPainter(s.m, discard{}, false)
			if err := p.enter(); err != nil {
				b.Fatal(err)
			}
			p.paint()
			b.ReportAllocs()
			for b.Loop() {
				now, by = now.Add(by), -by
				p.painted = time.Time{}
				p.Update(ticked{})
			}
		})
	}
}

// discard is a terminal that shows nothing.
type discard struct{}

func (discard) Write(text []byte) (int, error) { return len(text), nil }
func (discard) raw() error                     { return nil }
func (discard) cooked()                        {}

// BenchmarkSnapshot10000 is a new snapshot of 10,000 rows: what of it happens in Update, with the view after it.
func BenchmarkSnapshot10000(b *testing.B) {
	s := manyRows(b)
	snapshot := s.m.latest
	rows := slices.Clone(snapshot.Rows)
	rows[5000] = object{namespace: "team-05", name: "changed"}.row()
	took := make([]time.Duration, 0, 100_000)
	for i := 0; b.Loop(); i++ {
		next := snapshot
		if i%2 == 0 {
			next.Rows = rows
		}
		began := time.Now()
		effect := s.m.top().screen.Update(next)
		inUpdate := time.Since(began)
		cmd, isCmd := effect.(func() tea.Msg)
		if !isCmd {
			b.Fatalf("a snapshot leads to %T, want a command", effect)
		}
		msg := cmd() // sorting and measuring, beside the loop
		began = time.Now()
		s.m.Update(msg)
		s.m.View()
		took = append(took, inUpdate+time.Since(began))
	}
	report(b, took)
}

// BenchmarkLogBatch is 1,000 new lines in a full log, and the view after them.
func BenchmarkLogBatch(b *testing.B) {
	f := newFake(cast()...)
	s := newSession(b, f, 200, 50, theme.TrueColor)
	s.sees("sessions")
	s.press("l")
	s.sees("waiting for lines")
	lines := make([]kube.Line, 1000)
	for i := range lines {
		lines[i] = kube.Line{Node: "cache-node-0", Text: strings.Repeat("some text ", 12), Time: time.Unix(1_700_000_000, 0)}
	}
	id := s.m.top().id
	took := make([]time.Duration, 0, 100_000)
	for b.Loop() {
		began := time.Now()
		s.m.broadcast(screen.LogLines{To: id, Lines: lines})
		s.m.View()
		took = append(took, time.Since(began))
	}
	report(b, took)
}

func report(b *testing.B, took []time.Duration) {
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}

// The view of 10,000 rows costs what the view of a screenful costs: it draws only what is visible.
func TestViewCostsWhatIsVisible(t *testing.T) {
	few := newSession(t, newFake(many(100)...), 200, 50, theme.TrueColor)
	few.press("0")
	few.sees("100 Valkeys")
	lots := manyRows(t)
	cost := func(s *session) float64 {
		return testing.AllocsPerRun(10, func() {
			s.m.Update(tea.KeyMsg{Type: tea.KeyDown})
			s.m.View()
		})
	}
	if a, b := cost(few), cost(lots); b > 1.5*a {
		t.Errorf("%.0f allocations with 100 rows, %.0f with 10,000", a, b)
	}
}
