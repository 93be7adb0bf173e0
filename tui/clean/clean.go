package clean

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxLine is the longest line in bytes that Log hands out, the mark of a cut and the final reset aside.
const MaxLine = 16 << 10

// maxText bounds what Text and Block hand out: no label, message or manifest of a sane object comes near it.
const maxText = 2 << 20

// Text cleans one line of text that is drawn in one place: no escape sequence, no control character, no newline
// and no tab survive. Text that is clean already is returned as it is, without a copy.
func Text(s string) string {
	if isPlain(s) {
		return s
	}
	c := cleaner{in: s, limit: maxText, newline: " ", tab: " "}
	c.run()
	return c.out.String()
}

// Block cleans text of several lines, such as YAML or a message: newlines stay, tabs become spaces.
func Block(s string) string {
	c := cleaner{in: s, limit: maxText, newline: "\n", tab: "    "}
	c.run()
	return c.out.String()
}

// Log cleans one line of a log: as Text does, but colours (SGR) survive and are reset at the end of the line, and a
// line longer than MaxLine is cut and ends in a mark that says how much is missing.
func Log(s string) string { return LogPart(s, 0) }

// LogPart is Log for the beginning of a line of which missing bytes have been left out already.
func LogPart(s string, missing int) string {
	if missing == 0 && len(s) <= MaxLine && isPlain(s) {
		return s
	}
	c := cleaner{in: s, limit: MaxLine, newline: " ", tab: "    ", colours: true}
	c.run()
	if c.coloured {
		// Without it the colour would run on into whatever is drawn next.
		c.out.WriteString("\x1b[0m")
	}
	if missing += len(s) - c.pos; missing > 0 {
		c.out.WriteString(" … (" + strconv.Itoa(missing) + " bytes more)")
	}
	return c.out.String()
}

// isPlain reports whether s is printable ASCII alone, which needs no cleaning.
func isPlain(s string) bool {
	if len(s) > maxText {
		return false
	}
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// cleaner walks over its input once. No step looks at a byte more than a constant number of times, so that a hostile
// line costs no more than a long one.
type cleaner struct {
	in           string
	pos          int
	out          strings.Builder
	limit        int // in bytes of output
	newline, tab string
	colours      bool // SGR sequences survive

	coloured bool // a colour is on
	marks    int  // combining marks since the last base character
	base     rune // the last character with a width; 0 at the start of a line
}

func (c *cleaner) run() {
	c.out.Grow(min(len(c.in), c.limit))
	for c.pos < len(c.in) && c.out.Len() < c.limit {
		r, size := utf8.DecodeRuneInString(c.in[c.pos:])
		switch {
		case r == utf8.RuneError && size == 1:
			c.pos++
			c.put(utf8.RuneError)
		case r == 0x1b:
			c.escape(c.pos + 1)
		case r >= 0x80 && r < 0xa0:
			c.c1(r, size)
		case r < 0x20 || r == 0x7f:
			c.pos++
			c.control(r)
		default:
			c.pos += size
			c.char(r)
		}
	}
}

// control handles the C0 controls but ESC.
func (c *cleaner) control(r rune) {
	switch r {
	case '\n':
		c.space(c.newline)
	case '\t':
		c.space(c.tab)
	case '\r':
		// A carriage return would let the rest of a line overwrite its beginning; the one of CRLF is noise.
		if c.pos < len(c.in) && c.in[c.pos] != '\n' {
			c.space(" ")
		}
	}
}

func (c *cleaner) space(s string) {
	c.out.WriteString(s)
	c.marks, c.base = 0, ' '
	if strings.HasSuffix(s, "\n") {
		c.base = 0
	}
}

func (c *cleaner) put(r rune) {
	c.out.WriteRune(r)
	c.marks, c.base = 0, r
}
