package keys

// Scope is where a binding is in force.
type Scope int

// The scopes. A screen asks for its own; keys of Everywhere are in force in all but those that take text.
const (
	Everywhere Scope = iota
	Moving
	List
	LogView
	Dialog
	Count
	Input
	Form
	Pick
	Choice
	LineView
	ForwardList
	One
	Review
	Console
	scopeCount
)

// scopeWords are the name of a scope in a configuration file and its title in the help.
var scopeWords = [scopeCount]struct{ name, title string }{
	Everywhere:  {"everywhere", "Everywhere"},
	Moving:      {"moving", "Moving"},
	List:        {"list", "Valkeys"},
	LogView:     {"logs", "Logs"},
	Dialog:      {"dialog", "Dialog"},
	Count:       {"number", "Number"},
	Input:       {"typing", "Typing"},
	Form:        {"form", "Form"},
	Pick:        {"pick", "Choosing"},
	Choice:      {"choice", "Choice"},
	LineView:    {"line", "Line"},
	ForwardList: {"forwards", "Port-forwards"},
	One:         {"valkey", "One Valkey"},
	Review:      {"review", "Before a change"},
	Console:     {"console", "Console"},
}

// String is the name of the scope in a configuration file.
func (s Scope) String() string { return scopeWords[s].name }

// Title is the scope's name as a heading.
func (s Scope) Title() string { return scopeWords[s].title }

// TakesText says that letters are typed there, so that none of them can be a key.
func (s Scope) TakesText() bool { return s == Input || s == Form || s == Pick || s == Console }

// Scopes are all scopes, in the order in which the help tells them.
func Scopes() []Scope {
	all := make([]Scope, scopeCount)
	for i := range all {
		all[i] = Scope(i)
	}
	return all
}
