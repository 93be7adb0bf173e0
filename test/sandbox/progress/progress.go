// Package progress tells a person what a long command does while it does it: one line when a step starts and how long
// it took when it ends. It owns the words' form, never what is done.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Printer writes steps to one writer; it is safe for concurrent use.
type Printer struct {
	mu    sync.Mutex
	out   io.Writer
	begun time.Time
	now   func() time.Time
}

// New returns a Printer whose clock starts now.
func New(out io.Writer) *Printer { return newAt(out, time.Now) }

func newAt(out io.Writer, now func() time.Time) *Printer {
	return &Printer{out: out, begun: now(), now: now}
}

// Say writes one line, led by the time since the command began.
func (p *Printer) Say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// A person's terminal that went away is no reason to stop the work, so the write's error is of no use.
	_, _ = fmt.Fprintf(p.out, "%7s  %s\n", seconds(p.now().Sub(p.begun)), fmt.Sprintf(format, args...))
}

// Step says what starts, does it, and says how long it took or how it failed.
func (p *Printer) Step(what string, do func() error) error {
	p.Say("%s ...", what)
	began := p.now()
	if err := do(); err != nil {
		p.Say("%s: %v", what, err)
		return err
	}
	p.Say("%s: done in %s", what, seconds(p.now().Sub(began)))
	return nil
}

// Elapsed is the time since the command began.
func (p *Printer) Elapsed() string { return seconds(p.now().Sub(p.begun)) }

func seconds(d time.Duration) string {
	if d >= time.Minute {
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}
