package tui

import (
	"strings"
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

// shellSession is a session on the usual Valkeys with a second namespace and a second context.
func shellSession(t *testing.T) *session {
	t.Helper()
	f := newFake(append(cast(), object{namespace: "other", name: "far-away", status: v1alpha1.PhaseRunning}.row())...)
	f.namespaces = []string{"default", "kube-system", "other"}
	f.contexts = []kube.Context{
		{Name: "dev", Server: "https://127.0.0.1:6443", Current: true}, {Name: "prod", Server: "https://prod:6443", Namespace: "default"},
	}
	f.clusters = map[string]*fake{"prod": newFake(object{name: "precious", status: v1alpha1.PhaseRunning}.row())}
	s := newSession(t, f, 200, 40, theme.TrueColor)
	s.sees("sessions")
	return s
}

// command types a line into the palette.
func (s *session) command(text string) {
	s.t.Helper()
	s.press(":")
	s.sees("Command")
	s.write(text)
	s.press("enter")
}

func TestPaletteDoesWhatTheKeyDoes(t *testing.T) {
	s := shellSession(t)
	s.command("wid")
	s.sees("PRIMARY")
	s.press("j")
	s.command("scale")
	s.sees("Scale default/jobs")
	s.press("esc")
	s.command("help")
	s.sees("Help")
}

func TestPaletteActsOnTheValkeyThatIsNamed(t *testing.T) {
	s := shellSession(t)
	s.press(" ", "/")
	s.write("cache")
	s.press("enter")
	s.misses("zzz")
	s.command("scale zzz")
	s.sees("Scale default/zzz")
	s.press("esc")
	s.cursorOn("zzz")
	s.command("logs sess")
	s.sees("Logs  default/sessions")
	s.command("delete jobs")
	s.sees("Type jobs to delete")
}

func TestPaletteShowsKeysAndCompletes(t *testing.T) {
	s := shellSession(t)
	s.press(":")
	s.sees("Command")
	s.write("del")
	if l := s.line("delete (asks"); !strings.Contains(l, "ctrl-d") || !strings.Contains(l, "▌") {
		t.Errorf("deleting is shown as %q, want its key and the cursor on it", l)
	}
	s.press("tab")
	s.sees(":delete")
	s.write(" ca")
	s.press("tab")
	s.sees(":delete cache")
	s.write("x")
	s.sees("no Valkey cachex in namespace default")
	s.press("enter")
	s.sees(":delete cachex")
	s.press("esc")
	s.misses("Command")
}

// Loose letters find, and do nothing by themselves: nobody who types pods means port-forwards.
func TestPaletteTakesNoLooseLetters(t *testing.T) {
	s := shellSession(t)
	s.command("pods")
	s.sees("no command pods: ↑↓ choose one of these")
	s.press("down", "up", "enter")
	s.misses("Command")
	s.sees("Port-forwards")
	s.press("esc")
	s.command("forward ca") // a later word of it is as good as its beginning
	s.sees("no command forward that takes a name")
	s.press("esc")
	s.command("scale zz")
	s.sees("Scale default/zzz")
	s.press("esc")
	s.command("scale ce")
	s.sees("no Valkey ce in namespace default: ")
}

func TestNamespacesArePickedTypedAndRemembered(t *testing.T) {
	s := shellSession(t)
	s.press("N")
	s.sees("kube-system")
	s.write("oth")
	s.press("enter")
	s.sees("far-away")
	s.sees("namespace other")
	if strings.Contains(s.text(), "sessions") {
		t.Error("a Valkey of another namespace stands under the name of this one")
	}
	s.command("ns nope")
	s.sees("there is no namespace nope")
	s.press("esc")
	s.command("ns default")
	s.sees("sessions")
	s.press("N")
	s.until("the ones used before come first", func() bool {
		text := s.text()
		other, system := strings.Index(text, "  other "), strings.Index(text, "kube-system")
		return strings.Contains(text, "used before") && 0 < other && other < system
	})
	s.write("Not A Name")
	s.press("enter")
	s.sees("no namespace is called so")
	s.press("esc")
	s.command("ns all")
	s.sees("far-away")
	s.sees("sessions")
}

// What holds no more than the letters that were typed is none of what was meant: a part of a name is.
func TestPlacesTakeNoLooseLetters(t *testing.T) {
	s := shellSession(t)
	s.command("contexts")
	s.sees("https://prod:6443")
	s.write("pd")
	s.press("enter")
	s.sees("nothing is called so: ↑↓ choose one of these")
	s.press("esc", "N")
	s.sees("kube-system")
	s.write("kstem")
	s.press("enter")
	s.sees("there is no namespace kstem")
	s.press("esc", "N")
	s.write("e-sys")
	s.press("enter")
	s.sees("namespace kube-system")
}

func TestNamespacesAreLiveWhileTheyAreSeen(t *testing.T) {
	s := shellSession(t)
	s.press("N")
	s.sees("kube-system")
	s.fake.set(func() { s.fake.namespaces = append(s.fake.namespaces, "newcomer") })
	s.sees("newcomer")
	s.press("esc")
	s.misses("newcomer")
	s.until("nobody waits for namespaces any more", func() bool { s.fake.mu.Lock(); defer s.fake.mu.Unlock(); return s.fake.waiting == 0 })
}

func TestNamespacesThatCannotBeListedAreTyped(t *testing.T) {
	f := newFake(append(cast(), object{namespace: "other", name: "far-away", status: v1alpha1.PhaseRunning}.row())...)
	f.noSpaces = &kube.Problem{Class: kube.ClassForbidden, Message: "you may not list namespaces"}
	s := newSession(t, f, 100, 30, theme.TrueColor)
	s.sees("sessions")
	s.press("N")
	s.sees("you may not list namespaces")
	s.write("other")
	s.press("enter")
	s.sees("far-away")
	s.press("N")
	s.write("oer") // it is in other, too
	s.press("enter")
	s.sees("There is no Valkey in the namespace oer")
	s.command("ns not-listed")
	s.sees("There is no Valkey in the namespace not-listed")
}

func TestAnotherContextTakesThePlaceOfAllThatWas(t *testing.T) {
	s := shellSession(t)
	s.press("l")
	s.sees("Logs  default/cache")
	late := listed{generation: s.m.listGen, snapshot: kube.Snapshot{Columns: columns, Synced: true, Rows: cast()}}
	s.command("ctx prod")
	s.sees("precious")
	s.sees("https://prod:6443")
	s.send(late)
	s.send(versioned{epoch: s.m.epoch - 1, version: "v0.0.0-late"})
	s.misses("sessions")
	s.misses("v0.0.0-late")
	s.until("the log is closed", func() bool { s.fake.mu.Lock(); defer s.fake.mu.Unlock(); return s.fake.streams == 0 })
	s.command("scale precious")
	s.press("+", "enter")
	s.until("the action goes to the other cluster", func() bool { return len(s.fake.clusters["prod"].did()) == 1 })
	if did := s.fake.did(); len(did) > 0 {
		t.Errorf("the cluster before got %q", did)
	}
}

// Until the other cluster answers nothing of the one before is shown, offered or given to a new screen.
func TestNothingOfTheContextBeforeIsLeft(t *testing.T) {
	s := shellSession(t)
	s.press(" ") // a mark must not stay either
	prod := s.fake.clusters["prod"]
	prod.silent = true
	s.fake.fail(&kube.Problem{Class: kube.ClassUnreachable, Message: "dev is away"})
	s.sees("dev is away")
	s.command("ctx prod")
	s.sees("https://prod:6443")
	for _, text := range []string{"sessions", "dev is away", "marked"} {
		if strings.Contains(s.text(), text) {
			t.Errorf("%q of the context before is shown:\n%s", text, s.text())
		}
	}
	s.press("s")
	s.sees("there is no Valkey here")
	s.press(":")
	s.sees("Command")
	s.write("scale ")
	s.sees("no Valkey in namespace")
	s.press("esc")
	prod.set(func() { prod.silent = false })
	s.sees("precious")
}

// case 5 (dashboard), the part of a context: one that cannot be reached says so, and there is a way back.
func TestAContextThatCannotBeReachedIsLeftAgain(t *testing.T) {
	s := shellSession(t)
	s.fake.clusters["dev"] = s.fake
	prod := s.fake.clusters["prod"]
	prod.rows, prod.problem = nil, &kube.Problem{Class: kube.ClassUnreachable, Message: "nobody answers at https://prod:6443"}
	s.command("ctx prod")
	s.sees("nobody answers at https://prod:6443")
	s.misses("sessions")
	s.command("ctx nowhere")
	s.sees("no context nowhere")
	s.press("esc")
	s.command("ctx")
	s.sees("used now")
	s.write("dev")
	s.press("enter")
	s.sees("sessions")
	s.misses("nobody answers")
}

func TestThemeChangesUnderEveryScreen(t *testing.T) {
	s := shellSession(t)
	before := s.m.View()
	s.command("theme light")
	s.misses("Command")
	if s.m.View() == before || s.m.env.Theme.Dark {
		t.Error("the colours are as before")
	}
	s.command("theme high-contrast")
	if !s.m.env.Theme.Options().Contrast {
		t.Error("the theme is not that of high contrast")
	}
}

// The list is sorted by a column that is named, completed from those that are shown.
func TestPaletteSorts(t *testing.T) {
	s := shellSession(t)
	s.command("sort replicas")
	s.sees("REPLICAS↑")
	s.command("sort -ready")
	s.sees("REPLICAS↓")
	s.press(":")
	s.write("sort -im")
	s.press("tab")
	s.sees(":sort -image")
	s.press("enter")
	s.sees("IMAGE↓")
	s.press("y")
	s.sees("4 YAML")
	s.command("sort name")
	s.sees("NAME↑")
	s.press(":")
	s.write("sort pri")
	s.sees("no column pri")
	s.press("esc", "ctrl+w")
	s.sees("PRIMARY")
	s.command("sort primary")
	s.sees("PRIMARY↑")
	s.send(screen.SortBy{Column: "gone"})
	s.sees("there is no column gone now")
}

func TestQuitByItsName(t *testing.T) {
	s := shellSession(t)
	s.command("q")
	if !s.m.quitting {
		t.Error("it goes on")
	}
}

// Keys of the configuration are those that are pressed, that the footer and the help show and that the palette presses.
func TestKeysOfTheConfigurationAreThoseInForce(t *testing.T) {
	s := shellSession(t)
	*s.m.env.Keys = *s.m.env.Keys.With(keys.List, keys.Scale, []string{"x"}).With(keys.List, keys.Logs, nil)
	s.sees("x scale")
	s.press("s")
	s.press("x")
	s.sees("Scale default/cache")
	s.press("esc")
	s.command("scale")
	s.sees("Scale default/cache")
	s.press("esc", "l")
	if len(s.m.stack) != 1 {
		t.Error("a key that was taken away still opens something")
	}
}
