package widget

import (
	"math"
	"testing"

	"kuberly.io/valkey-operator/tui/theme"
)

func unicodeTheme() *theme.Theme { return theme.New(theme.Options{Unicode: true}) }

func TestSparkline(t *testing.T) {
	th := unicodeTheme()
	for name, test := range map[string]struct {
		values []float64
		top    float64
		width  int
		want   string
	}{
		"from nothing to the greatest":     {[]float64{0, 1, 4, 8}, 0, 4, "▁▂▅█"},
		"a bound of its own":               {[]float64{0, 1}, 2, 2, "▁▅"},
		"the newest are shown":             {[]float64{9, 9, 0, 1}, 0, 2, "▁█"},
		"few stand at the right":           {[]float64{1}, 0, 3, "  █"},
		"nothing but zeros":                {[]float64{0, 0}, 0, 2, "▁▁"},
		"what is no number does not break": {[]float64{math.NaN(), math.Inf(1), -1, 1}, 0, 4, "▁█▁█"},
		"none":                             {nil, 0, 2, "  "},
		"no room":                          {[]float64{1}, 0, 0, ""},
	} {
		if got := Sparkline(th, test.values, test.top, test.width); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestBar(t *testing.T) {
	th := unicodeTheme()
	for name, test := range map[string]struct {
		part, mark float64
		want       string
	}{
		"nothing":            {0, 0, "░░░░"},
		"a little is seen":   {0.001, 0, "█░░░"},
		"half":               {0.5, 0, "██░░"},
		"nearly all is not":  {0.999, 0, "███░"},
		"all":                {1, 0, "████"},
		"more than all":      {7, 0, "████"},
		"with a bound":       {0.25, 0.75, "█░░▏"},
		"what is no number":  {math.NaN(), 0, "░░░░"},
		"a bound of nothing": {0.5, 1, "██░░"},
	} {
		if got := Bar(th, test.part, test.mark, 4); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestTabs(t *testing.T) {
	th := unicodeTheme()
	titles := []string{"One", "Two", "Three"}
	for name, test := range map[string]struct {
		active, width int
		want          string
	}{
		"all fit":                 {0, 20, " One  Two  Three "},
		"more at the right":       {0, 11, " One  Two ›"},
		"more at the left":        {2, 13, "‹ Two  Three "},
		"not even the active one": {2, 3, ""},
	} {
		if got := Tabs(th, titles, test.active, test.width); Width(got) > test.width || plainText(got) != test.want {
			t.Errorf("%s: %q, want %q", name, plainText(got), test.want)
		}
	}
	if got := TabAt(titles, 0, 20, 6); got != 1 {
		t.Errorf("at 6 is tab %d, want 1", got)
	}
	if got := TabAt(titles, 0, 20, 19); got != -1 {
		t.Errorf("at 19 is tab %d, want none", got)
	}
}
