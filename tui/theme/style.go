package theme

// reset ends every style.
const reset = "\x1b[m"

// Style is a finished appearance: rendering with it is one concatenation. The zero value changes nothing.
type Style struct{ open string }

// Render returns the text in the style. The text must hold no reset of its own.
func (s Style) Render(text string) string {
	if s.open == "" || text == "" {
		return text
	}
	return s.open + text + reset
}

// Append is Render into a buffer.
func (s Style) Append(buf []byte, text string) []byte {
	if s.open == "" || text == "" {
		return append(buf, text...)
	}
	buf = append(buf, s.open...)
	buf = append(buf, text...)
	return append(buf, reset...)
}
