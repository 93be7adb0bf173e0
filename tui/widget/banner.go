package widget

import "kuberly.io/valkey-operator/tui/theme"

// Banner tells something that matters across the whole width, in at most the given number of lines.
func Banner(t *theme.Theme, tone theme.Tone, text string, width, lines int) []string {
	sign := t.Signs.Warn
	if tone == theme.Alarm {
		sign = t.Signs.Fail
	}
	if width < 6 || lines <= 0 {
		return nil
	}
	wrapped := Wrap(text, width-4)
	if len(wrapped) > lines {
		wrapped = wrapped[:lines]
		last := wrapped[lines-1] + " " + t.Signs.Ellipsis
		wrapped[lines-1] = Truncate(last, width-4, t.Signs.Ellipsis)
	}
	style := t.Style(tone)
	banner := make([]string, len(wrapped))
	for i, l := range wrapped {
		lead := " " + sign + " "
		if i > 0 {
			lead = "   "
		}
		banner[i] = style.Render(Fit(lead+l, width, ""))
	}
	return banner
}
