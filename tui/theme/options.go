package theme

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Options choose a theme.
type Options struct {
	Dark bool
	// Contrast leaves out all shades between.
	Contrast bool
	Depth    Depth
	Unicode  bool
}

// Modes that a user may choose from; auto guesses from the environment. The two of high contrast use the terminal's own sixteen colours,
// which people who need it have set.
const (
	ModeAuto          = "auto"
	ModeLight         = "light"
	ModeDark          = "dark"
	ModeContrastLight = "high-contrast-light"
	ModeContrastDark  = "high-contrast"
)

// Modes are all of them.
func Modes() []string {
	return []string{ModeAuto, ModeDark, ModeLight, ModeContrastDark, ModeContrastLight}
}

// FromEnv chooses by a mode (empty is auto) and the environment alone: NO_COLOR, COLORTERM, TERM, COLORFGBG, LC_ALL, LC_CTYPE
// and LANG. The terminal is not asked, since over SSH or in a multiplexer the answer may never come.
func FromEnv(mode string, getenv func(string) string) (Options, error) {
	return Options{Depth: depth(getenv), Unicode: isUnicode(getenv)}.With(mode, getenv)
}

// With is the options with another mode, on the same terminal.
func (o Options) With(mode string, getenv func(string) string) (Options, error) {
	o.Dark, o.Contrast = mode == ModeDark || mode == ModeContrastDark, mode == ModeContrastDark || mode == ModeContrastLight
	switch {
	case mode == "" || mode == ModeAuto:
		o.Dark = !hasLightBackground(getenv("COLORFGBG"))
	case !slices.Contains(Modes(), mode):
		return o, fmt.Errorf("theme %q: want one of %s", mode, strings.Join(Modes(), ", "))
	}
	return o, nil
}

func depth(getenv func(string) string) Depth {
	term := getenv("TERM")
	color := getenv("COLORTERM")
	switch {
	case getenv("NO_COLOR") != "", term == "dumb", term == "":
		return Mono
	case color == "truecolor", color == "24bit", strings.HasSuffix(term, "-direct"):
		return TrueColor
	case strings.Contains(term, "256color"):
		return ANSI256
	case strings.HasPrefix(term, "vt1"), strings.HasPrefix(term, "vt2"):
		return Mono
	default:
		return ANSI16
	}
}

// isUnicode follows the C library: the first of the three that is set decides, and none of them set is the C locale.
func isUnicode(getenv func(string) string) bool {
	if getenv("TERM") == "dumb" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// hasLightBackground reads "foreground;background", as rxvt, konsole and others set it. Unknown is dark.
func hasLightBackground(colorfgbg string) bool {
	i := strings.LastIndexByte(colorfgbg, ';')
	if i < 0 {
		return false
	}
	n, err := strconv.Atoi(colorfgbg[i+1:])
	return err == nil && (n == 7 || n >= 9 && n <= 15)
}
