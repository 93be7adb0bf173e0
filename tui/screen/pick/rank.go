package pick

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// rank keeps the items whose name holds the letters of the text in their order, the best first: the very name, then what begins so,
// then what holds it, then by how close the letters stand. Where nothing is typed all are kept, by their group.
func rank(items []Item, text string) []Item {
	if text == "" {
		slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.Group, b.Group) })
		return items
	}
	matches := fuzzy.FindFrom(text, names(items))
	slices.SortStableFunc(matches, func(a, b fuzzy.Match) int {
		if c := cmp.Compare(closeness(a.Str, text), closeness(b.Str, text)); c != 0 {
			return c
		}
		return cmp.Compare(b.Score, a.Score)
	})
	found := make([]Item, len(matches))
	for i, m := range matches {
		found[i] = items[m.Index]
	}
	return found
}

// How close a name is to a text, the closest first.
const (
	isSame = iota
	isBeginning
	isWord  // a later word of it begins so, as forward in port-forward
	isPart  // it holds the text, as top in stop
	isLoose // it holds the letters
)

func closeness(name, text string) int {
	name, text = strings.ToLower(name), strings.ToLower(text)
	switch {
	case name == text:
		return isSame
	case strings.HasPrefix(name, text):
		return isBeginning
	case strings.Contains(name, "-"+text):
		return isWord
	case strings.Contains(name, text):
		return isPart
	default:
		return isLoose
	}
}

// nearer is how many of the items that were found for a text hold more than its letters.
func nearer(items []Item, text string) int {
	loose := slices.IndexFunc(items, func(it Item) bool { return closeness(it.Name, text) == isLoose })
	if loose < 0 {
		return len(items)
	}
	return loose
}

// names is for fuzzy.Source.
type names []Item

// String is for fuzzy.Source.
func (n names) String(i int) string { return n[i].Name }

// Len is for fuzzy.Source.
func (n names) Len() int { return len(n) }
