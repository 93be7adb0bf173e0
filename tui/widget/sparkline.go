package widget

import (
	"math"

	"kuberly.io/valkey-operator/tui/theme"
)

// Sparkline draws the newest values, one cell each, from zero to the greatest of them; where top is above zero it is from zero
// to top. Fewer values than the width stand at the right edge.
func Sparkline(t *theme.Theme, values []float64, top float64, width int) string {
	if width <= 0 {
		return ""
	}
	values = values[max(len(values)-width, 0):]
	if top <= 0 {
		for _, v := range values {
			if v > top && !math.IsInf(v, 0) {
				top = v
			}
		}
	}
	ramp := t.Signs.Ramp
	line := []byte(Spaces(width - len(values)))
	for _, v := range values {
		step := 0
		switch {
		case top <= 0 || !(v > 0): // also what is no number
		case v >= top:
			step = len(ramp) - 1
		default:
			step = int(math.Ceil(v / top * float64(len(ramp)-1)))
		}
		line = append(line, ramp[step]...)
	}
	return string(line)
}

// Bar draws how much of a whole is used; mark, where it is within, is the place of a bound on the way.
func Bar(t *theme.Theme, part, mark float64, width int) string {
	if width <= 0 {
		return ""
	}
	full := cells(part, width)
	at := -1
	if mark > 0 && mark < 1 {
		at = min(cells(mark, width), width-1)
	}
	line := make([]byte, 0, 3*width)
	for i := range width {
		switch {
		case i == at:
			line = append(line, t.Signs.BarMark...)
		case i < full:
			line = append(line, t.Signs.BarFull...)
		default:
			line = append(line, t.Signs.BarRest...)
		}
	}
	return string(line)
}

// cells is how many of a number of cells a part takes: at least one where there is something, all only where it is full.
func cells(part float64, width int) int {
	switch {
	case !(part > 0): // also what is no number
		return 0
	case part >= 1:
		return width
	}
	return min(max(int(math.Round(part*float64(width))), 1), max(width-1, 1))
}
