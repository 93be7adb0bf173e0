package tui

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

func init() {
	time.Local = time.UTC // the views show local times
	scenes["logs-line"] = scene{cast(), func(s *session) {
		s.fake.set(func() { s.fake.lines = append(s.fake.lines, jsonLine()) })
		s.press("l")
		s.sees("61 lines")
		s.press("enter")
		s.sees("line 61")
	}}
	scenes["logs-json"] = scene{cast(), func(s *session) {
		s.fake.set(func() { s.fake.lines = append(s.fake.lines, jsonLine()) })
		s.press("l")
		s.sees("61 lines")
		s.sees("the handover is done")
	}}
	scenes["logs-nodes"] = scene{cast(), func(s *session) { s.press("l"); s.sees("60 lines"); s.press("o"); s.sees("cache-node-1") }}
	scenes["logs-save"] = scene{cast(), func(s *session) { s.press("l"); s.sees("60 lines"); s.press("ctrl+s"); s.sees("save to:") }}
	scenes["logs-copy"] = scene{cast(), func(s *session) { s.press("l"); s.sees("60 lines"); s.press("Y"); s.sees("one line") }}
	scenes["copy"] = scene{cast(), func(s *session) { s.press("Y"); s.sees("with its password") }}
	scenes["copy-ask"] = scene{cast(), func(s *session) { s.press("Y", "5"); s.sees("Copy it with the password?") }}
}

func jsonLine() kube.Line {
	return kube.Line{Node: "cache-node-0", Pod: "cache-node-0-x", Time: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), Text: `{"level":"warn",` +
		`"ts":"2026-01-02T03:04:05Z","msg":"the handover is done","from":"cache-node-0","took":0.25,"detail":{"a":[1,2]},"note":"evil \u001b[2J text","stack":"a\n\tb\nc"}`}
}

func openLogSession(t *testing.T, lines int) (*fake, *session) {
	f := newFake(cast()...)
	f.lines = someLines(lines)
	s := newSession(t, f, 120, 20, theme.TrueColor)
	s.m.clipboard = clipboard{&f.clipboard, func(string) string { return "" }}
	s.sees("sessions")
	s.press("l")
	s.sees(fmt.Sprintf("%d lines", lines))
	return f, s
}

func TestLogsReadWhatIsWished(t *testing.T) {
	f, s := openLogSession(t, 3)
	if got := f.lastRead(); !got.Follow || got.Previous || got.Tail != 1000 || len(got.Nodes) != 0 {
		t.Errorf("at first it reads %+v", got)
	}
	for key, span := range map[string]time.Duration{"1": time.Minute, "2": 5 * time.Minute, "3": 15 * time.Minute, "4": time.Hour, "5": 24 * time.Hour} {
		s.press(key)
		s.until("the span of "+key, func() bool { got := f.lastRead(); return got.Since == span && got.Tail < 0 })
	}
	s.press("5")
	s.sees("last 1d")
	s.press("0")
	s.sees("from the beginning")
	s.until("all is read", func() bool { got := f.lastRead(); return got.Since == 0 && got.Tail < 0 })
	s.press("p")
	s.sees("Previous logs")
	s.until("what ended is read", func() bool { got := f.lastRead(); return got.Previous && !got.Follow })
	s.press("p")
	s.until("what runs is read", func() bool { got := f.lastRead(); return !got.Previous && got.Follow })
	s.sees("3 lines")
	s.until("only one stream is open", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return f.streams == 1 })
}

// What the stream before still sends does not come into the log that was opened after it.
func TestLogsDropWhatIsLate(t *testing.T) {
	_, s := openLogSession(t, 3)
	id := s.m.top().id
	s.press("1")
	s.send(logRead{to: id, generation: 1, lines: []kube.Line{{Text: "too late"}}})
	s.sees("3 lines")
	if strings.Contains(s.text(), "too late") {
		t.Error("a line of the stream before is shown")
	}
}

func TestLogsOfSomeServers(t *testing.T) {
	f, s := openLogSession(t, 3)
	s.press("o")
	s.sees("✓ cache-node-2")
	s.press("a", "2", "3", "enter")
	s.until("two servers are read", func() bool {
		return slices.Equal(f.lastRead().Nodes, []string{"cache-node-1", "cache-node-2"})
	})
	s.sees("default/cache node-1 node-2")
	s.press("o")
	s.sees("✓ cache-node-2")
	s.press("2", "3", "enter")
	s.sees("mark at least one")
	s.press("esc")
	f.set(func() { f.noServers = &kube.Problem{Class: kube.ClassForbidden, Message: "you may not list pods"} })
	s.press("o")
	s.sees("you may not list pods")
}

func TestLogsOfTheOperator(t *testing.T) {
	f := newFake(cast()...)
	f.operatorLines = []kube.Line{{Node: "valkey-operator-controller-manager-abc-xyz", Text: "the operator leads"}}
	s := newSession(t, f, 120, 20, theme.TrueColor)
	s.sees("sessions")
	s.press("O")
	s.sees("Logs  the operator")
	s.sees("xyz the operator leads")
	s.press("esc")
	f.set(func() {
		f.noLogs = &kube.Problem{Class: kube.ClassNotFound, Message: "no pod of the operator is found"}
	})
	s.press("O")
	s.sees("no pod of the operator is found")
}

// From the screen of one Valkey the operator's log begins with what it says of that one.
func TestLogsOfTheOperatorAboutOne(t *testing.T) {
	f := newFake(cast()...)
	for i, of := range []string{`"namespace":"default","name":"cache"`, `"namespace":"default","name":"cache-2"`, `"namespace":"other","name":"cache"`, `"logger":"x"`} {
		f.operatorLines = append(f.operatorLines, kube.Line{Node: "manager-abc-xyz", Text: fmt.Sprintf(`{"level":"info","msg":"line %d",%s,"action":"Follow"}`, i, of)})
	}
	s := newSession(t, f, 80, 20, theme.TrueColor)
	s.sees("sessions")
	s.press("enter")
	s.sees("default/cache")
	s.press("O")
	s.sees("Logs  the operator ")
	s.sees("&default/cache  1 of 4 lines")
	s.sees("line 0")
	if got := f.lastRead(); got.Tail >= 0 {
		t.Errorf("it reads %+v, want all that there is", got)
	}
	s.press("esc")
	s.sees("line 3")
	s.press("esc")
	s.misses("Logs  the operator")
	s.press("esc")
	s.sees("sessions")
	s.press("down", "enter")
	s.sees("default/jobs")
	s.press("O")
	s.sees("the operator has logged nothing of default/jobs: esc shows the rest")
}

func TestLogsAreSavedAndNothingIsOverwrittenUnasked(t *testing.T) {
	_, s := openLogSession(t, 30)
	path := filepath.Join(t.TempDir(), "out.log")
	fill := func() {
		s.press("ctrl+s")
		for range len("default-cache.log") {
			s.press("backspace")
		}
		s.write(path)
		s.press("enter")
	}
	s.press("&")
	s.write("ready to")
	s.press("enter")
	fill()
	s.sees("6 lines are saved in " + path)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v", info.Mode())
	}
	saved, _ := os.ReadFile(path)
	if lines := strings.Split(strings.TrimSpace(string(saved)), "\n"); len(lines) != 6 || !strings.Contains(lines[0], "[node-") || strings.Contains(string(saved), "\x1b") {
		t.Errorf("the file holds\n%s", saved)
	}
	s.press("esc")
	s.misses(" found")
	fill()
	s.sees("Overwrite it?")
	s.press("n")
	s.sees("save to:")
	if again, _ := os.ReadFile(path); string(again) != string(saved) {
		t.Error("the file was overwritten unasked")
	}
	s.press("enter")
	s.sees("Overwrite it?")
	s.press("y")
	s.sees("30 lines are saved")
	if again, _ := os.ReadFile(path); strings.Count(string(again), "\n") != 30 {
		t.Errorf("after yes the file holds\n%s", again)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
}

func TestLogLineInFull(t *testing.T) {
	f, s := openLogSession(t, 5)
	f.set(func() { f.lines = append(f.lines, jsonLine()) })
	s.sees("WARN  the handover is done  from=cache-node-0")
	s.press("J")
	s.sees(`"msg":"the handover is done"`)
	s.press("J", "enter")
	s.sees("line 6")
	s.sees("took")
	if strings.Contains(s.m.View(), "\x1b[2J") {
		t.Error("an escape of JSON drives the terminal")
	}
	s.press("[")
	s.sees("line 5")
	s.press("]", "Y")
	s.sees("the line sent to the terminal's clipboard")
	s.press("esc")
	s.sees("6 lines")
}

func TestCopyGoesByTheTerminal(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	env := map[string]string{}
	s.m.clipboard = clipboard{&f.clipboard, func(name string) string { return env[name] }}
	s.sees("sessions")
	sent := func(text string) string {
		return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x07"
	}
	for key, text := range map[string]string{
		"1": "cache", "2": "default/cache", "3": "cache.default.svc:6379", "4": "redis://root@cache.default.svc:6379",
		"6": "kind: Valkey\nmetadata:\n  name: cache\n",
	} {
		s.press("Y", key)
		s.until("the choice "+key+" is sent", func() bool { return strings.HasSuffix(f.clipboard.String(), sent(text)) })
	}
	s.press("Y", "5")
	s.sees("Copy it with the password?")
	s.press("esc")
	s.press("esc")
	if strings.Contains(f.clipboard.String(), sent("redis://root:s3cret@cache.default.svc:6379")) {
		t.Error("the password was sent unasked")
	}
	s.press("Y", "5", "y")
	s.sees("the connection string with its password sent")
	if !strings.HasSuffix(f.clipboard.String(), sent("redis://root:s3cret@cache.default.svc:6379")) || strings.Contains(s.text(), "s3cret") {
		t.Error("the connection string is not sent, or the password is on the screen")
	}
	env["TMUX"] = "/tmp/x"
	s.press("Y", "1")
	s.sees("tmux passes it on")
	if !strings.HasSuffix(f.clipboard.String(), "\x1bPtmux;\x1b"+sent("cache")+"\x1b\\") {
		t.Errorf("tmux gets %q", f.clipboard.String())
	}
	env["TMUX"], env["TERM"] = "", "linux"
	s.press("Y", "1")
	s.sees("not copied")
	f.noURI = &kube.Problem{Class: kube.ClassForbidden, Message: "you may not get secrets"}
	s.press("Y", "5", "y")
	s.sees("not copied: you may not get secrets")
}

func TestCopyIsBounded(t *testing.T) {
	long := strings.Repeat("0123456789\n", 20_000)
	newest, cut := bounded(long+"the end", true)
	if !cut || len(newest) > clipboardBytes || !strings.HasSuffix(newest, "the end") || !strings.HasPrefix(newest, "0123456789\n") {
		t.Errorf("the newest lines are %d bytes, %q...", len(newest), newest[:12])
	}
	first, cut := bounded("é"+long, false)
	if !cut || len(first) > clipboardBytes || !strings.HasPrefix(first, "é0123") {
		t.Errorf("the beginning is %d bytes", len(first))
	}
}

func TestLogsCopyWhatIsOnTheScreen(t *testing.T) {
	f, s := openLogSession(t, 200)
	s.press("w", "Y", "1")
	s.sees("the lines on the screen sent")
	coded := strings.TrimSuffix(strings.TrimPrefix(f.clipboard.String(), "\x1b]52;c;"), "\x07")
	text, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n != s.m.bodyHeight() {
		t.Errorf("%d lines of a screen of %d:\n%s", n, s.m.bodyHeight(), text)
	}
	s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("Y\n"), Paste: true})
	s.sees("200 lines")
}
