package progress

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestStepSaysStartEndAndFailure(t *testing.T) {
	var out strings.Builder
	clock := time.Unix(0, 0)
	p := newAt(&out, func() time.Time { clock = clock.Add(31 * time.Second); return clock })

	if err := p.Step("link hyper", func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("disk full")
	if err := p.Step("pack image", func() error { return boom }); !errors.Is(err, boom) {
		t.Fatalf("got %v, want the step's own error", err)
	}
	want := []string{
		"  31.0s  link hyper ...",
		"  2m4s  link hyper: done in 31.0s",
		" 2m35s  pack image ...",
		" 3m37s  pack image: disk full",
	}
	got := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("got %d lines, want %d:\n%s", len(got), len(want), out.String())
	}
	for i := range want {
		if strings.TrimSpace(got[i]) != strings.TrimSpace(want[i]) {
			t.Errorf("line %d: got %q, want %q", i, got[i], want[i])
		}
	}
}
