package kube

import (
	"errors"
	"strings"

	"kuberly.io/valkey-operator/tui/clean"
)

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
	ClassFailed             // the Valkey itself failed
)

// Problem is an error in words for a person: one line, cleaned, that says what is wrong with what.
type Problem struct {
	Class Class
	// Message is one line without a full stop.
	Message string
	// Hint says how to mend it; may be empty.
	Hint string
	// Fields are the refused values, where Class is ClassInvalid or ClassNameTooLong.
	Fields []FieldProblem
	err    error
}

// FieldProblem is one refused value.
type FieldProblem struct {
	Path    string // e.g. spec.resource.memory; empty where the object as a whole is meant
	Value   string // what was given, where it is known and no secret
	Message string // what is allowed
}

// problem makes a Problem that did not come from the cluster.
func problem(class Class, message, hint string) *Problem {
	return &Problem{Class: class, Message: message, Hint: hint}
}

// Usage makes a Problem of bad flags.
func Usage(message, hint string) *Problem { return problem(ClassUsage, message, hint) }

// Error is the message and the hint in one line.
func (p *Problem) Error() string {
	if p.Hint == "" {
		return p.Message
	}
	return p.Message + "; " + p.Hint
}

// Unwrap is the error that was explained.
func (p *Problem) Unwrap() error { return p.err }

// ExitCode is what a program ends with: 2 for bad usage or a bad kubeconfig, 1 for everything else.
func (p *Problem) ExitCode() int {
	switch p.Class {
	case ClassUsage, ClassNoKubeconfig:
		return 2
	default:
		return 1
	}
}

// IsClass reports whether err is, or wraps, a Problem of the class.
func IsClass(err error, class Class) bool {
	var p *Problem
	return errors.As(err, &p) && p.Class == class
}

// Explain turns an error of client-go or the API server into a Problem; nil stays nil. A Problem stays itself.
func Explain(err error) *Problem {
	if err == nil {
		return nil
	}
	var known *Problem
	if errors.As(err, &known) {
		return known
	}
	for _, explain := range []func(error) *Problem{explainConfig, explainStatus, explainNetwork} {
		if p := explain(err); p != nil {
			return p.cleaned(err)
		}
	}
	return problem(ClassUnknown, err.Error(), "").cleaned(err)
}

// explained is Explain for a function that returns error: nil stays a nil interface.
func explained(err error) error {
	if err == nil {
		return nil
	}
	return Explain(err)
}

// explainedFor is explained for an action on one Valkey, which the error may not name.
func explainedFor(err error, ref Ref) error {
	if err == nil {
		return nil
	}
	p := Explain(err)
	if p.Class == ClassNotFound {
		named := *p
		named.Message = "there is no valkey " + quote(ref.Name) + " in namespace " + quote(ref.Namespace)
		return &named
	}
	return p
}

// cleaned returns p with its texts cleaned, bounded and put on one line each: they hold what the cluster sent.
func (p *Problem) cleaned(err error) *Problem {
	p.err = err
	p.Message = oneLine(p.Message)
	for i := range p.Fields {
		f := &p.Fields[i]
		f.Path, f.Value, f.Message = oneLine(f.Path), oneLine(f.Value), oneLine(f.Message)
	}
	return p
}

// maxMessage is the longest message in bytes; more helps nobody on one line.
const maxMessage = 1000

func oneLine(s string) string {
	if len(s) > maxMessage {
		s = s[:maxMessage] + "..."
	}
	return strings.TrimSuffix(strings.Join(strings.Fields(clean.Text(s)), " "), ".")
}

func quote(s string) string { return `"` + clean.Text(s) + `"` }
