package form

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
	"kuberly.io/valkey-operator/tui/schema"
	"kuberly.io/valkey-operator/tui/screen"
)

// revealFor is how long a password is shown that was asked for.
const revealFor = 5 * time.Second

// Model is the form. It implements screen.Screen.
type Model struct {
	env screen.Env
	id  screen.ID

	ref       kube.Ref // of the object that is changed; for a new one only its namespace
	base      *unstructured.Unstructured
	schema    *schema.Schema
	fields    []*field
	at        int               // the field that takes keys
	typed     map[string]string // a draft, until there are fields for it
	wasTyped  bool              // the fields hold a draft
	namespace []string          // those that there are
	classes   []string

	refused  map[string]string // by path, until the value changes
	above    *kube.Problem     // what is wrong with no field in particular
	sending  bool
	isLoaded bool
	shown    bool // the password
	reveals  int  // number of the last time that it was
	top      int  // first line that is shown

	width, height int
}

// generated is the reply of the command that makes a password.
type generated struct {
	to       screen.ID
	password string
	submit   bool
}

// hide ends the showing of the password with the number.
type hide struct {
	to     screen.ID
	number int
}

// New makes the form of a new Valkey, filled with a draft, or where that is nil with what is usual. Init must be sent next.
func New(env screen.Env, id screen.ID, namespace string, draft map[string]string) *Model {
	m := &Model{env: env, id: id, ref: kube.Ref{Namespace: namespace}, typed: draft, refused: map[string]string{}}
	m.fill(kube.BuiltinSchema(), nil)
	return m
}

// Edit makes the form of a Valkey that there is. Init must be sent next.
func Edit(env screen.Env, id screen.ID, ref kube.Ref, draft map[string]string) *Model {
	return &Model{env: env, id: id, ref: ref, typed: draft, refused: map[string]string{}}
}

// Init asks for what the form is made of.
func (m *Model) Init() screen.Effect { return screen.LoadForm{From: m.id, Ref: m.ref} }

func (m *Model) isNew() bool { return m.ref.Name == "" }

// fill makes the fields. What was typed before is typed again, and the keys go to the same field.
func (m *Model) fill(s *schema.Schema, live *unstructured.Unstructured) {
	focused, isFirst := pathName, m.fields == nil
	if !isFirst {
		m.typed, focused = m.draft(), m.focused().Path
	}
	m.schema, m.base, m.at = s, live, 0
	m.fields = newFields(s, m.env.Theme, m.isNew())
	for i, f := range m.fields {
		f.initial = m.initial(f)
		f.set(f.initial)
		if text, was := m.typed[f.Path]; was {
			f.set(text)
			m.wasTyped = m.wasTyped || isFirst && text != f.initial
		}
		if f.Path == focused {
			m.at = i
		}
	}
	m.typed = nil
	m.offer()
	m.describePassword()
	m.show(m.shown)
	m.focused().focus(true)
	m.SetSize(m.width, m.height)
}

// initial is what stands in a field before anything is typed.
func (m *Model) initial(f *field) string {
	switch {
	case f.Path == pathNamespace:
		return m.ref.Namespace
	case f.Path == pathPassword:
		return ""
	case m.isNew():
		return suggestions[f.Path]
	default:
		return f.Format(at(m.base, f.Path))
	}
}

// describePassword says what an empty one leads to.
func (m *Model) describePassword() {
	i := m.passwordAt()
	if i < 0 {
		return
	}
	f := m.fields[i]
	secret := ""
	if name, isText := at(m.base, pathSecret).(string); isText {
		secret = name
	}
	switch {
	case m.isNew():
		f.line.Placeholder, f.hint = "one is made", "empty: one is made; it is kept in a Secret"
	case secret != "":
		f.line.Placeholder, f.hint = "in the Secret "+secret, "is kept in the Secret "+secret+": change it there; to keep it here, empty "+strings.TrimPrefix(pathSecret, "spec.")
	default:
		f.line.Placeholder, f.hint = "stays as it is", "empty: stays as it is. Who may read the object can read it: a Secret is better"
	}
}

// offer gives the fields what can be chosen in them.
func (m *Model) offer() {
	for _, f := range m.fields {
		switch f.Path {
		case pathNamespace:
			f.offered = m.namespace
		case pathClass:
			f.offered = m.classes
		default:
			if f.Kind == schema.Choice {
				f.offered = f.options()
			}
		}
	}
}

func (m *Model) passwordAt() int {
	return slices.IndexFunc(m.fields, func(f *field) bool { return f.Path == pathPassword })
}

// focused is the field that takes keys; there is one as soon as there are fields.
func (m *Model) focused() *field { return m.fields[m.at] }

// draft is what is typed.
func (m *Model) draft() map[string]string {
	values := make(map[string]string, len(m.fields))
	for _, f := range m.fields {
		values[f.Path] = f.value()
	}
	return values
}

// isChanged says that something was typed.
func (m *Model) isChanged() bool {
	return slices.ContainsFunc(m.fields, func(f *field) bool { return f.value() != f.initial })
}

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case generated:
		if msg.to == m.id {
			return m.generated(msg)
		}
	case hide:
		if msg.to == m.id && msg.number == m.reveals {
			m.show(false)
		}
	default:
		m.reply(msg)
	}
	return nil
}

// reply takes what came of the form's intents.
func (m *Model) reply(msg tea.Msg) {
	switch msg := msg.(type) {
	case screen.FormLoaded:
		if msg.To == m.id {
			m.loaded(msg)
		}
	case screen.Chosen:
		if msg.To == m.id && m.fields != nil {
			m.change(m.focused(), func(f *field) { f.set(msg.Value) })
		}
	case screen.Refused:
		if msg.To == m.id {
			m.refuse(msg.Problem)
		}
	case screen.Proposed:
		if msg.To == m.id {
			m.sending = false
		}
	}
}

// IsLoaded says that the form is made of what the cluster says.
func (m *Model) IsLoaded() bool { return m.isLoaded }

func (m *Model) loaded(msg screen.FormLoaded) {
	if msg.Problem != nil {
		m.above = msg.Problem
		return
	}
	m.isLoaded = true
	m.namespace, m.classes = msg.Namespaces, msg.Classes
	m.fill(msg.Schema, msg.Live)
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Form)
	}
	if action == keys.Back {
		return m.leave()
	}
	if m.sending || m.fields == nil {
		return nil
	}
	f := m.focused()
	switch action {
	case keys.NextItem:
		m.move(msg, 1)
	case keys.PrevItem:
		m.move(msg, -1)
	case keys.Confirm:
		return m.confirm(f, msg)
	case keys.Submit:
		return m.submit()
	case keys.Choose:
		if len(f.offered) > 0 {
			return screen.PickName{From: m.id, Title: f.label, Names: f.offered}
		}
	case keys.Generate:
		return m.generate(false)
	case keys.Reveal:
		return m.reveal()
	case keys.Renew:
		m.above, m.refused, m.wasTyped = nil, map[string]string{}, false
		m.fields = nil
		m.fill(m.schema, m.base)
	default:
		m.change(f, func(f *field) { f.update(msg) })
	}
	return nil
}

// confirm ends a field; in one of several lines it ends a line.
func (m *Model) confirm(f *field, msg tea.KeyMsg) screen.Effect {
	switch {
	case f.isArea():
		m.change(f, func(f *field) { f.update(msg) })
	case m.at == len(m.fields)-1:
		return m.submit()
	default:
		m.step(1)
	}
	return nil
}

// leave closes the form, also while it is being sent: the reply is then told in passing. What was typed is kept.
func (m *Model) leave() screen.Effect {
	draft := screen.Draft{UID: m.ref.UID}
	if m.fields != nil && m.isChanged() {
		draft.Values = m.draft()
	}
	return screen.Effects{draft, screen.Close{From: m.id}}
}

// change changes a field. What was refused is so no longer once its value changes.
func (m *Model) change(f *field, change func(*field)) {
	before := f.value()
	change(f)
	if f.value() != before {
		delete(m.refused, f.Path)
		m.checkName(f)
	}
	m.scroll()
}

// move goes to another field; in one of several lines the arrows stay inside until its edge.
func (m *Model) move(msg tea.KeyMsg, by int) {
	isArrow := msg.Type == tea.KeyUp || msg.Type == tea.KeyDown
	if f := m.focused(); isArrow && !f.isEdge(by) {
		f.update(msg)
		return
	}
	m.step(by)
}

// step goes to the next field, or the one before, and from the last to the first. The one that is left is checked, and keeps nobody.
func (m *Model) step(by int) {
	m.checkOne(m.focused())
	m.goTo((m.at + by + len(m.fields)) % len(m.fields))
}

func (m *Model) goTo(place int) {
	m.focused().focus(false)
	m.at = place
	m.focused().focus(true)
	m.scroll()
}

// generate makes a password; submit says that the form is sent with it.
func (m *Model) generate(submit bool) screen.Effect {
	id := m.id
	return func() tea.Msg { return generated{id, kube.GeneratePassword(), submit} }
}

func (m *Model) generated(msg generated) screen.Effect {
	if msg.submit {
		return m.propose(msg.password)
	}
	if i := m.passwordAt(); i >= 0 {
		m.change(m.fields[i], func(f *field) { f.set(msg.password) })
	}
	return nil
}

// reveal shows the password for a few seconds, or hides it.
func (m *Model) reveal() screen.Effect {
	m.show(!m.shown)
	if !m.shown {
		return nil
	}
	m.reveals++
	h := hide{m.id, m.reveals}
	return tea.Tick(revealFor, func(time.Time) tea.Msg { return h })
}

func (m *Model) show(on bool) {
	m.shown = on
	if i := m.passwordAt(); i >= 0 {
		m.fields[i].line.EchoMode = textinput.EchoPassword
		if on {
			m.fields[i].line.EchoMode = textinput.EchoNormal
		}
	}
}

// title names what the form is about.
func (m *Model) title() string {
	if m.isNew() {
		return "Create a Valkey"
	}
	return "Edit " + m.ref.String()
}

// secretOf is where the password of an object is; empty where it is in the object itself.
func secretOf(object *unstructured.Unstructured) string {
	if _, inside := manifest.Password(object); inside {
		return ""
	}
	name, _ := at(object, pathSecret).(string)
	return name
}
