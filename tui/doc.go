// Package tui is the dashboard: the root model, its stack of screens and dialogs, and the program around it. It owns the
// message flow: what the cluster tells comes as messages to the screens, what a screen wants comes back as an intent and becomes a
// command that calls package kube. It makes no API call in Update, draws nothing but the frame around the screens, and leaves the
// terminal as it found it, whatever ends it.
package tui
