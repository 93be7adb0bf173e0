// Package clean makes text that came from a cluster safe to draw: it is the one place where control characters,
// escape sequences, direction marks, invisible characters and broken UTF-8 are taken out. It is pure. It never wraps, measures or
// colours text.
package clean
