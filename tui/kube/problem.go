package kube

// Class is the kind of a problem: what a screen or a script can react to.
type Class int

// Classes of problems.
const (
	ClassUnknown      Class = iota
	ClassUsage              // the flags or the kubeconfig are wrong
	ClassNoKubeconfig       // there is no kubeconfig, or it names no cluster
	ClassUnreachable        // nobody answers
	ClassTimeout            // somebody answers, too late
	ClassCredentials        // not logged in, or no longer
	ClassNoCRD              // the cluster knows no Valkeys
	ClassForbidden          // logged in, but not allowed
	ClassInvalid            // a value was refused
	ClassNameTooLong        // the name was refused for its length
	ClassExists             // an object of that name exists
	ClassNotFound           // no such object
	ClassConflict           // the object is another one, or has changed since
	ClassCancelled          // the caller gave up
)

// Problem is an error in words for a person: one line, cleaned, that says what is wrong with what.
type Problem struct {
	Class Class
	// Message is one line without a full stop.
	Message string
	// Hint says how to mend it; may be empty.
	Hint string
	// Fields are the refused values, where Class is ClassInvalid.
	Fields []FieldProblem
	err    error
}

// FieldProblem is one refused value.
type FieldProblem struct {
	Path    string // e.g. spec.resource.memory
	Value   string // what was given, where it is known and no secret
	Message string // what is allowed
}

// Explain turns an error of client-go or the API server into a Problem; nil stays nil. A Problem stays itself.
func Explain(err error) *Problem { return nil }

// Error is the message and the hint in one line.
func (p *Problem) Error() string { return p.Message }

// Unwrap is the error that was explained.
func (p *Problem) Unwrap() error { return p.err }

// ExitCode is what a program ends with: 2 for bad usage or a bad kubeconfig, 1 for everything else.
func (p *Problem) ExitCode() int { return 1 }
