package tui

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var pictures = flag.String("pictures", "", "folder to write the pictures of the documentation to: `make pictures`")

// shots are the pictures of the documentation: what a person would press to see them.
var shots = map[string]struct {
	what string
	play func(p *program)
}{
	"dashboard": {"a live table of Valkeys, their status by colour and sign, and the error of the selected one", func(p *program) {
		p.types("jj")
		p.sees("✗ sessions: pod sessions-node-0")
	}},
	"palette": {"every action by its name, with its key", func(p *program) {
		p.types(":s")
		p.sees("esc leave") // the last line is drawn last
	}},
	"filter": {"only what failed", func(p *program) {
		p.types("/failed|stopped")
		p.sees("2 of 4")
	}},
	"logs": {"the logs of all servers of a Valkey, merged by time", func(p *program) {
		p.types("l")
		p.sees("日本語 ok")
	}},
	"delete": {"deleting asks for the name and says what goes with it", func(p *program) {
		p.types(ctrlD)
		p.sees("cache-node-0")
		p.sees("esc cancel")
	}},
	"create": {"the form that creates a Valkey", func(p *program) {
		p.types("c")
		p.sees("Create a Valkey")
		p.sees("esc leave")
	}},
}

// TestPictures takes the pictures of the running program, of what a terminal emulator shows. With -pictures it keeps them.
func TestPictures(t *testing.T) {
	const width, height = 118, 26
	for name, shot := range shots {
		t.Run(name, func(t *testing.T) {
			p := startScene(t, "lines", width, height)
			p.sees("● 2/2")
			p.sees("sessions")
			shot.play(p)
			svg := picture(p, width, height, shot.what)
			if err := wellFormed(svg); err != nil {
				t.Errorf("no picture: %v", err)
			}
			if *pictures == "" {
				return
			}
			if err := os.WriteFile(filepath.Join(*pictures, name+".svg"), []byte(svg), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func wellFormed(text string) error {
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Sizes of a cell, and the bits of an attribute as the emulator has them.
const (
	cellWidth, cellHeight = 8.4, 18
	attrBold, attrReverse = 1, 1 << 5
)

// picture draws the terminal as an SVG: text stays text, and each piece is as wide as its cells, whatever the font.
func picture(p *program, width, height int, title string) string {
	const ground, ink = "#0d1117", "#e6edf3"
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">`+"\n",
		float64(width+2)*cellWidth, (height+1)*cellHeight)
	fmt.Fprintf(&b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"%s\"/>\n", escaped(title), ground)
	for y := range height {
		for x := 0; x < width; {
			from, text, fill, back, isBold := x, "", ink, "", false
			for first := true; x < width; first = false {
				cell := p.screen.CellAt(x, y)
				if cell == nil {
					x++
					break
				}
				f, bg, bold := hex(cell.Style.Fg, ink), hex(cell.Style.Bg, ""), cell.Style.Attrs&attrBold != 0
				if cell.Style.Attrs&attrReverse != 0 {
					f, bg = ground, f
				}
				if !first && (f != fill || bg != back || bold != isBold) {
					break
				}
				fill, back, isBold = f, bg, bold
				text += cell.Content
				x += max(cell.Width, 1)
			}
			piece(&b, from, x, y, text, fill, back, isBold)
		}
	}
	return b.String() + "</svg>\n"
}

func piece(b *strings.Builder, from, to, y int, text, fill, back string, isBold bool) {
	left, top, wide := float64(from+1)*cellWidth, float64(y)*cellHeight+cellHeight/2, float64(to-from)*cellWidth
	if back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`+"\n", left, top, wide, cellHeight, back)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	weight := ""
	if isBold {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"%s textLength="%.1f" xml:space="preserve">%s</text>`+"\n",
		left, top+13.5, fill, weight, wide, escaped(text))
}

func hex(c color.Color, otherwise string) string {
	if c == nil {
		return otherwise
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		return ""
	}
	return b.String()
}
