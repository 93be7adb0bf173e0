package clean

import (
	"strconv"
	"strings"
)

// maxParams is the longest list of SGR parameters in bytes that is looked at.
const maxParams = 128

// escape handles the sequence that begins with the ESC before position i.
func (c *cleaner) escape(i int) {
	if i >= len(c.in) {
		c.pos = i
		return
	}
	switch c.in[i] {
	case '[':
		c.csi(i + 1)
	case ']', 'P', 'X', '^', '_':
		c.stringSequence(i + 1)
	default: // ESC, intermediates, final: character sets and the like
		i = c.skip(i, 0x20, 0x2f)
		if i < len(c.in) && c.in[i] >= 0x30 && c.in[i] <= 0x7e {
			i++
		}
		c.pos = i
	}
}

// skip returns the position of the first byte from i on that is not between low and high.
func (c *cleaner) skip(i int, low, high byte) int {
	for i < len(c.in) && c.in[i] >= low && c.in[i] <= high {
		i++
	}
	return i
}

// c1 handles a control of the upper set, which some terminals take for ESC and a letter.
func (c *cleaner) c1(r rune, size int) {
	c.pos += size
	switch r {
	case 0x9b:
		c.csi(c.pos)
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		c.stringSequence(c.pos)
	case 0x85:
		c.space(c.newline)
	}
}

// csi handles a control sequence whose parameters begin at i.
func (c *cleaner) csi(i int) {
	start := i
	i = c.skip(i, 0x20, 0x3f)
	c.pos = i
	if i >= len(c.in) || c.in[i] < 0x40 || c.in[i] > 0x7e {
		return // broken off: a terminal would drop it, too
	}
	c.pos++
	if !c.colours || c.in[i] != 'm' {
		return
	}
	if params, reset, ok := colours(c.in[start:i]); ok {
		c.out.WriteString("\x1b[" + params + "m")
		c.coloured = !reset
	}
}

// stringSequence drops a sequence that carries a string (a window title, a link, the clipboard), if it is complete. Of a broken one
// only the beginning is dropped, so that nobody can hide the rest of a line behind it.
func (c *cleaner) stringSequence(i int) {
	c.pos = i
	for ; i < len(c.in); i++ {
		switch b := c.in[i]; {
		case b == 0x07:
			c.pos = i + 1
			return
		case b == 0x1b:
			if i+1 < len(c.in) && c.in[i+1] == '\\' {
				c.pos = i + 2
			}
			return
		case b == 0xc2 && i+1 < len(c.in) && c.in[i+1] == 0x9c:
			c.pos = i + 2
			return
		case b < 0x20 && b != '\t', b == 0xc2 && i+1 < len(c.in) && c.in[i+1] < 0xa0:
			return
		}
	}
}

// colours returns those of the SGR parameters that are colours or weights. Blinking, hidden, reversed and struck text is for the
// dashboard alone. reset says that nothing is on after them.
func colours(params string) (kept string, reset, ok bool) {
	if len(params) > maxParams {
		return "", false, false
	}
	fields := strings.FieldsFunc(params, func(r rune) bool { return r == ';' || r == ':' })
	if len(fields) == 0 {
		return "0", true, params == "" || strings.Trim(params, ";") == ""
	}
	out := make([]string, 0, len(fields))
	for i := 0; i < len(fields); i++ {
		n, err := strconv.Atoi(fields[i])
		if err != nil || n < 0 {
			return "", false, false
		}
		switch {
		case n == 38 || n == 48 || n == 58:
			width, valid := extended(fields[i:])
			if !valid {
				return strings.Join(out, ";"), reset, len(out) > 0
			}
			if n != 58 {
				out = append(out, fields[i:i+width]...)
				reset = false
			}
			i += width - 1
		case isColour(n):
			out = append(out, strconv.Itoa(n))
			reset = n == 0
		}
	}
	return strings.Join(out, ";"), reset, len(out) > 0
}

// extended is the number of fields of a colour by number (38;5;n) or by value (38;2;r;g;b).
func extended(fields []string) (width int, valid bool) {
	if len(fields) < 3 {
		return 0, false
	}
	switch fields[1] {
	case "5":
		width = 3
	case "2":
		width = 5
	default:
		return 0, false
	}
	if len(fields) < width {
		return 0, false
	}
	for _, f := range fields[2:width] {
		if n, err := strconv.Atoi(f); err != nil || n < 0 || n > 255 {
			return 0, false
		}
	}
	return width, true
}

func isColour(n int) bool {
	switch {
	case n <= 4, n >= 22 && n <= 24, n >= 30 && n <= 37, n == 39, n >= 40 && n <= 47, n == 49, n >= 90 && n <= 97,
		n >= 100 && n <= 107:
		return true
	}
	return false
}
