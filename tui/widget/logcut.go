package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const sgrReset = "\x1b[m"

// cutCells is the part of a line that stands in the cells from skip on, at most width of them. Colours that were set before are
// set again, and none is left on at the end. It stops reading at the end of the part.
func cutCells(s string, skip, width int) string {
	if width <= 0 {
		return ""
	}
	if isPlain(prefix(s, skip+width+1)) {
		if skip >= len(s) {
			return ""
		}
		return s[skip:min(len(s), skip+width)]
	}
	var out strings.Builder
	colours := ""
	at := 0
	var state byte
	for len(s) > 0 {
		seq, w, n, next := ansi.DecodeSequence(s, state, nil)
		state, s = next, s[n:]
		if w == 0 {
			if isSGR(seq) {
				colours = carry(colours, seq)
			}
			if at >= skip {
				out.WriteString(seq)
			}
			continue
		}
		if at+w > skip+width {
			break
		}
		if at >= skip {
			if out.Len() == 0 {
				out.WriteString(colours)
			}
			out.WriteString(seq)
		}
		at += w
	}
	if colours != "" {
		out.WriteString(sgrReset)
	}
	return out.String()
}

// prefix is the start of the text, at most n bytes.
func prefix(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// wrapCells breaks a line into parts of at most width cells each. Colours go on from part to part, and end with each.
func wrapCells(s string, width int) []string {
	if width <= 0 || s == "" {
		return []string{""}
	}
	if isPlain(s) {
		rows := make([]string, 0, len(s)/width+1)
		for len(s) > width {
			rows = append(rows, s[:width])
			s = s[width:]
		}
		return append(rows, s)
	}
	var rows []string
	var out strings.Builder
	colours := ""
	at := 0
	end := func() {
		if colours != "" {
			out.WriteString(sgrReset)
		}
		rows = append(rows, out.String())
		out.Reset()
		out.WriteString(colours)
		at = 0
	}
	var state byte
	for len(s) > 0 {
		seq, w, n, next := ansi.DecodeSequence(s, state, nil)
		state, s = next, s[n:]
		if w > width {
			continue // a wide character where there is one cell alone
		}
		if at+w > width {
			end()
		}
		if w == 0 && isSGR(seq) {
			colours = carry(colours, seq)
		}
		out.WriteString(seq)
		at += w
	}
	end()
	return rows
}

func isSGR(seq string) bool {
	return strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m")
}

// carry adds a colour to those that are on.
func carry(colours, seq string) string {
	if seq == sgrReset || seq == "\x1b[0m" {
		return ""
	}
	// A line that sets thousands of colours keeps the last ones; more than a few never matter.
	const bound = 256
	if len(colours)+len(seq) > bound {
		colours = ""
	}
	return colours + seq
}
