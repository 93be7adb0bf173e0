package settings

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/theme"
)

// Write writes the settings as a file that says the same, with a word about each.
func Write(w io.Writer, s Settings) error {
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\ntheme: %s\n\n", strings.Join(theme.Modes(), ", "), s.Theme)
	text.WriteString("# Columns of the list in their order, by the names that the CRD gives them; [] for those that the CRD wants.\n")
	fmt.Fprintf(&text, "columns: %s\n\n", flow(s.Columns))
	text.WriteString("# The least time between two pictures of the list.\n")
	fmt.Fprintf(&text, "refresh: %s\n\n# Refuse every change.\nreadOnly: %t\n\n", s.Refresh, s.ReadOnly)
	text.WriteString("# Take the mouse's wheel and clicks; with shift held the terminal still selects text.\n")
	fmt.Fprintf(&text, "mouse: %t\n\n# Say everything in lines of plain text, for a screen reader.\nscreenReader: %t\n\n# Keys of each action, by where they are in force; [] for none.\nkeys:\n", s.Mouse, s.ScreenReader)
	for _, scope := range keys.Scopes() {
		bindings := s.Keys.Bindings(scope)
		if len(bindings) == 0 {
			continue
		}
		fmt.Fprintf(&text, "  %s:\n", scope)
		for _, b := range bindings {
			labels := make([]string, len(b.Keys))
			for i, k := range b.Keys {
				labels[i] = keys.Label(k)
			}
			fmt.Fprintf(&text, "    %s: %s # %s\n", b.Action, flow(labels), b.Help)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// flow is a list on one line.
func flow(texts []string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = strconv.Quote(t)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
