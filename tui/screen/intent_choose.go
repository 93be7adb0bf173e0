package screen

import "kuberly.io/valkey-operator/tui/kube"

// Choose asks to choose one of a few items, or several.
type Choose struct {
	Title string
	// Items are what there is to choose from. Nil: they are the servers of the Valkey Of, which are asked for.
	Items []Item
	Of    kube.Ref
	// First stand before the servers.
	First []Item
	// Marked are the names of the servers that are marked at first; none marks all where many can be chosen.
	Marked []string
	// Many lets several be chosen.
	Many bool
	// Note stands below the items, Empty in their place where there are none.
	Note, Empty string
	// Done makes the effect of what was chosen; never of nothing.
	Done func(chosen []Item) Effect
}

// Item is one thing to choose.
type Item struct {
	// Key names it for the one who asked; Text and Detail are drawn.
	Key, Text, Detail string
	Marked            bool
	// Ask is a question that has to be answered with yes first; empty for none.
	Ask string
	// Why says why it cannot be chosen; empty where it can.
	Why string
	// Effect is what comes of it, where Choose.Done does not say.
	Effect Effect
}

// Items are the items of a Choose that had to be asked for.
type Items struct {
	To      ID
	List    []Item
	Problem *kube.Problem
}
