package tui

import (
	"runtime"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

func doneOf(id screen.ID) screen.Done { return screen.Done{To: id} }

func TestLogsMergeAllNodes(t *testing.T) {
	f := newFake(cast()...)
	f.lines = someLines(30)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("l")
	s.sees("Logs  default/cache")
	for _, node := range []string{"node-0", "node-1", "node-2"} {
		s.sees(node)
	}
	colours := map[string]bool{}
	for _, line := range strings.Split(s.m.View(), "\n") {
		if i := strings.Index(line, "node-"); i > 0 {
			colours[line[:i]] = true
		}
	}
	if len(colours) != 3 {
		t.Errorf("%d colours for 3 nodes", len(colours))
	}
	f.set(func() { f.lines = append(f.lines, kube.Line{Node: "cache-node-0", Text: "a new line"}) })
	s.sees("a new line")
	s.press("esc")
	s.sees("sessions")
	s.until("the log is closed", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return f.streams == 0 })
}

func TestLogsFindFollowAndClear(t *testing.T) {
	f := newFake(cast()...)
	f.lines = someLines(200)
	s := newSession(t, f, 120, 20, theme.TrueColor)
	s.sees("sessions")
	s.press("l")
	s.sees("200 lines")
	s.press("/")
	s.write("ready to")
	s.sees("40 found")
	s.sees("DB saved") // a search hides nothing
	s.press("enter", "&")
	s.write("!saved")
	s.sees("&!saved  /ready to 40 found  160 of 200 lines")
	s.misses("DB saved")
	s.press("enter", "&", "ctrl+u")
	s.write("tcp")
	s.sees("40 of 200 lines")
	s.press("esc")
	s.sees("&!saved")
	s.press("esc")
	s.misses("40 found")
	s.sees("&!saved")
	s.press("&", "ctrl+u")
	s.write("nowhere")
	s.sees("no line passes the filter &nowhere: esc drops it")
	s.press("enter", "esc")
	s.sees("DB saved")
	s.press("pgup")
	s.sees("staying")
	s.press("G")
	s.sees("following")
	s.press("w")
	s.sees("cut")
	s.press("C")
	s.sees("0 lines")
	s.sees("waiting for lines")
}

// Where nothing found is seen, enter goes to the nearest place, and n and N to the others.
func TestLogsSearchGoesToWhatIsFound(t *testing.T) {
	f := newFake(cast()...)
	f.lines = someLines(200)
	f.lines[50].Text, f.lines[20].Text = "here it is", "here it was"
	s := newSession(t, f, 120, 20, theme.TrueColor)
	s.sees("sessions")
	s.press("l")
	s.sees("200 lines")
	s.press("/")
	s.write("here it")
	s.press("enter")
	s.sees("here it is")
	s.sees("staying")
	s.press("N")
	s.sees("here it was")
	s.press("n")
	s.sees("here it is")
}

func TestLogsTellTheirEnd(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 20, theme.TrueColor)
	s.sees("sessions")
	s.press("l")
	s.sees("waiting for lines")
	id := s.m.top().id
	s.send(logRead{to: id, generation: 1, err: errEnd})
	s.sees("the log is empty")
	s.send(logRead{to: id, generation: 1, err: &kube.Problem{Class: kube.ClassForbidden, Message: "you may not read logs of pods in default"}})
	s.sees("you may not read logs of pods in default")
}

// case 9 (dashboard), the flow: lines of a flood come in batches, and a key is answered at once.
func TestKeysAreAnsweredDuringAFlood(t *testing.T) {
	f := newFake(cast()...)
	f.flood = true
	s := newSession(t, f, 120, 20, theme.TrueColor)
	s.sees("sessions")
	s.press("l")
	s.sees("flood line")
	s.until("50,000 lines came", func() bool { return strings.Contains(s.text(), "50000 lines") })
	s.press("k")
	s.sees("staying")
	s.press("esc")
	s.sees("sessions")
}

// What a view of a log started ends with it, however often one is opened.
func TestAThousandViewsOfLogsLeaveNothingBehind(t *testing.T) {
	f := newFake(cast()...)
	f.lines = someLines(20)
	s := newSession(t, f, 120, 20, theme.Mono)
	s.sees("sessions")
	look := func() {
		s.press("l")
		s.sees("20 lines")
		s.press("esc")
		s.sees("sessions")
	}
	look()
	before := runtime.NumGoroutine()
	for range 1000 {
		look()
	}
	const others = 10 // which come and go, whatever is shown
	s.until("the goroutines are as many as before", func() bool { return runtime.NumGoroutine() <= before+others })
	if n := len(s.m.logs); n > 0 {
		t.Errorf("%d logs are open", n)
	}
}

func TestLogSearchSaysWhereItStands(t *testing.T) {
	f := newFake(cast()...)
	f.lines = someLines(60)
	s := newSession(t, f, 100, 20, theme.TrueColor)
	s.sees("sessions")
	s.press("l")
	s.sees("60 lines")
	s.press("/")
	s.write("ready")
	s.sees("12 found")
	s.press("enter", "N")
	s.sees(" of 12")
	if got := strings.Count(s.m.View(), s.m.env.Theme.Render(theme.Current, "ready")) + strings.Count(s.m.View(), s.m.env.Theme.Render(theme.Current, "Ready")); got != 1 {
		t.Errorf("%d places are set off as the one where it stands, want 1", got)
	}
}
