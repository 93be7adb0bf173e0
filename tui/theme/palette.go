package theme

// palette holds the colours of one kind of background. Text itself keeps the terminal's own colour.
type palette struct {
	dim, accent, ok, busy, warn, fail, match, mark, onMatch color
	selected, bar, alarm, caution, onAlarm, onCaution       color
	nodes                                                   [NodeColors]color
}

var darkPalette = palette{
	dim:       rgb(0x8b949e, 245, 8),
	accent:    rgb(0x6cb6ff, 75, 12),
	ok:        rgb(0x57c785, 78, 10),
	busy:      rgb(0x5cc8d7, 80, 14),
	warn:      rgb(0xe3b341, 179, 11),
	fail:      rgb(0xff7b72, 210, 9),
	match:     rgb(0xe3b341, 179, 3),
	onMatch:   rgb(0x1c2128, 234, 0),
	mark:      rgb(0xd2a8ff, 183, 13),
	selected:  rgb(0x2f3b4d, 238, 8),
	bar:       rgb(0x444c56, 239, 8),
	alarm:     rgb(0x67201c, 88, 1),
	onAlarm:   rgb(0xffe1de, 224, 15),
	caution:   rgb(0x4d3800, 58, 3),
	onCaution: rgb(0xfff0c2, 230, 0),
	nodes: [NodeColors]color{
		rgb(0x6cb6ff, 75, 12), rgb(0x57c785, 78, 10), rgb(0xe3b341, 179, 11),
		rgb(0xd2a8ff, 183, 13), rgb(0x5cc8d7, 80, 14), rgb(0xf69d50, 215, 9),
	},
}

var lightPalette = palette{
	dim:       rgb(0x6e7781, 243, 8),
	accent:    rgb(0x0550ae, 25, 4),
	ok:        rgb(0x116329, 22, 2),
	busy:      rgb(0x1b7c83, 30, 6),
	warn:      rgb(0x8a5a00, 94, 3),
	fail:      rgb(0xb3121d, 124, 1),
	match:     rgb(0xffe08a, 222, 11),
	onMatch:   rgb(0x24292f, 235, 0),
	mark:      rgb(0x7d35c9, 92, 5),
	selected:  rgb(0xd6e7fb, 153, 14),
	bar:       rgb(0xafb8c1, 249, 7),
	alarm:     rgb(0xffd7d5, 224, 1),
	onAlarm:   rgb(0x82071e, 88, 15),
	caution:   rgb(0xfff1c2, 230, 11),
	onCaution: rgb(0x5c3d00, 58, 0),
	nodes: [NodeColors]color{
		rgb(0x0550ae, 25, 4), rgb(0x116329, 22, 2), rgb(0x8a5a00, 94, 3),
		rgb(0x7d35c9, 92, 5), rgb(0x1b7c83, 30, 6), rgb(0xa3480c, 130, 1),
	},
}

// contrast is the palette without shades: every colour as far from the background as it can be.
func (p palette) contrast(dark bool) palette {
	if dark {
		white, yellow, black := rgb(0xffffff, 231, 15), rgb(0xffff00, 226, 11), rgb(0x000000, 16, 0)
		p.dim, p.bar, p.accent, p.busy = white, white, rgb(0x5fd7ff, 81, 14), rgb(0x00ffff, 51, 14)
		p.ok, p.warn, p.fail, p.mark = rgb(0x00ff00, 46, 10), yellow, rgb(0xff8787, 210, 9), rgb(0xff87ff, 213, 13)
		p.match, p.onMatch, p.caution, p.onCaution = yellow, black, yellow, black
		p.alarm, p.onAlarm = rgb(0xffffff, 231, 15), rgb(0xaf0000, 124, 1)
		return p
	}
	black, white := rgb(0x000000, 16, 0), rgb(0xffffff, 231, 15)
	p.dim, p.bar, p.accent, p.busy = black, black, rgb(0x0000af, 19, 4), rgb(0x005f5f, 23, 6)
	p.ok, p.warn, p.fail, p.mark = rgb(0x005f00, 22, 2), rgb(0x5f3f00, 58, 3), rgb(0xaf0000, 124, 1), rgb(0x5f00af, 55, 5)
	p.match, p.onMatch, p.caution, p.onCaution = black, white, black, white
	p.alarm, p.onAlarm = rgb(0xaf0000, 124, 1), white
	return p
}

// looks are the tones in the palette's colours. Where the terminal has few colours the row under the cursor is
// shown in reverse, since no background of the sixteen is readable under every colour.
func (p palette) looks(d Depth) [toneCount]look {
	looks := [toneCount]look{
		Text:     {},
		Dim:      {fg: p.dim},
		Strong:   {bold: true},
		Accent:   {fg: p.accent},
		OK:       {fg: p.ok},
		Busy:     {fg: p.busy},
		Warn:     {fg: p.warn},
		Error:    {fg: p.fail, bold: true},
		Match:    {fg: p.onMatch, bg: p.match},
		Current:  {reverse: true, underline: true, bold: true},
		Mark:     {fg: p.mark, bold: true},
		Selected: {bg: p.selected, bold: true},
		Bar:      {fg: p.bar},
		Alarm:    {fg: p.onAlarm, bg: p.alarm},
		Caution:  {fg: p.onCaution, bg: p.caution},
	}
	if d <= ANSI16 {
		looks[Selected] = look{reverse: true}
	}
	if d == Mono {
		looks[Dim], looks[Bar] = look{faint: true}, look{faint: true}
		looks[Match] = look{underline: true}
		looks[Alarm] = look{bold: true, reverse: true}
		looks[Caution] = look{reverse: true}
	}
	return looks
}
