// Package pick is the dialog in which one of many is chosen by typing a part of its name: a command, a namespace, a context. It knows
// none of them: it is given what there is, and returns the effect of what was chosen.
package pick
