package kube

import (
	"cmp"
	"context"
)

// mergeAhead is how many lines of a pod are read ahead of the merge.
const mergeAhead = 256

// mergeInput is one pod's log on its way into the merge.
type mergeInput struct {
	source *logSource
	lines  chan rawLine
	err    error // why it could not be read to its end; valid once lines is closed
	head   *rawLine
}

// pass is a passer.
func (m *mergeInput) pass(ctx context.Context, line rawLine) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case m.lines <- line:
		return nil
	}
}

// mergeErrors tells what could not be read, and is the first of it, which names its server. That a pod has no earlier log is an error only where
// none has.
func (s *LogStream) mergeErrors(ctx context.Context, inputs []*mergeInput) error {
	var first error
	var missing []string
	for _, input := range inputs {
		if input.err == nil {
			continue
		}
		p := Explain(s.client.failed(input.err))
		s.notice(ctx, input.source, p.Message)
		name := cmp.Or(input.source.node, input.source.pod)
		switch {
		case p.Class == ClassNotFound && s.opts.Previous:
			missing = append(missing, name)
		case first == nil:
			named := *p
			named.Message = name + ": " + p.Message
			first = &named
		}
	}
	switch {
	case first != nil || len(missing) == 0 || len(missing) < len(inputs):
		return first
	case len(missing) == 1:
		return problem(ClassNotFound, "there is no earlier log: the container of "+missing[0]+" has not restarted", "")
	default:
		return problem(ClassNotFound, "there is no earlier log: none of the servers has restarted", "")
	}
}

// merge passes the oldest of the pods' next lines on until all have ended. A pod that cannot be read is told in its place; the others go on.
func (s *LogStream) merge(ctx context.Context, inputs []*mergeInput) error {
	for {
		var oldest *mergeInput
		for _, input := range inputs {
			if input.head == nil {
				if line, open := <-input.lines; open {
					input.head = &line
				}
			}
			if input.head != nil && (oldest == nil || input.head.at.Before(oldest.head.at)) {
				oldest = input
			}
		}
		if oldest == nil {
			break
		}
		if err := s.buffer.put(ctx, *oldest.head); err != nil {
			return err
		}
		oldest.head = nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.mergeErrors(ctx, inputs)
}
