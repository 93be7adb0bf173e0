package screen

import (
	"slices"
	"strconv"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

// Batch follows an action on one or several objects of a dialog.
type Batch struct {
	// Asked says that the operator was asked for something: when all is answered, nothing is done yet.
	Asked bool

	places  []int // of the objects in the dialog's list, in the order of the results
	results []result
	pending int
	failed  int
}

type result struct {
	running bool
	done    bool
	problem *kube.Problem
}

// Start begins anew with the objects in those places of the dialog's list.
func (b *Batch) Start(places []int) {
	*b = Batch{Asked: b.Asked, places: places, results: make([]result, len(places)), pending: len(places)}
	for i := range b.results {
		b.results[i].running = true
	}
}

// Done notes how one ended.
func (b *Batch) Done(index int, problem *kube.Problem) {
	if index < 0 || index >= len(b.results) || b.results[index].done {
		return
	}
	b.results[index] = result{done: true, problem: problem}
	b.pending--
	if problem != nil {
		b.failed++
	}
}

// Settle takes in how one ended, in a dialog about a number of objects. Where it was the only one, that closes the dialog, or is a reason to
// ask again on what is there now: the note says why it was refused.
func (b *Batch) Settle(done Done, objects int) (note string, closes bool) {
	b.Done(done.Index, done.Problem)
	if !b.IsFinished() || objects > 1 {
		return "", false
	}
	if p := b.results[0].problem; p != nil {
		b.Reset()
		return p.Error(), false
	}
	return "", true
}

// Reset forgets the results.
func (b *Batch) Reset() { *b = Batch{Asked: b.Asked} }

// IsRunning says whether results are still to come, IsFinished whether all have come.
func (b *Batch) IsRunning() bool { return b.pending > 0 }

// IsFinished says whether there was something to do and all of it is done.
func (b *Batch) IsFinished() bool { return len(b.results) > 0 && b.pending == 0 }

// ActsOn says whether the object in that place of the dialog's list is acted on, or was.
func (b *Batch) ActsOn(place int) bool { return slices.Contains(b.places, place) }

// Line is the result of the object in that place in words, with its sign; empty where it is not acted on.
func (b *Batch) Line(t *theme.Theme, place int, done string) string {
	index := slices.Index(b.places, place)
	if index < 0 {
		return ""
	}
	switch r := b.results[index]; {
	case r.problem != nil:
		return t.Render(theme.Error, t.Signs.Fail+" "+r.problem.Error())
	case r.done:
		return t.Render(theme.OK, t.Signs.OK+" "+done)
	default:
		return t.Render(theme.Busy, t.Signs.Busy+" "+t.Signs.Ellipsis)
	}
}

// Summary is how all of it ended.
func (b *Batch) Summary() string {
	n, word := len(b.results), "done"
	if b.Asked {
		word = "asked"
	}
	switch {
	case b.pending > 0:
		return strconv.Itoa(n-b.pending) + " of " + strconv.Itoa(n) + " " + word
	case b.failed > 0:
		return strconv.Itoa(b.failed) + " of " + strconv.Itoa(n) + " failed"
	case n == 1:
		return "1 " + word
	default:
		return "all " + strconv.Itoa(n) + " " + word
	}
}

// Progress says how far all of it is, or how it ended, with its sign; nothing before the start.
func (b *Batch) Progress(t *theme.Theme) []string {
	switch {
	case b.IsRunning():
		return []string{t.Render(theme.Busy, t.Signs.Busy+" "+b.Summary())}
	case b.IsFinished() && b.failed > 0:
		return []string{t.Render(theme.Error, t.Signs.Fail+" "+b.Summary())}
	case b.IsFinished():
		return []string{t.Render(theme.OK, t.Signs.OK+" "+b.Summary())}
	default:
		return nil
	}
}

// Window is the part of a list of n lines that is shown in a room, so that the top-th line is its first where it can be.
func Window(n, top, room int) (from, to int) {
	if room <= 0 {
		return 0, 0
	}
	from = max(min(top, n-room), 0)
	return from, min(from+room, n)
}
