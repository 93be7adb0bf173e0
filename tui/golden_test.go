package tui

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

var update = flag.Bool("update", false, "write the golden files anew")

// scene leads to a screen or a dialog.
type scene struct {
	rows []*kube.Row
	play func(s *session)
}

// scenes lead to every screen and dialog.
var scenes = map[string]scene{
	"list":          {cast(), func(s *session) { s.press("j", "j"); s.cursorOn("sessions") }},
	"list-all":      {cast(), func(s *session) { s.press("0"); s.sees("all namespaces"); s.sees("NAMESPACE") }},
	"list-filter":   {cast(), func(s *session) { s.press("/"); s.write("jo"); s.sees("1 of 4") }},
	"list-no-match": {cast(), func(s *session) { s.press("/"); s.write("nothing"); s.press("enter"); s.sees("Nothing matches") }},
	"list-marked":   {cast(), func(s *session) { s.press(" ", " "); s.sees("2 marked") }},
	"list-sorted":   {cast(), func(s *session) { s.press(">", "r"); s.sees("IMAGE↓") }},
	"list-bad-filter": {cast(), func(s *session) {
		s.press("/")
		s.write("jo")
		s.sees("1 of 4")
		s.write("[")
		s.sees("missing closing")
	}},
	"no-operator": {cast(), func(s *session) {
		s.send(operatorRead{operator: kube.Operator{Known: true}, known: true})
		s.sees("no operator is installed")
	}},
	"empty": {nil, func(*session) {}},
	"down": {nil, func(s *session) {
		s.fake.fail(&kube.Problem{Class: kube.ClassUnreachable, Message: "nobody answers at https://127.0.0.1:6443", Hint: "is the cluster running?"})
		s.sees("tries now")
		s.sees("Nothing is known yet")
	}},
	"stale": {cast(), func(s *session) {
		s.fake.fail(&kube.Problem{Class: kube.ClassCredentials, Message: "the credentials of the context dev have run out", Hint: "log in again"})
		s.sees("? running")
	}},
	"help":       {cast(), func(s *session) { s.press("?"); s.sees("Help") }},
	"scale":      {cast(), func(s *session) { s.press("+"); s.sees("3 → 4") }},
	"scale-bulk": {cast(), func(s *session) { s.press("ctrl+a", "-"); s.sees("each gets 1 less") }},
	"scale-done": {cast(), func(s *session) { s.press("ctrl+a", "+", "enter"); s.sees("all 4 done"); s.sees("● 4") }},
	"delete":     {cast(), func(s *session) { s.press("ctrl+d"); s.sees("cache-node-0"); s.write("cac") }},
	"delete-bulk": {cast(), func(s *session) {
		s.press(" ", " ", "ctrl+d")
		s.until("both are looked up", func() bool { return strings.Count(s.text(), "with 1 claim") == 2 })
	}},
	"palette":    {cast(), func(s *session) { s.press(":"); s.sees("Command"); s.write("s"); s.press("down") }},
	"namespaces": {cast(), func(s *session) { s.press("N"); s.sees("Namespace"); s.sees("kube-system") }},
	"contexts":   {cast(), func(s *session) { s.command("ctx"); s.sees("Context"); s.sees("used now") }},
	"denied": {cast(), func(s *session) {
		s.fake.denied = []string{"delete valkeys"}
		s.run(s.m.askRightsIn("default"))
		s.until("it is known", func() bool { return s.m.env.Why("delete") != "" })
		s.press("ctrl+d")
	}},
	"logs":      {cast(), func(s *session) { s.press("l"); s.sees("60 lines") }},
	"logs-find": {cast(), func(s *session) { s.press("l"); s.sees("60 lines"); s.press("/"); s.write("ready"); s.sees("12 found") }},
	"logs-filter": {cast(), func(s *session) {
		s.press("l")
		s.sees("60 lines")
		s.press("/")
		s.write("ready")
		s.sees("12 found")
		s.press("enter", "&")
		s.write("!memory")
		s.sees("48 of 60")
		s.press("enter")
	}},
	"create": {cast(), func(s *session) { s.press("c"); s.sees("Create"); s.forms() }},
	"create-refused": {cast(), func(s *session) {
		s.press("c")
		s.forms()
		s.write("new")
		s.field("Memory")
		s.retype("64 MB")
		s.press("ctrl+s")
		s.sees("not created")
	}},
}

func TestGoldenViews(t *testing.T) {
	for name, scene := range scenes {
		for _, look := range []struct {
			name          string
			width, height int
			depth         theme.Depth
		}{
			{"80x24", 80, 24, theme.TrueColor},
			{"120x40", 120, 40, theme.TrueColor},
			{"80x24-plain", 80, 24, theme.Mono},
			{"120x40-plain", 120, 40, theme.Mono},
		} {
			t.Run(name+"/"+look.name, func(t *testing.T) {
				f := newFake(scene.rows...)
				f.lines = someLines(60)
				f.namespaces = []string{"default", "kube-system", "team-a"}
				f.contexts = []kube.Context{{Name: "dev", Server: "https://127.0.0.1:6443"}, {Name: "prod", Server: "https://prod:6443", Namespace: "shop"}}
				s := newPlainSession(t, f, look.width, look.height, look.depth)
				s.sees("Kubernetes v1.37.2")
				s.sees("● 2/2")
				if scene.rows == nil {
					s.sees("There is no Valkey")
				} else {
					s.sees("sessions")
				}
				scene.play(s)
				view := s.m.View()
				checkView(t, view, look.width, look.height)
				golden(t, filepath.Join("testdata", name+"-"+look.name+".golden"), view)
			})
		}
	}
}

// newPlainSession is a session whose signs are Unicode also without colours, so that one scene serves all looks.
func newPlainSession(t testing.TB, f *fake, width, height int, depth theme.Depth) *session {
	s := newSession(t, f, width, height, theme.TrueColor)
	look := theme.New(theme.Options{Dark: true, Depth: depth, Unicode: true})
	look.Apply()
	*s.m.env.Theme = *look
	return s
}

// checkView fails where a view has not exactly the lines of the screen, or one that is wider.
func checkView(t testing.TB, view string, width, height int) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) != height {
		t.Errorf("%d lines on a screen of %d", len(lines), height)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w > width {
			t.Errorf("line %d has %d cells on a screen of %d: %q", i, w, width, ansi.Strip(l))
		}
	}
}

func golden(t *testing.T, path, view string) {
	t.Helper()
	// One line of the file is one line of the screen; the escapes are readable.
	got := strings.ReplaceAll(view, "\x1b", "␛") + "\n"
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the view has changed (-want +got; -update takes it over):\n%s", diff)
	}
}
