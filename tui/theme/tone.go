package theme

// Tone is the meaning of a piece of text; the theme decides how it looks.
type Tone uint8

// The tones.
const (
	Text     Tone = iota // what is read
	Dim                  // what is there if one looks for it
	Strong               // names and headings
	Accent               // what belongs to the program: titles, keys
	OK                   // as it should be
	Busy                 // on its way
	Warn                 // to be looked at
	Error                // wrong
	Match                // found by a search
	Current              // the one found where the search stands
	Mark                 // chosen for a common action
	Selected             // the row under the cursor
	Bar                  // lines that frame the screen
	Alarm                // a banner of something wrong
	Caution              // a banner of something to know
	toneCount
)

// NodeColors is the number of colours that tell sources of lines apart.
const NodeColors = 6
