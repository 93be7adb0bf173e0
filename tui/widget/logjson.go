package widget

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/theme"
)

// fieldLimit is how much of one field of a JSON line is read in place; the line's own view has all of it.
const fieldLimit = 200

// The names that loggers give to the same things.
var (
	levelFields = []string{"level", "lvl", "severity"}
	wordFields  = []string{"msg", "message"}
	timeFields  = []string{"ts", "time", "timestamp", "@timestamp"}
)

// field is one member of a JSON object, in the order of the line.
type field struct{ name, value string }

// jsonFields takes a line apart that is one JSON object; false where it is none. A value is the text of a string, else JSON. Both
// are clean: an escape of JSON is one more way to write a control character.
func jsonFields(text string) ([]field, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return nil, false
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if _, err := decoder.Token(); err != nil {
		return nil, false
	}
	var fields []field
	for decoder.More() {
		name, err := decoder.Token()
		key, isText := name.(string)
		if err != nil || !isText {
			return nil, false
		}
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return nil, false
		}
		fields = append(fields, field{clean.Text(key), valueOf(raw)})
	}
	if _, err := decoder.Token(); err != nil || decoder.InputOffset() != int64(len(text)) {
		return nil, false
	}
	return fields, true
}

func valueOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return clean.Block(text)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return clean.Text(string(raw))
	}
	return clean.Text(compact.String())
}

// readable is a JSON line as a person reads it: level, message, then the other fields by name. Its time is left out: the log has
// its own. It returns false where the line is no JSON object.
func readable(t *theme.Theme, text string) (string, bool) {
	fields, ok := jsonFields(text)
	if !ok {
		return "", false
	}
	var out strings.Builder
	if level := take(&fields, levelFields); level != "" {
		out.WriteString(t.Render(levelTone(level), Fit(strings.ToUpper(level), 5, "")) + " ")
	}
	take(&fields, timeFields)
	fields = withoutEchoes(fields)
	out.WriteString(oneLine(take(&fields, wordFields)))
	for _, f := range fields {
		out.WriteString("  " + t.Render(theme.Dim, f.name+"=") + quoted(oneLine(f.value), t.Signs.Ellipsis))
	}
	return strings.TrimLeft(out.String(), " "), true
}

// withoutEchoes leaves out what a controller's logger says of the object once more, where its namespace and name stand beside it.
func withoutEchoes(fields []field) []field {
	value := map[string]string{}
	for _, f := range fields {
		value[f.name] = f.value
	}
	if value["controller"] == "" || value["namespace"] == "" || value["name"] == "" {
		return fields
	}
	return slices.DeleteFunc(fields, func(f field) bool {
		return f.name == "controller" || f.name == "controllerGroup" || f.name == "controllerKind" || f.name == value["controllerKind"]
	})
}

// take takes the first field of one of the names out.
func take(fields *[]field, names []string) string {
	for _, name := range names {
		for i, f := range *fields {
			if f.name == name {
				*fields = append((*fields)[:i:i], (*fields)[i+1:]...)
				return f.value
			}
		}
	}
	return ""
}

func levelTone(level string) theme.Tone {
	switch strings.ToLower(level) {
	case "error", "fatal", "panic", "dpanic", "critical", "alert", "emergency":
		return theme.Error
	case "warn", "warning":
		return theme.Warn
	case "debug", "trace":
		return theme.Dim
	default:
		return theme.OK
	}
}

func oneLine(s string) string {
	if strings.ContainsRune(s, '\n') {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}

func quoted(s, tail string) string {
	if Width(s) > fieldLimit {
		s = Truncate(s, fieldLimit, tail)
	}
	if s == "" || strings.ContainsAny(s, " =") && s[0] != '{' && s[0] != '[' {
		return `"` + s + `"`
	}
	return s
}

// Unfolded is a line in full for a view of its own: a JSON object one field a line, anything else wrapped.
func Unfolded(t *theme.Theme, text string, width int) []string {
	fields, ok := jsonFields(text)
	if !ok {
		return wrapCells(text, width)
	}
	name := 0
	for _, f := range fields {
		name = max(name, Width(f.name))
	}
	name = min(name, width/3)
	var lines []string
	for _, f := range fields {
		label := t.Render(theme.Accent, Fit(f.name, name, t.Signs.Ellipsis)) + "  "
		for _, part := range strings.Split(f.value, "\n") {
			for _, row := range wrapCells(part, max(width-name-2, 1)) {
				lines = append(lines, label+row)
				label = Spaces(name + 2)
			}
		}
	}
	return lines
}
