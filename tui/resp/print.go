package resp

import (
	"encoding/json"
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/clean"
)

// Lines print a reply as valkey-cli does on a terminal. They are clean: strings are quoted, with every byte that is not printable ASCII
// as an escape.
func Lines(v Value) []string {
	switch v.Kind {
	case Array, Set, Map, Push:
		return nested(v)
	case Verbatim:
		lines := strings.Split(strings.TrimRight(clean.Block(v.Text), "\n"), "\n")
		return append(lines, more(v.More, "bytes")...)
	case String:
		return []string{strings.Join(append([]string{Quote(v.Text)}, more(v.More, "bytes")...), " ")}
	default:
		return []string{scalar(v)}
	}
}

func scalar(v Value) string {
	text := clean.Text(v.Text)
	switch v.Kind {
	case Error:
		return "(error) " + text
	case Integer:
		return "(integer) " + text
	case Double:
		return "(double) " + text
	case Big:
		return "(big number) " + text
	case Bool:
		if text == "t" {
			return "(true)"
		}
		return "(false)"
	case Nil:
		return "(nil)"
	default:
		return text
	}
}

func more(n int, what string) []string {
	if n == 0 {
		return nil
	}
	return []string{"... " + strconv.Itoa(n) + " " + what + " more"}
}

// marks are what stands behind the number of an element, and the word for none.
func marks(kind Kind) (mark, none string) {
	switch kind {
	case Map:
		return "# ", "(empty hash)"
	case Set:
		return "~ ", "(empty set)"
	case Push:
		return ") ", "(empty push)"
	default:
		return ") ", "(empty array)"
	}
}

// nested numbers the elements; those of an element stand behind its number.
func nested(v Value) []string {
	mark, none := marks(v.Kind)
	step := 1
	if v.Kind == Map {
		step = 2
	}
	count := len(v.Items) / step
	if count == 0 && v.More == 0 {
		return []string{none}
	}
	width := len(strconv.Itoa(count))
	var lines []string
	for i := range count {
		number := strconv.Itoa(i + 1)
		label := strings.Repeat(" ", width-len(number)) + number + mark
		element := Lines(v.Items[i*step])
		if v.Kind == Map {
			element = pair(element, Lines(v.Items[i*step+1]))
		}
		for _, l := range element {
			lines = append(lines, label+l)
			label = strings.Repeat(" ", width+len(mark))
		}
	}
	return append(lines, more(v.More, "elements")...)
}

// pair joins a key and its value: on one line where the value is one, else the value's lines below each other behind the arrow.
func pair(key, value []string) []string {
	head := strings.Join(key, " ") + " => "
	if len(value) == 1 {
		return []string{head + value[0]}
	}
	lines := []string{strings.TrimRight(head, " ")}
	for _, l := range value {
		lines = append(lines, "    "+l)
	}
	return lines
}

// Quote is a string in double quotes, with escapes in place of all bytes that are not printable ASCII. Split undoes it.
func Quote(s string) string {
	const hex = "0123456789abcdef"
	out := make([]byte, 0, len(s)+2)
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, `\n`...)
		case c == '\r':
			out = append(out, `\r`...)
		case c == '\t':
			out = append(out, `\t`...)
		case c == '\a':
			out = append(out, `\a`...)
		case c == '\b':
			out = append(out, `\b`...)
		case c < ' ' || c > '~':
			out = append(out, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}

// Raw is a reply as valkey-cli prints it for scripts: strings as they are, elements on lines of their own. It is not clean.
func Raw(v Value) string {
	if v.Kind == Bool {
		return strconv.FormatBool(v.Text == "t")
	}
	if len(v.Items) == 0 {
		return v.Text
	}
	lines := make([]string, len(v.Items))
	for i := range v.Items {
		lines[i] = Raw(v.Items[i])
	}
	return strings.Join(lines, "\n")
}

// JSON is a reply as JSON. A map is an object, a number a number, an error an object with the member error.
func JSON(v Value) ([]byte, error) { return json.Marshal(plain(v)) }

func plain(v Value) any {
	switch v.Kind {
	case Nil:
		return nil
	case Bool:
		return v.Text == "t"
	case Integer, Double, Big:
		if json.Valid([]byte(v.Text)) {
			return json.RawMessage(v.Text)
		}
		return v.Text // inf and nan are no JSON
	case Error:
		return map[string]any{"error": v.Text}
	case Array, Set, Push:
		items := make([]any, len(v.Items))
		for i := range v.Items {
			items[i] = plain(v.Items[i])
		}
		return items
	case Map:
		members := map[string]any{}
		for i := 0; i+1 < len(v.Items); i += 2 {
			members[Raw(v.Items[i])] = plain(v.Items[i+1])
		}
		return members
	default:
		return v.Text
	}
}
