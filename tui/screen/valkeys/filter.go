package valkeys

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
	"k8s.io/apimachinery/pkg/labels"

	"kuberly.io/valkey-operator/tui/kube"
)

// filter decides which rows are shown. It is made of what is typed:
//
//	words     every word stands somewhere in the row, in any case; a word with signs of a regular expression is one
//	~regex    a regular expression, blanks included
//	!filter   the rows that the rest does not match
//	-l a=b    rows whose labels match the selector, as kubectl has it
//	-f text   rows whose name holds the letters in their order
type filter struct {
	inverse bool
	words   []string
	regexes []*regexp.Regexp
	labels  labels.Selector
	fuzzy   string
}

// regexSigns are the signs that make a word a regular expression. A dot does not: versions have one.
const regexSigns = `^$|*+?()[]{}\`

// parseFilter makes a filter of a text. Its error is for a person.
func parseFilter(text string) (filter, error) {
	var f filter
	text = strings.TrimSpace(text)
	if rest, found := strings.CutPrefix(text, "!"); found {
		f.inverse, text = true, strings.TrimSpace(rest)
	}
	var err error
	option, rest, _ := strings.Cut(text, " ")
	switch {
	case option == "-l":
		if f.labels, err = labels.Parse(rest); err != nil {
			return filter{}, fmt.Errorf("no label selector: %w", err)
		}
	case option == "-f":
		f.fuzzy = strings.TrimSpace(rest)
	case strings.HasPrefix(text, "~"):
		err = f.add(text[1:])
	default:
		for _, word := range strings.Fields(text) {
			if !strings.ContainsAny(word, regexSigns) {
				f.words = append(f.words, strings.ToLower(word))
			} else if err = f.add(word); err != nil {
				break
			}
		}
	}
	if err != nil {
		return filter{}, err
	}
	if f.isEmpty() {
		f.inverse = false // nothing is typed after it yet
	}
	return f, nil
}

func (f *filter) add(text string) error {
	if text == "" {
		return nil
	}
	re, err := regexp.Compile("(?im)" + text)
	var fault *syntax.Error
	if errors.As(err, &fault) {
		return fmt.Errorf("no regular expression: %s", fault.Code)
	}
	if err != nil {
		return fmt.Errorf("no regular expression: %w", err)
	}
	f.regexes = append(f.regexes, re)
	return nil
}

func (f *filter) isEmpty() bool {
	return len(f.words) == 0 && len(f.regexes) == 0 && f.labels == nil && f.fuzzy == ""
}

// apply returns the rows to show, in their order, in a slice of its own.
func (f *filter) apply(rows []*kube.Row) []*kube.Row {
	if f.isEmpty() {
		return slices.Clone(rows)
	}
	var kept []*kube.Row
	if f.fuzzy != "" {
		matched := make([]bool, len(rows))
		for _, m := range fuzzy.FindFromNoSort(f.fuzzy, rowNames(rows)) {
			matched[m.Index] = true
		}
		for i, r := range rows {
			if matched[i] != f.inverse {
				kept = append(kept, r)
			}
		}
		return kept
	}
	var buf []byte
	for _, r := range rows {
		if f.matches(r, &buf) != f.inverse {
			kept = append(kept, r)
		}
	}
	return kept
}

func (f *filter) matches(r *kube.Row, buf *[]byte) bool {
	if f.labels != nil {
		return f.labels.Matches(labels.Set(r.Labels))
	}
	for _, w := range f.words {
		if !holds(r, w) {
			return false
		}
	}
	if len(f.regexes) == 0 {
		return true
	}
	// One search over all of the row, a line for each cell, is many times faster than one for each cell.
	*buf = append(append(append(append((*buf)[:0], r.Name...), '\n'), r.Namespace...), '\n')
	for i := range r.Cells {
		if !r.Cells[i].IsDate() {
			*buf = append(append(*buf, r.Cells[i].Text...), '\n')
		}
	}
	for _, re := range f.regexes {
		if !re.Match(*buf) {
			return false
		}
	}
	return true
}

func holds(r *kube.Row, word string) bool {
	if contains(r.Name, word) || contains(r.Namespace, word) {
		return true
	}
	for i := range r.Cells {
		if !r.Cells[i].IsDate() && contains(r.Cells[i].Text, word) {
			return true
		}
	}
	return false
}

// rowNames is for fuzzy.Source.
type rowNames []*kube.Row

// String is for fuzzy.Source.
func (n rowNames) String(i int) string { return n[i].Name }

// Len is for fuzzy.Source.
func (n rowNames) Len() int { return len(n) }
