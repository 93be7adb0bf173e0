// Package keys owns the one key map of the dashboard: which key does what, and where. The screens ask it what a key
// means, and the footers and the help are made from it, so that neither can differ from what happens. It does nothing itself.
package keys
