package theme

// Theme is everything that decides how the dashboard looks. It is immutable.
type Theme struct {
	// Dark says for which background it is made.
	Dark bool
	// Depth is the number of colours in use.
	Depth Depth
	// Signs stand beside every colour that means something.
	Signs Signs
	// Box draws frames.
	Box Box

	options  Options
	looks    [toneCount]look
	plain    [toneCount]Style
	selected [toneCount]Style
	marked   [toneCount]Style
	nodes    [NodeColors]Style
}

// New builds the theme that the options ask for.
func New(o Options) *Theme {
	t := &Theme{options: o, Dark: o.Dark, Depth: o.Depth, Signs: asciiSigns, Box: asciiBox}
	if o.Unicode {
		t.Signs, t.Box = unicodeSigns, unicodeBox
	}
	p := lightPalette
	if o.Dark {
		p = darkPalette
	}
	if o.Contrast {
		p = p.contrast(o.Dark)
	}
	t.looks = p.looks(o.Depth)
	if o.Contrast && o.Depth != Mono {
		t.looks[Selected] = look{reverse: true, bold: true}
	}
	for i := range t.looks {
		t.plain[i] = t.looks[i].style(o.Depth)
		t.selected[i] = t.looks[i].over(t.looks[Selected]).style(o.Depth)
		t.marked[i] = t.looks[i].over(look{bold: true}).style(o.Depth)
	}
	for i, c := range p.nodes {
		t.nodes[i] = look{fg: c}.style(o.Depth)
	}
	return t
}

// Options are what the theme was made of.
func (t *Theme) Options() Options { return t.options }

// Style of a tone.
func (t *Theme) Style(tone Tone) Style { return t.plain[tone] }

// Render is Style(tone).Render(text).
func (t *Theme) Render(tone Tone, text string) string { return t.plain[tone].Render(text) }

// Selected is the style of a tone in the row under the cursor.
func (t *Theme) Selected(tone Tone) Style { return t.selected[tone] }

// Marked is the style of a tone in a marked row.
func (t *Theme) Marked(tone Tone) Style { return t.marked[tone] }

// Node is the style of the i-th source of lines; it repeats after NodeColors.
func (t *Theme) Node(i int) Style { return t.nodes[i%NodeColors] }
