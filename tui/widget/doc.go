// Package widget owns the pieces that screens are drawn with: a table, a log view, a prompt, frames, banners, hints and
// help. They draw only what is visible, measure by terminal cells, never cut inside an escape sequence and know no word
// of what they show. They do no I/O, and they expect text that package clean has cleaned.
package widget
