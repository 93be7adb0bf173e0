package tui

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"kuberly.io/valkey-operator/tui/screen"
)

// clipboardBytes is the longest text that goes to a clipboard. Terminals take about 100,000 bytes of OSC 52, which is base64.
const clipboardBytes = 72 << 10

// clipboard puts text into the clipboard of the terminal, which may be at the other end of an SSH session (OSC 52, see
// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). A terminal does not answer whether it did.
type clipboard struct {
	out    io.Writer
	getenv func(string) string
}

func newClipboard(out io.Writer) clipboard { return clipboard{out, os.Getenv} }

// put sends the text, and says what it depends on whether it arrives.
func (c clipboard) put(text string) (doubt string, err error) {
	sequence := ansi.SetSystemClipboard(text)
	switch term := c.getenv("TERM"); {
	case c.getenv("TMUX") != "":
		// tmux takes the sequence itself with set-clipboard on, and passes it to the terminal outside with allow-passthrough on.
		sequence += ansi.TmuxPassthrough(sequence)
		doubt = "tmux passes it on with set-clipboard on"
	case strings.HasPrefix(term, "screen"):
		const chunk = 256 // what screen takes of a string at a time
		sequence = ansi.ScreenPassthrough(sequence, chunk)
		doubt = "by way of screen"
	case term == "linux" || term == "dumb":
		return "", fmt.Errorf("a terminal of the kind %s has no clipboard", term)
	}
	_, err = io.WriteString(c.out, sequence)
	return doubt, err
}

// copied is the end of a copy.
type copied struct {
	what, doubt string
	size        int
	cut         bool
	err         error
}

// copyText puts a text into the clipboard, as much of it as a clipboard takes.
func (m *model) copyText(msg screen.Copy) tea.Cmd {
	text, cut := bounded(msg.Text, msg.Newest)
	c := m.clipboard
	return func() tea.Msg {
		doubt, err := c.put(text)
		return copied{what: msg.What, doubt: doubt, size: utf8.RuneCountInString(text), cut: cut, err: err}
	}
}

// bounded is the beginning of a text that is too long, or its newest lines.
func bounded(text string, newest bool) (part string, cut bool) {
	if len(text) <= clipboardBytes {
		return text, false
	}
	if newest {
		part = text[len(text)-clipboardBytes:]
		if _, rest, found := strings.Cut(part, "\n"); found && rest != "" {
			part = rest
		}
	} else {
		part = text[:clipboardBytes]
	}
	return strings.ToValidUTF8(part, ""), true
}

// copied says what was done: that a terminal took it is more than anybody can know.
func (m *model) copied(msg copied) {
	if msg.err != nil {
		m.flash = screen.Flash{Text: "not copied: " + msg.err.Error(), IsError: true}
		return
	}
	text := msg.what + " sent to the terminal's clipboard, " + strconv.Itoa(msg.size) + " characters"
	if msg.cut {
		text += ", the rest is too long for one"
	}
	if msg.doubt != "" {
		text += "; " + msg.doubt
	}
	m.flash = screen.Flash{Text: text}
}
