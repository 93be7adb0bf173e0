package console

import "kuberly.io/valkey-operator/tui/resp"

// historyLimit is how many lines are kept, in memory alone.
const historyLimit = 1000

// History are the lines typed so far, the newest first, without those that hold a password. It implements term.History.
type History struct{ lines []string }

// Add is for term.History.
func (h *History) Add(line string) {
	words, err := resp.Split(line)
	if err != nil || len(words) == 0 || resp.HoldsSecret(words) || len(h.lines) > 0 && h.lines[0] == line {
		return
	}
	h.lines = append([]string{line}, h.lines...)
	h.lines = h.lines[:min(len(h.lines), historyLimit)]
}

// Len is for term.History.
func (h *History) Len() int { return len(h.lines) }

// At is for term.History.
func (h *History) At(i int) string { return h.lines[i] }
