package theme

import "testing"

func TestFromEnv(t *testing.T) {
	tests := map[string]struct {
		mode string
		env  map[string]string
		want Options
	}{
		"a modern terminal":                    {"", map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "en_US.UTF-8"}, Options{Dark: true, Depth: TrueColor, Unicode: true}},
		"256 colours":                          {"", map[string]string{"TERM": "screen-256color", "LC_ALL": "C.utf8"}, Options{Dark: true, Depth: ANSI256, Unicode: true}},
		"16 colours":                           {"", map[string]string{"TERM": "xterm"}, Options{Dark: true, Depth: ANSI16}},
		"NO_COLOR wins":                        {"", map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Options{Dark: true}},
		"a dumb terminal":                      {"", map[string]string{"TERM": "dumb", "LANG": "C.UTF-8", "COLORTERM": "truecolor"}, Options{Dark: true}},
		"LC_ALL before LANG":                   {"", map[string]string{"TERM": "xterm", "LC_ALL": "C", "LANG": "en_US.UTF-8"}, Options{Dark: true, Depth: ANSI16}},
		"a light background by COLORFGBG":      {"auto", map[string]string{"TERM": "xterm", "COLORFGBG": "0;15"}, Options{Depth: ANSI16}},
		"a dark background by COLORFGBG":       {"auto", map[string]string{"TERM": "xterm", "COLORFGBG": "15;default;0"}, Options{Dark: true, Depth: ANSI16}},
		"the option wins over the environment": {"dark", map[string]string{"TERM": "xterm", "COLORFGBG": "0;15"}, Options{Dark: true, Depth: ANSI16}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := FromEnv(test.mode, func(key string) string { return test.env[key] })
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

// Every tone looks different from plain text, in every depth: none of them depends on colours.
func TestTonesCanBeToldFromText(t *testing.T) {
	for _, depth := range []Depth{Mono, ANSI16, ANSI256, TrueColor} {
		for _, dark := range []bool{true, false} {
			look := New(Options{Dark: dark, Depth: depth})
			for tone := Strong; tone < toneCount; tone++ {
				hasSign := depth == Mono && (tone == Accent || tone == OK || tone == Busy || tone == Warn)
				if look.Render(tone, "x") == "x" && !hasSign {
					t.Errorf("depth %d, dark %v: tone %d looks like text", depth, dark, tone)
				}
			}
		}
	}
}
