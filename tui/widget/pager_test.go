package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func plainText(s string) string { return ansi.Strip(s) }

func TestPagerFindsAndGoesAround(t *testing.T) {
	p := NewPager(unicodeTheme())
	p.SetSize(20, 3)
	p.SetText("a\nb needle\nc\nd\ne\nf Needle\ng\n")
	p.Find("needle")
	if p.Found() != 2 {
		t.Errorf("found in %d lines, want 2", p.Found())
	}
	seen := func() string { return plainText(strings.Join(p.Lines(), "|")) }
	if got := seen(); got != "a|b needle|c" {
		t.Errorf("it shows %q", got)
	}
	p.Next(1)
	if got := seen(); !strings.Contains(got, "f Needle") {
		t.Errorf("the next is not shown: %q", got)
	}
	p.Next(1)
	if got := seen(); !strings.Contains(got, "b needle") {
		t.Errorf("after the last comes not the first: %q", got)
	}
	p.Next(-1)
	if got := seen(); !strings.Contains(got, "f Needle") {
		t.Errorf("before the first comes not the last: %q", got)
	}
	p.Find("")
	if p.Found() != 0 {
		t.Error("it finds nothing in particular")
	}
}

func TestPagerStaysWithinItsText(t *testing.T) {
	p := NewPager(unicodeTheme())
	p.SetSize(5, 2)
	p.SetText("1\n2\n3")
	p.Move(100)
	if got := strings.Join(p.Lines(), "|"); got != "2|3" {
		t.Errorf("at the end it shows %q", got)
	}
	p.SetText("x")
	if got := strings.Join(p.Lines(), "|"); got != "x|" {
		t.Errorf("of a shorter text it shows %q", got)
	}
	p.Page(-3)
	p.SetSize(0, 0)
	if lines := p.Lines(); len(lines) != 0 {
		t.Errorf("without room it shows %q", lines)
	}
}
