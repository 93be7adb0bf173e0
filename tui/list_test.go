package tui

import (
	"strings"
	"testing"
	"time"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

// cursorOn waits until the row under the cursor is that of the name.
func (s *session) cursorOn(name string) {
	s.t.Helper()
	s.until("the cursor is on "+name, func() bool { return strings.Contains(s.line("▌"), name) })
}

func TestListShowsTheColumnsOfTheCRD(t *testing.T) {
	s := newSession(t, newFake(cast()...), 230, 30, theme.TrueColor)
	s.sees("sessions")
	at := 0
	for _, title := range []string{
		"NAME", "IMAGE", "CPU", "MEMORY", "STATUS", "ERROR", "HAS VOLUME", "VOLUME SIZE", "REPLICAS", "READY REPLICAS", "LAST RECONCILE",
	} {
		i := strings.Index(s.line("IMAGE")[at:], title)
		if i < 0 {
			t.Fatalf("%s is missing, or not in its place, in %q", title, s.line("IMAGE"))
		}
		at += i + len(title)
	}
	if strings.Contains(s.text(), "PRIMARY") {
		t.Error("a column of priority 1 is shown unasked")
	}
	s.press("ctrl+w")
	s.sees("PRIMARY")
	s.sees("AGE")
}

func TestListTellsStatesBySignToo(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.Mono)
	s.sees("sessions")
	for name, want := range map[string]string{"cache": "+ running", "jobs": "~ in_progress", "sessions": "x failed", "zzz": "- stopped"} {
		if l := s.line(" " + name + " "); !strings.Contains(l, want) {
			t.Errorf("%s: %q, want %q in it", name, l, want)
		}
	}
}

func TestFilterKeepsWhatHoldsEveryWord(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("/")
	s.write("9.1 jo")
	s.misses("cache")
	s.sees("/9.1 jo 1 of 4")
	s.press("enter")
	s.press("esc")
	s.sees("cache")
	s.press("/")
	s.write("nothing like it")
	s.sees("Nothing matches /nothing like it")
	s.press("esc") // drops what was typed
	s.sees("cache")
}

func TestSortIsByTypeAndTheCursorStays(t *testing.T) {
	f := newFake(
		object{name: "a", memory: "1Gi", status: v1alpha1.PhaseRunning}.row(),
		object{name: "b", memory: "512Mi", status: v1alpha1.PhaseRunning}.row(),
		object{name: "c", memory: "2048Mi", status: v1alpha1.PhaseRunning}.row(),
	)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("2048Mi")
	s.press("down")
	s.cursorOn(" b ")
	s.press(">", ">", ">")
	s.until("sorted by memory", func() bool { return strings.Contains(s.text(), "MEMORY↑") })
	order := func() string {
		all := ""
		for _, l := range strings.Split(s.text(), "\n") {
			if before, _, isRow := strings.Cut(l, "valkey/valkey"); isRow {
				all += strings.Trim(before, " ▌")
			}
		}
		return all
	}
	s.until("512Mi before 1Gi before 2048Mi", func() bool { return order() == "bac" })
	s.cursorOn(" b ")
	s.press("r")
	s.until("2048Mi before 1Gi before 512Mi", func() bool { return order() == "cab" })
	s.cursorOn(" b ")
}

// case 1 (dashboard), at the whole flow: the cursor follows the object through the store's snapshots.
func TestCursorFollowsTheObjectThroughSnapshots(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("j", "j")
	s.cursorOn("sessions")
	f.put(object{name: "aaa", status: v1alpha1.PhaseRunning}.row())
	s.sees("aaa")
	s.cursorOn("sessions")
	f.remove("sessions")
	s.misses(" sessions ")
	s.cursorOn("zzz")
}

func TestZeroShowsAllNamespacesAndBack(t *testing.T) {
	rows := append(cast(), object{namespace: "other", name: "far-away", status: v1alpha1.PhaseRunning}.row())
	s := newSession(t, newFake(rows...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	if strings.Contains(s.text(), "far-away") {
		t.Fatal("another namespace is shown")
	}
	s.press("0")
	s.sees("far-away")
	s.sees("NAMESPACE")
	s.sees("all namespaces")
	s.press("0")
	s.misses("far-away")
	s.sees("namespace default")
}

func TestLateSnapshotOfTheOldNamespaceIsDropped(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	late := listed{generation: s.m.listGen, snapshot: kube.Snapshot{Columns: columns, Synced: true, Rows: []*kube.Row{object{name: "late"}.row()}}}
	s.press("0")
	s.sees("all namespaces")
	s.send(late)
	s.sees("sessions")
	if strings.Contains(s.text(), " late ") {
		t.Error("a snapshot of the namespace before is shown")
	}
}

// case 5 (dashboard), the part of the screen: a banner in words, the last known rows marked, and on without a restart.
func TestTroubleIsToldInWordsAndEnds(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	f.fail(&kube.Problem{Class: kube.ClassCredentials, Message: "the credentials of the context dev have run out", Hint: "log in again"})
	s.sees("the credentials of the context dev have run out; log in again; what is shown was true at")
	s.until("the last known rows are marked", func() bool { return strings.Contains(s.line("cache"), "? running") })
	s.press("ctrl+r")
	s.until("the list is asked again", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return f.retried == 1 })
	f.fail(nil)
	s.misses("credentials")
	s.until("rows are current", func() bool { return strings.Contains(s.line("cache"), "● running") })
}

// case 6 (dashboard), the part of the screen: with nobody answering there is a screen with a word, and no panic.
func TestNobodyAnswersAtStart(t *testing.T) {
	f := newFake()
	f.problem = &kube.Problem{Class: kube.ClassUnreachable, Message: "nobody answers at https://127.0.0.1:6443"}
	s := newSession(t, f, 80, 24, theme.TrueColor)
	s.sees("nobody answers")
	s.sees("ctrl-r")
	f.set(func() { f.problem, f.rows = nil, cast() })
	s.sees("sessions")
	s.misses("nobody answers")
}

func TestNewcomerIsToldWhatToPress(t *testing.T) {
	s := newSession(t, newFake(), 80, 24, theme.TrueColor)
	s.sees("There is no Valkey in the namespace default yet.")
	s.sees("c  create the first one")
	s.press("c")
	s.sees("Create a Valkey")
}

func TestEscNeverQuitsAndQDoes(t *testing.T) {
	s := newSession(t, newFake(cast()...), 80, 24, theme.TrueColor)
	s.sees("sessions")
	s.press("esc", "esc")
	if s.m.quitting {
		t.Fatal("esc quits")
	}
	s.press("?")
	s.sees("Help")
	s.press("q")
	s.sees("sessions")
	s.press("q")
	s.until("it quits", func() bool { return s.m.quitting })
}

func TestKeysThatCameInOnePieceAreTakenOneByOne(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("jj/ses")
	s.sees("/ses 1 of 4")
}

// readOnly begins anew, so that nothing may be changed.
func (s *session) readOnly() {
	s.m.env.ReadOnly = true
	s.m.stack = nil
	s.m = newModel(s.m.env, s.fake.backend(), s.m.log, s.m.do)
	s.send(sizeOf(120, 30))
	s.run(s.m.Init())
	s.sees("sessions")
}

func TestReadOnlyRefusesEveryChange(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.readOnly()
	for _, key := range []string{"s", "+", "-", "c", "ctrl+d"} {
		s.press(key)
		s.sees("read-only: nothing can be changed")
		if len(s.m.stack) != 1 {
			t.Fatalf("%s opens a dialog", key)
		}
		s.press("down")
	}
}

// Dates tick by themselves, without any news from the cluster; a text filter does not look at them.
func TestDatesTick(t *testing.T) {
	s := newSession(t, newFake(cast()...), 200, 30, theme.Mono)
	s.sees("sessions")
	s.press("ctrl+w") // the age is in the wide list
	s.sees("4d")
	s.m.now = func() time.Time { return fakeNow.Add(24 * time.Hour) }
	s.sees("5d")
	s.misses("4d")
	s.press("/")
	s.write("5d")
	s.sees("0 of")
}

// What a narrow terminal has no room for is what matters least; the rest is scrolled to.
func TestNarrowListKeepsWhatMatters(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {50, 12}} {
		s := newSession(t, newFake(cast()...), size[0], size[1], theme.TrueColor)
		s.sees("cache")
		for _, want := range []string{"NAME", "STATUS", "REPLICAS  REPLICAS", "◐ in_progress"} {
			s.sees(want)
		}
		s.misses("MEMORY")
		s.press("right")
		s.sees("IMAGE")
		s.press("right")
		s.sees("MEMORY")
		s.press("left", "left", "ctrl+w")
		s.sees("no more fit")
		s.press("ctrl+w")
		s.misses("no more fit")
	}
	s := newSession(t, newFake(cast()...), 200, 30, theme.TrueColor)
	s.sees("cache")
	s.press("ctrl+w")
	s.sees("PRIMARY")
	s.misses("no more fit")
}
