package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const blanks = "                                                                                                                                "

// Spaces are n blanks.
func Spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	default:
		return strings.Repeat(" ", n)
	}
}

// Width is the number of cells that the text takes, escape sequences not counted.
func Width(s string) int {
	if isPlain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// isPlain says that every byte of the text is one cell.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Truncate cuts the text to the width; where something is cut it ends in the tail.
func Truncate(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	if isPlain(s) {
		if len(s) <= width {
			return s
		}
		if t := Width(tail); t < width {
			return s[:width-t] + tail
		}
		return s[:width]
	}
	if ansi.StringWidth(s) <= width {
		return s
	}
	if Width(tail) >= width {
		tail = ""
	}
	return ansi.Truncate(s, width, tail)
}

// Fit truncates or pads the text to exactly the width.
func Fit(s string, width int, tail string) string {
	s = Truncate(s, width, tail)
	return s + Spaces(width-Width(s))
}

// FitRight is Fit with the text at the right edge.
func FitRight(s string, width int, tail string) string {
	s = Truncate(s, width, tail)
	return Spaces(width-Width(s)) + s
}

// Wrap breaks the text at blanks (or anywhere, where a word is too long) into lines of at most the width.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	return strings.Split(ansi.Wrap(s, width, ""), "\n")
}

// Ends puts one text at the left edge of a line and one at the right. The left one is cut where both do not fit.
func Ends(left, right string, width int, tail string) string {
	r := Width(right)
	if r == 0 {
		return Fit(left, width, tail)
	}
	if r+1 >= width {
		return Fit(right, width, tail)
	}
	return Fit(left, width-r-1, tail) + " " + right
}

// Height makes exactly n lines of the lines, by cutting or by adding empty ones.
func Height(lines []string, n int) []string {
	if len(lines) > n {
		return lines[:n]
	}
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines
}
