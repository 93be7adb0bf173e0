// Package screen owns what the screens and the root model say to each other: the Screen interface, the intents that a screen
// returns and the messages that it gets. Screens make no API call and start no goroutine.
package screen
