package tui

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

func sizeOf(width, height int) tea.Msg { return tea.WindowSizeMsg{Width: width, Height: height} }

func TestScaleShowsFromAndTo(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("s")
	s.sees("servers   3 → 3")
	s.press("+", "+", "+")
	s.sees("servers   3 → 5")
	s.press("9")
	s.sees("0 to 5 servers")
	s.press("2")
	s.sees("servers   3 → 2")
	s.press("enter")
	s.sees("default/cache: 3 → 2 servers")
	if got := f.did(); !slices.Equal(got, []string{"scale default/cache 2"}) {
		t.Errorf("actions %q", got)
	}
}

// To 0 without a volume is the stop dialog's, which asks for the name: an enter here would lose the data.
func TestScaleLosesNoData(t *testing.T) {
	f := newFake(
		object{name: "cache", replicas: 3, ready: 3, generation: 1}.row(),
		object{name: "mem", replicas: 2, ready: 2, noVolume: true, generation: 1}.row(),
	)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("mem")
	s.press("j", "s", "0")
	s.sees("without a volume all data is lost")
	s.press("enter")
	s.sees("mem has no volume: to stop it loses its data;")
	s.press("esc", "ctrl+a", "s", "0")
	s.sees("no volume: its data is lost")
	s.press("enter")
	s.sees("mem has no volume: to stop it loses its data;")
	if got := f.did(); len(got) != 0 {
		t.Errorf("actions %q, want none", got)
	}
	s.press("1")
	s.sees("removes mem-node-1")
	s.press("enter")
	s.sees("● all 2 done")
}

func TestScaleDownSaysWhichNodesGo(t *testing.T) {
	s := newSession(t, newFake(cast()...), 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("-")
	s.sees("removes cache-node-2")
	s.sees("deletes claim cache-node-2: the other nodes have the data")
	s.press("-")
	s.sees("removes cache-node-2, cache-node-1")
	s.sees("deletes claims cache-node-2, cache-node-1")
	s.press("0")
	s.sees("stops all 3 servers")
	s.sees("nothing is served; the data is kept on")
}

func TestScaleFollowsWhatOthersDo(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("+")
	s.sees("servers   3 → 4")
	f.put(object{name: "cache", replicas: 1, ready: 1, status: v1alpha1.PhaseRunning, generation: 2, rv: "7"}.row())
	s.sees("servers   1 → 4")
	f.remove("cache")
	s.sees("it is gone, or going")
	s.press("enter")
	s.sees("nothing would change")
	if got := f.did(); len(got) != 0 {
		t.Errorf("actions %q, want none", got)
	}
}

// case 3 (dashboard): bulk scale goes from what each has, does not stop at the first error, and tells each result.
func TestBulkScaleGoesFromWhatEachHas(t *testing.T) {
	f := newFake(cast()...)
	f.refuse["default/jobs"] = &kube.Problem{Class: kube.ClassForbidden, Message: "you may not scale default/jobs"}
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("ctrl+a", "s")
	s.sees("Scale 4 Valkeys")
	s.sees("each keeps what it has")
	for _, want := range []string{"default/cache     3 → 3", "default/jobs      2 → 2", "default/sessions  1 → 1", "default/zzz       0 → 0"} {
		if !strings.Contains(s.text(), want) {
			t.Fatalf("%q is missing in\n%s", want, s.text())
		}
	}
	s.press("+")
	s.sees("default/zzz       0 → 1")
	s.press("enter")
	s.sees("1 of 4 failed")
	if l := s.line("default/jobs"); !strings.Contains(l, "✗ you may not scale") {
		t.Errorf("the refused one says %q", l)
	}
	for _, name := range []string{"cache", "sessions", "zzz"} {
		if l := s.line("default/" + name); !strings.Contains(l, "● done") {
			t.Errorf("%s says %q", name, l)
		}
	}
	got := f.did()
	slices.Sort(got)
	if want := []string{"scale default/cache 4", "scale default/sessions 2", "scale default/zzz 1"}; !slices.Equal(got, want) {
		t.Errorf("actions %q, want %q", got, want)
	}
}

func TestDeleteListsWhatGoesAndWantsTheName(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("ctrl+d")
	for _, want := range []string{"PersistentVolumeClaim  cache-node-0", "Secret                 cache-internal", "Service                cache-replicas"} {
		s.sees(want)
	}
	s.press("enter")
	s.sees("type cache to delete")
	s.write("cach")
	s.press("enter")
	s.sees("cach is not cache: type cache to delete")
	if len(f.did()) != 0 {
		t.Fatal("it was deleted without its name")
	}
	s.write("e")
	s.press("enter")
	s.sees("default/cache: its deletion has begun")
	s.until("it is gone", func() bool { return !strings.Contains(s.text(), " cache ") })
	if got := f.did(); !slices.Equal(got, []string{"delete default/cache uid uid-default-cache rv 1"}) {
		t.Errorf("actions %q", got)
	}
}

// case 2 (dashboard): delete hits neither what has taken the row, nor a new object of the same name.
func TestDeleteHitsNoOther(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("j", "ctrl+d")
	s.sees("Delete default/jobs")
	s.sees("jobs-node-0")
	s.write("jobs")
	f.remove("jobs")
	f.put(object{name: "jobs", uid: "another", status: v1alpha1.PhaseRunning, rv: "99"}.row())
	s.sees("It is gone. What has its name now is another one.")
	s.press("enter")
	s.sees("it is gone already")
	s.press("esc")
	s.sees(" jobs ")
	if got := f.did(); len(got) != 0 {
		t.Errorf("actions %q, want none", got)
	}
}

func TestDeleteIsRefusedByTheServerWhereTheScreenWasLate(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("ctrl+d")
	s.sees("cache-node-0")
	s.write("cache")
	// Behind the list's back, as between two snapshots.
	f.mu.Lock()
	f.rows[0] = object{name: "cache", uid: "another", rv: "99"}.row()
	f.mu.Unlock()
	s.press("enter")
	s.sees("is another one, or has changed since")
	if got := f.did(); len(got) != 0 {
		t.Errorf("actions %q, want none", got)
	}
}

func TestDeleteAsksAgainWhereTheSpecChanged(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("ctrl+d")
	s.sees("cache-node-0")
	s.write("cache")
	f.put(object{name: "cache", replicas: 3, ready: 2, status: v1alpha1.PhaseInProgress, generation: 1, rv: "2"}.row())
	s.until("the new resourceVersion is known", func() bool { return len(s.m.latest.Rows) > 0 && s.m.latest.Rows[0].ResourceVersion == "2" })
	s.sees("> cache") // only its status changed
	f.put(object{name: "cache", replicas: 5, ready: 2, status: v1alpha1.PhaseInProgress, generation: 2, rv: "3"}.row())
	s.sees("default/cache was changed meanwhile: look again, then type once more")
	s.misses("> cache")
	s.write("cache")
	s.press("enter")
	s.sees("its deletion has begun")
	if got := f.did(); !slices.Equal(got, []string{"delete default/cache uid uid-default-cache rv 3"}) {
		t.Errorf("actions %q", got)
	}
}

func TestBulkDeleteWantsTheNumberAndTellsEachResult(t *testing.T) {
	f := newFake(cast()...)
	f.refuse["default/jobs"] = &kube.Problem{Class: kube.ClassForbidden, Message: "you may not delete default/jobs"}
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press(" ", " ", "ctrl+d")
	s.sees("Delete 2 Valkeys")
	s.sees("with 1 claim, 7 others")
	s.write("delete 2")
	s.press("enter")
	s.sees("1 of 2 failed")
	if l := s.line("default/cache"); !strings.Contains(l, "its deletion has begun") {
		t.Errorf("the deleted one says %q", l)
	}
	if l := s.line("default/jobs"); !strings.Contains(l, "you may not delete") {
		t.Errorf("the refused one says %q", l)
	}
}

func TestLateReplyOfAClosedDialogIsDropped(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("s")
	s.sees("Scale default/cache")
	closed := s.m.top().id
	s.press("esc", "j", "s")
	s.sees("Scale default/jobs")
	s.send(stepped{done: doneOf(closed)})
	s.sees("Scale default/jobs")
	if strings.Contains(s.text(), "servers\n") || len(s.m.stack) != 2 {
		t.Errorf("the reply of the dialog before closed the one that is open:\n%s", s.text())
	}
}
