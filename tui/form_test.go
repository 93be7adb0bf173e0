package tui

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/schema"
	"kuberly.io/valkey-operator/tui/theme"
)

// openForm is a session in the form of a new Valkey.
func openForm(t *testing.T, f *fake) *session {
	s := newSession(t, f, 100, 30, theme.TrueColor)
	s.until("the list is known", func() bool { return s.m.known })
	s.press("c")
	s.sees("Create a Valkey")
	return s
}

// openEdit is a session in the form of the Valkey cache.
func openEdit(t *testing.T, f *fake) *session {
	s := newSession(t, f, 100, 40, theme.TrueColor)
	s.sees("sessions")
	s.press("e")
	s.sees("Edit default/cache")
	s.sees("valkey/valkey:9.1")
	return s
}

// focused is the line of the field that takes keys.
func (s *session) focused() string { return s.line("▌") }

// field goes to the field with the label.
func (s *session) field(label string) {
	s.t.Helper()
	for range 40 {
		if strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s.focused()), "▌")), label) {
			return
		}
		s.press("tab")
	}
	s.t.Fatalf("there is no field %s; the screen is\n%s", label, s.text())
}

// retype puts another text into the field with the keys.
func (s *session) retype(text string) {
	for range 60 {
		s.press("backspace")
	}
	s.write(text)
}

func TestFormCreates(t *testing.T) {
	f := newFake(cast()...)
	s := openForm(t, f)
	s.write("app-db")
	s.field("Servers")
	s.retype("2")
	s.press("ctrl+s")
	s.sees("starts 2 servers: one primary and 1 replica of it")
	s.sees("keeps the password in the Secret app-db-password")
	s.sees("+   image: valkey/valkey:")
	if len(f.did()) != 0 {
		t.Fatalf("actions %q before it was agreed to", f.did())
	}
	s.press("enter")
	s.sees("default/app-db is created; its password is in the Secret app-db-password")
	got := f.did()
	if len(got) != 1 || !strings.HasPrefix(got[0], "create default/app-db image valkey/valkey:") || !strings.HasSuffix(got[0], "replicas 2 password 24") {
		t.Errorf("actions %q, want one of two servers with a password that was made", got)
	}
	if f.lastCreated.Spec.Password != nil {
		t.Error("the password is in the object")
	}
	s.cursorOn("app-db")
	s.press("c")
	s.sees("Create a Valkey")
	if servers := s.line("Servers"); !strings.Contains(servers, "1") || strings.Contains(servers, "2") {
		t.Errorf("what became an object is still in the form: %q", servers)
	}
}

// case 22 (dashboard): a field with an error keeps nobody: back, forward, out and in again, and nothing typed is lost.
func TestNoErrorKeepsAnybodyInAField(t *testing.T) {
	f := newFake(cast()...)
	s := openForm(t, f)
	s.write("new-one")
	s.field("Memory")
	s.retype("many elephants")
	s.press("tab")
	s.sees("memory is a whole number and Ki, Mi or Gi, e.g. 512Mi")
	if !strings.Contains(s.focused(), "CPU") {
		t.Fatalf("the error keeps the keys in %q", s.focused())
	}
	s.press("shift+tab")
	if !strings.Contains(s.focused(), "many elephants") {
		t.Fatalf("back leads to %q", s.focused())
	}
	s.press("esc")
	s.sees("sessions")
	s.press("c")
	s.sees("many elephants")
	s.press("ctrl+s")
	s.sees("not created")
	s.sees("memory is a whole number")
	if !strings.Contains(s.focused(), "Memory") {
		t.Errorf("the keys go to %q, want the refused field", s.focused())
	}
	s.retype("64Mi")
	s.misses("memory is a whole number")
	s.press("ctrl+s")
	s.sees("not applied yet")
	s.press("esc") // from what it will do back to the form
	s.sees("Create a Valkey")
	s.sees("64Mi")
	s.press("esc")
	s.sees("sessions")
	if len(f.did()) != 0 {
		t.Errorf("actions %q, want none", f.did())
	}
	s.press("c", "ctrl+n")
	s.misses("new-one")
}

func TestFormShowsRefusalsBesideTheirFields(t *testing.T) {
	f := newFake(cast()...)
	refuse := func(p *kube.Problem) { f.set(func() { f.refuse["default/app"] = p }) }
	s := openForm(t, f)
	s.write("app")
	for name, test := range map[string]struct {
		problem     *kube.Problem
		sees, field string
	}{
		"of a value": {&kube.Problem{Class: kube.ClassInvalid, Fields: []kube.FieldProblem{{Path: "spec.resource.memory", Message: "more than the quota of team-a allows"}}}, "✗ more than the quota of team-a allows", "Memory"},
		"of a rule on the whole object": {&kube.Problem{Class: kube.ClassInvalid, Fields: []kube.FieldProblem{{
			Message: "the name may not end in -replicas, -nodes, -internal, -observer or -node-N: names of its children end so",
		}}}, "✗ the name may not end in -replicas", "Name"},
		"of a rule on the spec": {&kube.Problem{Class: kube.ClassInvalid, Fields: []kube.FieldProblem{{Path: "spec", Message: "set exactly one of spec.password and spec.passwordSecretRef"}}}, "✗ set exactly one of", "Password"},
		"of a directive":        {&kube.Problem{Class: kube.ClassInvalid, Fields: []kube.FieldProblem{{Path: "spec.config", Message: "the operator owns the directive port"}}}, "✗ the operator owns the directive port", "config"},
		"of the name":           {&kube.Problem{Class: kube.ClassExists, Message: "default/app exists already"}, "✗ default/app exists already", "Name"},
	} {
		refuse(test.problem)
		s.press("ctrl+s")
		s.sees(test.sees)
		if !strings.Contains(s.focused(), test.field) {
			t.Errorf("a refusal %s: the keys go to %q, want %s", name, s.focused(), test.field)
		}
	}
	refuse(&kube.Problem{Class: kube.ClassForbidden, Message: "you may not create valkeys in default", Hint: "ask for a role"})
	s.press("ctrl+s")
	s.sees("you may not create valkeys in default; ask for a role")
	s.misses("exists already")
}

func TestPasswordIsShownOnlyWhenAskedFor(t *testing.T) {
	s := openForm(t, newFake(cast()...))
	s.field("Password")
	s.write("geheim")
	if strings.Contains(s.text(), "geheim") {
		t.Fatal("the password is on the screen")
	}
	s.press("ctrl+r")
	s.sees("geheim")
	s.press("ctrl+r")
	s.misses("geheim")
	s.press("ctrl+g", "ctrl+r")
	s.until("a password that was made", func() bool {
		words := strings.Fields(s.focused())
		return len(words) == 3 && len(words[2]) == 24 && words[2] != strings.Repeat("•", 24)
	})
}

func TestFormTakesAPaste(t *testing.T) {
	s := openForm(t, newFake(cast()...))
	s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("pasted-name"), Paste: true})
	if !strings.Contains(s.focused(), "pasted-name") {
		t.Errorf("after a paste the field is %q", s.focused())
	}
	s.field("Password")
	s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("with space and ctrl\x13"), Paste: true})
	if s.m.top().id != 2 {
		t.Error("a pasted control character acted as a key")
	}
}

func TestFormWithTheVolumeOff(t *testing.T) {
	f := newFake(cast()...)
	s := openForm(t, f)
	s.write("mem")
	s.field("Volume")
	s.press(" ")
	s.field("config")
	s.write("maxmemory-policy: allkeys-lru")
	s.press("enter")
	s.write("appendonly yes")
	s.press("ctrl+s")
	s.sees("keeps no data: without a volume what a server holds is lost")
	s.sees("appendonly: \"yes\"")
	s.press("enter")
	s.sees("default/mem is created")
	spec := f.lastCreated.Spec
	if spec.Volume.Enabled || spec.Volume.Storage != "" || spec.Config["maxmemory-policy"] != "allkeys-lru" || spec.Config["appendonly"] != "yes" {
		t.Errorf("created as %+v", spec)
	}
}

func TestFormOffersWhatThereIs(t *testing.T) {
	f := newFake(cast()...)
	f.classes = []string{"fast", "slow"}
	s := openForm(t, f)
	s.write("app")
	s.field("Namespace")
	s.sees("ctrl-o choose")
	s.press("ctrl+o")
	s.sees("kube-system")
	s.write("shop")
	s.press("enter")
	s.until("it is taken", func() bool { return strings.Contains(s.focused(), "shop") })
	s.field("Class")
	s.press("ctrl+o", "down", "enter")
	s.field("Reclaim")
	s.press("left")
	s.press("ctrl+s")
	s.sees("storageClassName: slow")
	s.sees("reclaim: Retain")
	s.sees("namespace: shop")
}

func TestFormEdits(t *testing.T) {
	f := newFake(cast()...)
	s := openEdit(t, f)
	s.press("ctrl+s")
	s.sees("nothing would change")
	s.field("Image")
	s.retype("valkey/valkey:9.2")
	s.press("tab")
	s.sees("was valkey/valkey:9.1")
	s.press("ctrl+s")
	s.sees("rolls 3 nodes, replicas first, each in sync before the next, the primary last")
	s.sees("-   image: valkey/valkey:9.1")
	s.sees("+   image: valkey/valkey:9.2")
	if strings.Contains(s.text(), "geheim") {
		t.Error("the password is on the screen")
	}
	s.press("enter")
	s.sees("default/cache is changed")
	if got := f.did(); !slices.Equal(got, []string{"change default/cache spec.image: valkey/valkey:9.1 -> valkey/valkey:9.2"}) {
		t.Errorf("actions %q", got)
	}
}

// Somebody else changes the object while the form is open: it is shown, nothing typed is lost, and nothing of theirs.
func TestFormCarriesAChangeOver(t *testing.T) {
	f := newFake(cast()...)
	s := openEdit(t, f)
	s.field("Memory")
	s.retype("1Gi")
	f.meanwhile(int64(4), "spec", "replicas")
	s.press("ctrl+s")
	s.sees("Changed by others meanwhile")
	s.sees("spec.replicas: 3 -> 4")
	f.meanwhile("valkey/valkey:9.3", "spec", "image")
	s.press("enter") // it has changed once more
	s.sees("spec.image: valkey/valkey:9.1 -> valkey/valkey:9.3")
	s.sees("rolls 4 nodes")
	s.press("enter")
	s.sees("default/cache is changed")
	if got := f.did(); !slices.Equal(got, []string{"change default/cache spec.resource.memory: 512Mi -> 1Gi"}) {
		t.Errorf("actions %q", got)
	}
}

func TestEditedFormIsKeptWhenItIsLeft(t *testing.T) {
	f := newFake(cast()...)
	s := openEdit(t, f)
	s.field("Memory")
	s.retype("3Gi")
	s.press("esc")
	s.sees("sessions")
	s.press("e")
	s.sees("with what was typed before")
	s.sees("3Gi")
	s.press("ctrl+n")
	s.misses("3Gi")
	s.press("esc")
	s.sees("sessions")
	f.remove("cache")
	s.misses("cache")
	s.press("e")
	s.sees("Edit default/jobs")
	s.sees("valkey/valkey:9.1")
	f.remove("jobs")
	s.field("Memory")
	s.retype("2Gi")
	s.press("ctrl+s")
	s.sees("there is no Valkey default/jobs")
	s.sees("2Gi")
}

// Where data would be lost a name has to be typed.
func TestLossOfDataIsAskedFor(t *testing.T) {
	f := newFake(object{name: "mem", replicas: 1, ready: 1, noVolume: true, generation: 1}.row())
	s := newSession(t, f, 100, 40, theme.TrueColor)
	s.sees("mem")
	s.press("e")
	s.sees("Edit default/mem")
	s.sees("valkey/valkey:9.1")
	s.field("Image")
	s.retype("valkey/valkey:9.2")
	s.press("ctrl+s")
	s.sees("✗ restarts the one server: without a volume all data is lost (image)")
	s.press("enter")
	s.sees("Type mem to lose the data:")
	s.press("enter")
	s.sees("not done: mem was not typed")
	if len(f.did()) != 0 {
		t.Fatalf("actions %q, want none", f.did())
	}
	s.press("enter")
	s.write("mem")
	s.press("enter")
	s.sees("default/mem is changed")
}

func TestFormIsLeftWhileTheServerIsAsked(t *testing.T) {
	f := newFake(cast()...)
	f.hold = make(chan struct{})
	s := openEdit(t, f)
	s.field("Memory")
	s.retype("1Gi")
	s.press("ctrl+s")
	s.sees("rolls 3 nodes")
	s.press("enter")
	s.sees("asking the server")
	s.press("esc", "esc")
	s.sees("sessions")
	f.set(func() { f.refuse["default/cache"] = errors.New("the cluster is away") })
	close(f.hold)
	s.sees("not applied: the cluster is away")
	f.set(func() { delete(f.refuse, "default/cache") })
	s.press("e")
	s.sees("1Gi")
}

// case 12 (dashboard): what a schema says cannot drive the terminal, and a field that nobody knows is a field of the form.
func TestFormOfAForeignSchema(t *testing.T) {
	f := newFake(cast()...)
	evil := "evil \x1b]0;pwned\x07\x1b[2J\r\n\u202e " + strings.Repeat("x", 500)
	var err error
	f.schema, err = schema.New(&apiextensionsv1.JSONSchemaProps{Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"image":  {Type: "string", Description: evil},
			"colour": {Type: "string", Description: evil, Enum: []apiextensionsv1.JSON{{Raw: []byte(`"red\u001b[31m"`)}}},
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	s := openForm(t, f)
	s.sees("colour")
	s.field("Image")
	s.sees("evil")
	view := s.m.View()
	if strings.ContainsAny(view, "\x07\r\u202e") || strings.Contains(view, "\x1b]") || strings.Contains(view, "\x1b[2J") {
		t.Errorf("the schema reached the terminal: %q", view)
	}
	checkView(t, view, 100, 30)
}

// case 15 (dashboard): in no size does a form or a review fall over, or draw more than there is room for.
func TestFormsInAllSizes(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, play := range [][]string{{"c"}, {"e"}, {"S"}, {"c", "x", "ctrl+s"}} {
		s := newSession(t, newFake(cast()...), 100, 30, theme.TrueColor)
		s.sees("sessions")
		s.press(play...)
		for range 300 {
			width, height := 1+random.IntN(160), 1+random.IntN(60)
			s.send(tea.WindowSizeMsg{Width: width, Height: height})
			s.press([]string{"tab", "shift+tab", "down", "up", "ctrl+r", " ", "日", "backspace", "enter"}[random.IntN(9)])
			checkView(t, s.m.View(), width, height)
		}
	}
}
