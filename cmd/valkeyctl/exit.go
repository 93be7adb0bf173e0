package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kuberly.io/valkey-operator/tui"
	"kuberly.io/valkey-operator/tui/kube"
)

// Exit codes. Scripts rely on them: see the long help of the root command.
const (
	exitOK          = 0
	exitRefused     = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// report writes err as one line and returns the exit code.
func report(w io.Writer, name string, err error) int {
	var many *manyErrors
	var ended *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &ended):
		if report(w, name, ended.err) == exitInterrupted {
			return exitInterrupted
		}
		return ended.code
	case errors.As(err, &many):
		for _, e := range many.errs {
			line(w, name, kube.Explain(e))
		}
		return exitRefused
	case errors.Is(err, tui.ErrNoTerminal):
		_, _ = fmt.Fprintf(w, "%s: %v\n", name, err)
		return exitUsage
	case kube.IsClass(err, kube.ClassCancelled), errors.Is(err, context.Canceled), errors.Is(err, tui.ErrTerminated):
		return exitInterrupted
	}
	p := kube.Explain(err)
	line(w, name, p)
	return p.ExitCode()
}

// line writes a problem; there is nobody to tell where that fails.
func line(w io.Writer, name string, p *kube.Problem) {
	_, _ = fmt.Fprintf(w, "%s: %v\n", name, p)
}

// exitError ends the program with a code of its own; err is nil where there is nothing to say.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d: %v", e.code, e.err) }

func (e *exitError) Unwrap() error { return e.err }

// manyErrors are the errors of a verb that takes several names: each is told.
type manyErrors struct{ errs []error }

func (m *manyErrors) Error() string { return errors.Join(m.errs...).Error() }

func (m *manyErrors) Unwrap() []error { return m.errs }

// forEach runs a verb for each name, and goes on after an error.
func forEach(names []string, do func(name string) error) error {
	var errs []error
	for _, name := range names {
		if err := do(name); err != nil {
			errs = append(errs, err)
		}
	}
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	default:
		return &manyErrors{errs: errs}
	}
}
