package theme

import (
	"fmt"
	"strconv"

	"github.com/charmbracelet/lipgloss"
)

// Depth is the number of colours that a terminal can show.
type Depth uint8

// Depths.
const (
	Mono Depth = iota
	ANSI16
	ANSI256
	TrueColor
)

// color is one colour in each depth. The zero value is the terminal's own.
type color struct {
	set     bool
	rgb     uint32
	ansi256 uint8
	ansi16  uint8 // 0-15
}

func rgb(rgb uint32, ansi256, ansi16 uint8) color {
	return color{set: true, rgb: rgb, ansi256: ansi256, ansi16: ansi16}
}

// params are the SGR parameters that select the colour, as foreground or background.
func (c color) params(d Depth, background bool) string {
	if !c.set || d == Mono {
		return ""
	}
	base, bright, extended := 30, 90, "38"
	if background {
		base, bright, extended = 40, 100, "48"
	}
	switch d {
	case TrueColor:
		return extended + ";2;" + strconv.Itoa(int(c.rgb>>16&0xff)) + ";" + strconv.Itoa(int(c.rgb>>8&0xff)) + ";" +
			strconv.Itoa(int(c.rgb&0xff))
	case ANSI256:
		return extended + ";5;" + strconv.Itoa(int(c.ansi256))
	default:
		if c.ansi16 < 8 {
			return strconv.Itoa(base + int(c.ansi16))
		}
		return strconv.Itoa(bright + int(c.ansi16) - 8)
	}
}

// lipgloss is the colour in every depth at once.
func (c color) lipgloss() lipgloss.TerminalColor {
	return lipgloss.CompleteColor{
		TrueColor: fmt.Sprintf("#%06x", c.rgb),
		ANSI256:   strconv.Itoa(int(c.ansi256)),
		ANSI:      strconv.Itoa(int(c.ansi16)),
	}
}

// look is the appearance of one tone before it is bound to a depth.
type look struct {
	fg, bg                          color
	bold, faint, underline, reverse bool
}

// over puts the look on another one's background.
func (l look) over(under look) look {
	if !l.bg.set {
		l.bg = under.bg
	}
	l.bold = l.bold || under.bold
	l.reverse = l.reverse || under.reverse
	l.underline = l.underline || under.underline
	return l
}

// style binds the look to a depth.
func (l look) style(d Depth) Style {
	var params []byte
	add := func(p string) {
		if p == "" {
			return
		}
		if len(params) > 0 {
			params = append(params, ';')
		}
		params = append(params, p...)
	}
	for _, attr := range []struct {
		on   bool
		code string
	}{{l.bold, "1"}, {l.faint, "2"}, {l.underline, "4"}, {l.reverse, "7"}} {
		if attr.on {
			add(attr.code)
		}
	}
	add(l.fg.params(d, false))
	add(l.bg.params(d, true))
	if len(params) == 0 {
		return Style{}
	}
	return Style{open: "\x1b[" + string(params) + "m"}
}
