package widget

import (
	"strings"

	"kuberly.io/valkey-operator/tui/theme"
)

// Pager shows lines of text that scroll, and finds a text in them.
type Pager struct {
	theme         *theme.Theme
	lines         []string
	lower         []string // for finding, without regard to case
	top           int
	width, height int
	find          string
	at            int // the line found last
}

// NewPager makes an empty one.
func NewPager(t *theme.Theme) *Pager { return &Pager{theme: t, at: -1} }

// SetSize gives it its room.
func (p *Pager) SetSize(width, height int) {
	p.width, p.height = max(width, 0), max(height, 0)
	p.Move(0)
}

// SetText replaces the text. What is seen stays where it is.
func (p *Pager) SetText(text string) {
	p.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	p.lower = strings.Split(strings.TrimSuffix(strings.ToLower(text), "\n"), "\n")
	if len(p.lower) != len(p.lines) {
		p.lower = p.lines
	}
	p.Move(0)
}

// SetLines replaces the text by lines that are styled already; nothing is found in them.
func (p *Pager) SetLines(lines []string) {
	p.lines, p.lower = lines, nil
	p.Move(0)
}

// Move scrolls by a number of lines.
func (p *Pager) Move(by int) { p.MoveTo(p.top + by) }

// Page scrolls by a number of screens.
func (p *Pager) Page(by int) { p.Move(by * max(p.height-1, 1)) }

// MoveTo scrolls to a line, or as near as there is.
func (p *Pager) MoveTo(line int) { p.top = max(min(line, len(p.lines)-p.height), 0) }

// More is how many lines are below what is seen.
func (p *Pager) More() int { return max(len(p.lines)-p.top-p.height, 0) }

// Len is the number of lines.
func (p *Pager) Len() int { return len(p.lines) }

// Find looks for a text from what is seen on, and sets it off wherever it stands; an empty one ends that.
func (p *Pager) Find(text string) {
	p.find, p.at = strings.ToLower(text), p.top-1
	p.Next(1)
}

// Next goes to the next place of the text, or to the one before, around the ends.
func (p *Pager) Next(step int) {
	n := len(p.lower)
	if p.find == "" || n == 0 {
		return
	}
	for i := 1; i <= n; i++ {
		line := ((p.at+step*i)%n + n) % n
		if strings.Contains(p.lower[line], p.find) {
			p.at = line
			if line < p.top || line >= p.top+p.height {
				p.MoveTo(line - p.height/3)
			}
			return
		}
	}
}

// Found is in how many lines the text stands.
func (p *Pager) Found() int {
	if p.find == "" {
		return 0
	}
	n := 0
	for _, l := range p.lower {
		if strings.Contains(l, p.find) {
			n++
		}
	}
	return n
}

// FoundAt is the place of the line found last among those found, 1 for the first; 0 where none is.
func (p *Pager) FoundAt() int {
	if p.find == "" || p.at < 0 || p.at >= len(p.lower) || !strings.Contains(p.lower[p.at], p.find) {
		return 0
	}
	n := 0
	for _, l := range p.lower[:p.at+1] {
		if strings.Contains(l, p.find) {
			n++
		}
	}
	return n
}

// Finding is the text that is looked for.
func (p *Pager) Finding() string { return p.find }

// Lines draws what is seen.
func (p *Pager) Lines() []string {
	var lines []string
	for i := p.top; i < min(p.top+p.height, len(p.lines)); i++ {
		lines = append(lines, p.line(i))
	}
	return Height(lines, p.height)
}

func (p *Pager) line(i int) string {
	text := Truncate(p.lines[i], p.width, p.theme.Signs.Ellipsis)
	lower := strings.ToLower(text)
	if p.find == "" || len(lower) != len(text) || !strings.Contains(lower, p.find) {
		return text
	}
	style := p.theme.Style(theme.Match)
	if i == p.at {
		style = p.theme.Style(theme.Current)
	}
	var line []byte
	for {
		at := strings.Index(lower, p.find)
		if at < 0 {
			return string(append(line, text...))
		}
		line = append(line, text[:at]...)
		line = style.Append(line, text[at:at+len(p.find)])
		text, lower = text[at+len(p.find):], lower[at+len(p.find):]
	}
}
