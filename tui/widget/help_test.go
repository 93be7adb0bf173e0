package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"kuberly.io/valkey-operator/tui/theme"
)

// Where the room is scarce the hints of a screen give way to those that lead out of it and to all others.
func TestHintsKeepWhatLeadsOn(t *testing.T) {
	look := theme.New(theme.Options{Depth: theme.TrueColor})
	hints := []Hint{{Key: "a", Text: "first"}, {Key: "b", Text: "second"}, {Key: "c", Text: "x"}, {Key: "?", Text: "help", Keep: true}, {Key: "q", Text: "quit", Keep: true}}
	for width := range 60 {
		line := ansi.Strip(Hints(look, hints, width))
		if w := Width(line); w > width {
			t.Fatalf("%d cells in a room of %d", w, width)
		}
		for text, from := range map[string]int{"? help": 6, "q quit": 14, "a first": 23, "b second": 33, "c x": 38} {
			if got := strings.Contains(line, text); got != (width >= from) {
				t.Errorf("in a room of %d it says %q; %s is wanted from %d on", width, line, text, from)
			}
		}
	}
}
