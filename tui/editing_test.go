package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/form"
	"kuberly.io/valkey-operator/tui/theme"
)

// inEditor is a session with an editor that is a script. What it is given is appended to the file seen.
func inEditor(t *testing.T, f *fake, script string) (s *session, seen string) {
	t.Helper()
	dir := t.TempDir()
	seen = filepath.Join(dir, "seen")
	path := filepath.Join(dir, "editor")
	text := "#!/bin/sh\necho \"child $CHILD\" >>" + seen + "\ncat \"$1\" >>" + seen + "\n" + script + "\n"
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBE_EDITOR", path)
	t.Setenv("TMPDIR", t.TempDir())
	s = newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.press("E")
	return s, seen
}

// kept are the files that edits have left behind.
func kept(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestEditorChanges(t *testing.T) {
	f := newFake(cast()...)
	s, seen := inEditor(t, f, `sed -i s/9.1/9.2/ "$1"`)
	s.sees("rolls 3 nodes, replicas first")
	s.sees("+   image: valkey/valkey:9.2")
	text, err := os.ReadFile(seen)
	if err != nil || strings.Contains(string(text), "geheim") || !strings.Contains(string(text), "<hidden>") || !strings.Contains(string(text), "child yes") {
		t.Errorf("the editor saw %s, %v", text, err)
	}
	s.press("enter")
	s.sees("default/cache is changed")
	if got := f.did(); !slices.Equal(got, []string{"change default/cache spec.image: valkey/valkey:9.1 -> valkey/valkey:9.2"}) {
		t.Errorf("actions %q", got)
	}
	if left := kept(t); len(left) != 0 {
		t.Errorf("%q are left behind", left)
	}
}

func TestEditorWithoutAChange(t *testing.T) {
	f := newFake(cast()...)
	s, _ := inEditor(t, f, "true")
	s.sees("nothing was changed")
	if left := kept(t); len(left) != 0 || len(f.did()) != 0 {
		t.Errorf("%q are left behind, actions %q", left, f.did())
	}
}

// What is refused can be mended where it was written; what is given up is kept, and its place told.
func TestNothingWrittenIsLost(t *testing.T) {
	f := newFake(cast()...)
	f.refuse["default/cache"] = &kube.Problem{Class: kube.ClassInvalid, Message: "spec.image: too new"}
	s, seen := inEditor(t, f, `sed -i 's/valkey:9../valkey:9.9/' "$1"`)
	s.sees("spec.image: too new")
	s.sees("What was written is kept in")
	s.press("e")
	s.until("the editor was opened again, with the reason", func() bool {
		text, _ := os.ReadFile(seen)
		return strings.Contains(string(text), "# Not applied: spec.image: too new") && strings.Count(string(text), "valkey:9.9") == 1
	})
	s.sees("spec.image: too new")
	s.press("esc")
	s.sees("not applied: what was written is kept in ")
	left := kept(t)
	if len(left) != 1 {
		t.Fatalf("%q are left", left)
	}
	text, err := os.ReadFile(left[0])
	if err != nil || !strings.Contains(string(text), "valkey:9.9") {
		t.Errorf("the file holds %s, %v", text, err)
	}
	for path, want := range map[string]os.FileMode{left[0]: 0o600, filepath.Dir(left[0]): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, %v; want it for its owner alone", path, info.Mode(), err)
		}
	}
}

// The number of a line is that of the text as the editor shows it.
func TestEditorNamesTheLineAtFault(t *testing.T) {
	s, seen := inEditor(t, newFake(cast()...), `grep -q "Not applied" "$1" || sed -i 's/^kind: .*/&\n&/' "$1"`)
	s.sees("document 1: line ")
	if err := os.Remove(seen); err != nil {
		t.Fatal(err)
	}
	s.press("e")
	var lines []string
	var told []string
	s.until("the editor was opened again, with the reason", func() bool {
		text, _ := os.ReadFile(seen)
		told = regexp.MustCompile(`# Not applied: document 1: line (\d+)`).FindStringSubmatch(string(text))
		lines = strings.Split(string(text), "\n")[1:] // without that of the child
		return told != nil && len(lines) > 20
	})
	if n, _ := strconv.Atoi(told[1]); n > len(lines) || !strings.HasPrefix(lines[n-1], "kind: ") {
		t.Errorf("line %d is not that of the fault:\n%s", n, strings.Join(lines, "\n"))
	}
}

func TestEditorThatFails(t *testing.T) {
	f := newFake(cast()...)
	for script, want := range map[string]string{
		`sed -i s/9.1/9.2/ "$1"; exit 3`:       "the editor: exit status 3",
		`echo "spec: [" >"$1"`:                 "document 1: line ",
		`sed -i "s/name: cache/name: x/" "$1"`: "a name cannot change",
		`rm "$1"`:                              "read what was edited: stat ",
	} {
		s, _ := inEditor(t, f, script)
		s.sees(want)
		s.sees("e edit again")
		s.press("esc")
		s.sees("sessions")
	}
	if len(f.did()) != 0 {
		t.Errorf("actions %q, want none", f.did())
	}
}

// Somebody else changes the object while the editor is open.
func TestEditorCarriesAChangeOver(t *testing.T) {
	f := newFake(cast()...)
	closed := filepath.Join(t.TempDir(), "closed")
	s, seen := inEditor(t, f, `until [ -e `+closed+` ]; do sleep 0.05; done; sed -i s/9.1/9.2/ "$1"`)
	s.until("the editor is open", func() bool { text, _ := os.ReadFile(seen); return strings.Contains(string(text), "spec:") })
	f.meanwhile(int64(4), "spec", "replicas")
	if err := os.WriteFile(closed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.sees("rolls 4 nodes")
	s.sees("spec.replicas: 3 -> 4")
	s.press("e") // and once more over the same text: nothing of theirs is undone
	s.sees("rolls 4 nodes")
	s.press("enter")
	s.sees("default/cache is changed")
	if got := f.did(); !slices.Equal(got, []string{"change default/cache spec.image: valkey/valkey:9.1 -> valkey/valkey:9.2"}) {
		t.Errorf("actions %q", got)
	}
}

func TestEditorIsClosedBehindADashboardThatWasLeft(t *testing.T) {
	f := newFake(cast()...)
	s, _ := inEditor(t, f, `sed -i s/9.1/9.2/ "$1"`)
	s.sees("rolls 3 nodes")
	s.m.close()
	left := kept(t)
	if len(left) != 1 {
		t.Fatalf("%q are left, want what was written", left)
	}
	var told strings.Builder
	s.m.tellKept(&told)
	if want := "valkeyctl: not applied: what was written is kept in " + left[0] + "\n"; told.String() != want {
		t.Errorf("it tells %q, want %q", told.String(), want)
	}
}

// A reply to a form that is gone is nobody's.
func TestLateRepliesToAForm(t *testing.T) {
	s := openForm(t, newFake(cast()...))
	s.write("app")
	late := s.m.top().screen.(*form.Model)
	s.press("esc", "c")
	s.m.propose(screen.Propose{From: 2})
	s.send(proposed{from: 2, problem: &kube.Problem{Message: "late"}})
	if strings.Contains(s.text(), "late") || late == s.m.top().screen {
		t.Error("a reply to the form that was left is shown")
	}
}

// The path is told on the terminal that the dashboard has left.
func TestUnappliedTextIsToldAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nsed -i s/9.1/9.2/ \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := startScene(t, "lines", 100, 30, "KUBE_EDITOR="+script, "TMPDIR="+dir)
	p.sees("sessions")
	p.types("E")
	p.sees("rolls 3 nodes")
	p.types("\x03")
	if code := p.exits(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.checkRestored()
	p.until("the path is told behind the dashboard", func() bool {
		_, after, _ := strings.Cut(p.bytes(), "\x1b[?1049l")
		return strings.Count(after, "valkeyctl: not applied: what was written is kept in "+dir) == 1
	})
}
