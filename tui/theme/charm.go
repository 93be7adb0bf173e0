package theme

import (
	_ "github.com/charmbracelet/bubbletea" // initialized before this package, and so before Restore below
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"kuberly.io/valkey-operator/tui/theme/quiet"
)

func init() { quiet.Restore() }

// Apply tells lipgloss, which draws the forms, what the theme knows, so that it never asks the terminal.
func (t *Theme) Apply() {
	lipgloss.SetHasDarkBackground(t.Dark)
	lipgloss.SetColorProfile(t.profile())
}

func (t *Theme) profile() termenv.Profile {
	switch t.Depth {
	case TrueColor:
		return termenv.TrueColor
	case ANSI256:
		return termenv.ANSI256
	default:
		// Without colours lipgloss would drop bold and reverse as well, and with them the cursor. Lipgloss leaves the
		// colours out itself.
		return termenv.ANSI
	}
}

// Lipgloss is the tone as a lipgloss style.
func (t *Theme) Lipgloss(tone Tone) lipgloss.Style {
	l := t.looks[tone]
	s := lipgloss.NewStyle().Bold(l.bold).Faint(l.faint).Underline(l.underline).Reverse(l.reverse)
	if t.Depth == Mono {
		return s
	}
	if l.fg.set {
		s = s.Foreground(l.fg.lipgloss())
	}
	if l.bg.set {
		s = s.Background(l.bg.lipgloss())
	}
	return s
}
