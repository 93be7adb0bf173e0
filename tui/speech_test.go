package tui

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

// heard is a session that is put into words.
type heard struct {
	*session
	voice *speaker
	text  bytes.Buffer
}

// Write is for voice.
func (h *heard) Write(text []byte) (int, error) { return h.text.Write(text) }

func (h *heard) raw() error { return nil }
func (h *heard) cooked()    {}

func newHeard(t *testing.T, rows ...*kube.Row) *heard {
	t.Helper()
	s := newSession(t, newFake(rows...), speechWidth, speechHeight, theme.Mono)
	h := &heard{session: s}
	h.voice = newSpeaker(s.m, h)
	return h
}

// says waits until, after the key, the text is said, and returns all that was said.
func (h *heard) says(key, text string) string {
	h.t.Helper()
	h.text.Reset()
	if key != "" {
		h.press(key)
	}
	h.until("it says "+text, func() bool {
		h.voice.speak(key != "")
		return strings.Contains(h.text.String(), text)
	})
	return h.text.String()
}

func TestTheListInWords(t *testing.T) {
	h := newHeard(t, cast()...)
	all := h.says("", "row 1 of 4: cache, status running, image valkey/valkey:9.1, cpu 200m")
	if !strings.Contains(all, "4 Valkeys, x 1 failed, ~ 1 in progress, + 1 running, - 1 stopped\r\n") {
		t.Errorf("the counts are missing in %q", all)
	}
	if got := h.says("j", "row 2 of 4: jobs, status in_progress"); strings.Contains(got, "cache") || strings.Count(got, "\n") != 1 {
		t.Errorf("a step says more than the row: %q", got)
	}
	h.says("j", `row 3 of 4: sessions, status failed, error pod sessions-node-0: image "valkey/valkey:9.99" cannot be pulled: not found`)
	h.fake.put(object{name: "cache", replicas: 3, status: v1alpha1.PhaseFailed, err: "gone"}.row())
	h.says("", "x 2 failed")
	h.fake.fail(&kube.Problem{Class: kube.ClassUnreachable, Message: "nobody answers", Hint: "is it running?"})
	h.says("", "nobody answers; what is shown was true at")
	h.fake.fail(nil)
	h.says("k", "row 2 of 4: jobs")
	if got := h.says(" ", "1 marked"); !strings.Contains(got, "1 marked") {
		t.Errorf("marking says %q", got)
	}
}

func TestDialogsInWords(t *testing.T) {
	h := newHeard(t, cast()...)
	h.says("", "row 1 of 4")
	h.says("s", "Scale default/cache")
	if got := h.says("+", "3 -> 4"); strings.ContainsAny(got, "│╭|") {
		t.Errorf("frames are read out: %q", got)
	}
	h.says("esc", "row 1 of 4")
	h.says(":", "keys: enter take, tab complete, esc leave")
	h.says("l", ":l")
	h.says("o", "1 of 3: logs, logs of all its pods, key l")
	h.says("esc", "row 1 of 4")
	h.says("?", "ctrl-d, delete (asks for the name)")
}

// Nothing that is said moves the cursor, draws over or is repeated without being new.
func TestWordsAreLinesOfText(t *testing.T) {
	h := newHeard(t, cast()...)
	h.says("", "row 1 of 4")
	for _, key := range []string{"j", "s", "esc", "l", "esc", "?", "esc", "/", "x", "esc", "c", "esc", "N", "esc"} {
		h.press(key)
		h.voice.speak(true)
	}
	if bad := regexp.MustCompile(`[^\r\n\x20-\x7e]|[^\r]\n`).FindString(h.text.String()); bad != "" {
		t.Errorf("%q is said", bad)
	}
	h.text.Reset()
	h.voice.speak(true)
	if h.text.Len() > 0 {
		t.Errorf("what was said is said again: %q", h.text.String())
	}
}

// The whole program: no escape sequence, keys that answer, to the shell and back, a terminal as before.
func TestScreenReaderOnATerminal(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", `set -m; "$0"; while :; do echo IN-THE-SHELL; read x; fg; done`, os.Args[0])
	p := start(t, cmd, 100, 30, childEnv+"=lines", "SCREEN_READER=1")
	p.sees("row 1 of 4: cache")
	p.types("j")
	p.sees("row 2 of 4: jobs")
	p.types(ctrlZ)
	p.sees("IN-THE-SHELL")
	p.checkRestored()
	p.types("\n")
	p.until("it speaks again", func() bool { return strings.Count(p.bytes(), "row 2 of 4: jobs") == 2 })
	p.types("s")
	p.sees("Scale default/jobs")
	p.types("\x03")
	p.sees("quit in order")
	if strings.Contains(p.bytes(), "\x1b") {
		t.Errorf("an escape sequence is written: %q", p.bytes())
	}
}
