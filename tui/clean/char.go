package clean

import (
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks one character may carry. Real scripts need up to three or four; stacks of dozens draw over
// the lines above and below.
const maxMarks = 4

const (
	zeroWidthJoiner   = 0x200d
	variationText     = 0xfe0e
	variationEmoji    = 0xfe0f
	enclosingKeycap   = 0x20e3
	firstSymbol       = 0x2190 // arrows; the emoji begin above them, but for a few
	firstSkinTone     = 0x1f3fb
	lastSkinTone      = 0x1f3ff
	firstVariation    = 0xe0100
	lastVariation     = 0xe01ef
	firstShortVariant = 0xfe00
)

// char handles a character that is no control.
func (c *cleaner) char(r rune) {
	switch {
	case r < 0x7f:
		c.put(r)
	case r == zeroWidthJoiner || r == variationEmoji || r == variationText:
		c.emoji(r)
	case isInvisible(r):
	case unicode.Is(unicode.M, r):
		c.mark(r)
	case unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r):
		c.space(c.newline)
	case unicode.Is(unicode.Zs, r):
		c.space(" ")
	case unicode.IsPrint(r) || unicode.Is(unicode.Co, r):
		c.put(r)
	default:
		c.put(utf8.RuneError)
	}
}

// emoji keeps the joiner between two symbols, and a variation selector, once, behind a character that it means something for.
func (c *cleaner) emoji(r rune) {
	if r == zeroWidthJoiner {
		if isSymbol(c.base) && c.nextIsSymbol() {
			c.out.WriteRune(r)
		}
		return
	}
	if c.marks == 0 && (isSymbol(c.base) || isKey(c.base)) {
		c.out.WriteRune(r)
		c.marks++
	}
}

// isKey reports whether r can be the base of a keycap emoji.
func isKey(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// mark keeps a combining mark that has a character to stand on.
func (c *cleaner) mark(r rune) {
	if c.base == 0 || c.base == ' ' || c.marks >= maxMarks {
		return
	}
	if r == enclosingKeycap && c.base >= 0x80 {
		return
	}
	c.out.WriteRune(r)
	c.marks++
}

func (c *cleaner) nextIsSymbol() bool {
	r, _ := utf8.DecodeRuneInString(c.in[c.pos:])
	return isSymbol(r)
}

// isSymbol reports whether an emoji sequence may hold r.
func isSymbol(r rune) bool {
	if r == utf8.RuneError {
		return false
	}
	return r == 0xa9 || r == 0xae || r >= firstSkinTone && r <= lastSkinTone ||
		r >= firstSymbol && unicode.Is(unicode.So, r)
}

// isInvisible reports whether r is drawn as nothing, or changes how its neighbours are drawn: direction marks and
// overrides, zero-width characters, fillers, tags, interlinear marks.
func isInvisible(r rune) bool {
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0:
		return true
	}
	return unicode.Is(unicode.Cf, r) ||
		r >= 0x180b && r <= 0x180f ||
		r >= firstShortVariant && r <= variationEmoji ||
		r >= firstVariation && r <= lastVariation
}
