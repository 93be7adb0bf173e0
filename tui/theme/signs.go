package theme

// Signs are short marks, each one cell wide but for the arrow and the names of keys.
type Signs struct {
	OK, Busy, Fail, Off, Unknown string
	Warn                         string
	Mark, Cursor                 string
	Up, Down                     string // order of a sorted column
	Left, Right                  string // more at that side
	Ellipsis                     string
	Dot                          string // between two words of a line
	Arrow                        string // from -> to
	Secret                       rune   // in place of each character
	KeyUp, KeyDown               string
	KeyLeft, KeyRight            string
	// Ramp are the heights of a sparkline, from nothing to all.
	Ramp []string
	// BarFull is a used cell of a bar, BarRest one that is not, BarMark a bound within.
	BarFull, BarRest, BarMark string
}

// Box holds the pieces of a frame.
type Box struct {
	TopLeft, TopRight, BottomLeft, BottomRight, Horizontal, Vertical string
}

var (
	unicodeSigns = Signs{
		OK: "●", Busy: "◐", Fail: "✗", Off: "○", Unknown: "?", Warn: "▲", Mark: "✓", Cursor: "▌",
		Up: "↑", Down: "↓", Left: "‹", Right: "›", Ellipsis: "…", Dot: "·", Arrow: "→", Secret: '•',
		KeyUp: "↑", KeyDown: "↓", KeyLeft: "←", KeyRight: "→",
		Ramp: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, BarFull: "█", BarRest: "░", BarMark: "▏",
	}
	asciiSigns = Signs{
		OK: "+", Busy: "~", Fail: "x", Off: "-", Unknown: "?", Warn: "!", Mark: "*", Cursor: ">",
		Up: "^", Down: "v", Left: "<", Right: ">", Ellipsis: "~", Dot: "|", Arrow: "->", Secret: '*',
		KeyUp: "up", KeyDown: "down", KeyLeft: "left", KeyRight: "right",
		Ramp: []string{"_", ".", ",", "-", "=", "+", "*", "#"}, BarFull: "#", BarRest: ".", BarMark: "|",
	}
	unicodeBox = Box{"╭", "╮", "╰", "╯", "─", "│"}
	asciiBox   = Box{"+", "+", "+", "+", "-", "|"}
)
