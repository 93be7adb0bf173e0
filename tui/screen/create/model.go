package create

import (
	"crypto/rand"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/huh"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
)

// revealFor is how long a password is shown that was asked for.
const revealFor = 5 * time.Second

// Model is the form. It implements screen.Screen.
type Model struct {
	env screen.Env
	id  screen.ID

	form   *huh.Form
	inputs map[string]*huh.Input
	values map[string]*string
	volume bool

	refused map[string]string // by field, until its value changes
	above   *kube.Problem     // what is wrong with no field in particular
	sending bool
	reveals int // number of the last time that the password was shown
	shown   bool

	width, height int
}

// generated is the reply of the command that makes a password.
type generated struct {
	to       screen.ID
	password string
}

// hide ends the showing of the password with the number.
type hide struct {
	to     screen.ID
	number int
}

// New makes the form, filled with a draft, or where that is nil with the defaults.
func New(env screen.Env, id screen.ID, namespace string, draft map[string]string) *Model {
	m := &Model{env: env, id: id, refused: map[string]string{}}
	m.fill(namespace, draft)
	return m
}

func (m *Model) fill(namespace string, draft map[string]string) {
	values := map[string]string{
		fieldNamespace: namespace, fieldImage: v1alpha1.DefaultImage, fieldUser: "root", fieldReplicas: "1",
		fieldMemory: "512Mi", fieldCPU: "200m", fieldStorage: "512Mi", fieldVolume: "true",
	}
	for k, v := range draft {
		values[k] = v
	}
	m.values = map[string]*string{}
	m.inputs = map[string]*huh.Input{}
	fields := make([]huh.Field, len(specs))
	for i := range specs {
		s := &specs[i]
		value := values[s.key]
		m.values[s.key] = &value
		var inner huh.Field
		if s.key == fieldVolume {
			m.volume = value == "true"
			inner = huh.NewConfirm().Key(s.key).Inline(true).Affirmative("yes").Negative("no").Value(&m.volume)
		} else {
			in := huh.NewInput().Key(s.key).Prompt("").Inline(true).CharLimit(s.limit).Validate(s.check).Value(&value)
			switch s.key {
			case fieldName:
				in.Placeholder("app-db")
			case fieldPassword:
				in.Placeholder("one is made")
			}
			m.inputs[s.key] = in
			inner = in
		}
		fields[i] = &field{
			Field: inner, spec: s, theme: m.env.Theme, focused: m.focus,
			refused: func(key string) string { return m.refused[key] },
		}
	}
	m.inputs[fieldPassword].EchoMode(huh.EchoModePassword)
	m.form = huh.NewForm(huh.NewGroup(fields...)).WithTheme(huhTheme(m.env.Theme)).WithShowHelp(false).WithShowErrors(false)
	// Its commands blink a cursor and ask for the window's size: neither is wanted.
	m.form.Init()
	m.SetSize(m.width, m.height)
}

// focus is the key of the field that takes keys.
func (m *Model) focus() string {
	if m.form == nil {
		return ""
	}
	return m.form.GetFocusedField().GetKey()
}

// draft is what is typed.
func (m *Model) draft() map[string]string {
	values := make(map[string]string, len(m.values))
	for k, v := range m.values {
		values[k] = *v
	}
	values[fieldVolume] = "false"
	if m.volume {
		values[fieldVolume] = "true"
	}
	return values
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = width, height
	if m.form != nil {
		m.form.WithWidth(max(min(width-2, formWidth), 20))
		m.resize()
	}
}

// Update is for screen.Screen. Whatever it did is drawn anew, since huh draws only when it gets a message itself.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	var effect screen.Effect
	switch msg := msg.(type) {
	case tea.KeyMsg:
		effect = m.key(msg)
	case generated:
		if msg.to != m.id {
			return nil
		}
		m.setPassword(msg.password)
	case hide:
		if msg.to != m.id || msg.number != m.reveals {
			return nil
		}
		m.show(false)
	case screen.Created:
		if msg.To != m.id {
			return nil
		}
		effect = m.created(msg)
	default:
		return nil
	}
	m.resize()
	return effect
}

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Form)
	}
	if action == keys.Back {
		// While it is being sent too: the reply is then told in passing.
		return screen.Effects{screen.Draft{Values: m.draft()}, screen.Close{From: m.id}}
	}
	if m.sending {
		return nil
	}
	switch action {
	case keys.NextItem:
		m.step(1)
	case keys.PrevItem:
		m.step(-1)
	case keys.Confirm:
		if m.place() == len(specs)-1 {
			return m.submit()
		}
		m.step(1)
	case keys.Submit:
		return m.submit()
	case keys.Generate:
		id := m.id
		return func() tea.Msg { return generated{id, rand.Text()} }
	case keys.Reveal:
		return m.reveal()
	case keys.Renew:
		m.above, m.refused = nil, map[string]string{}
		m.fill(*m.values[fieldNamespace], nil)
	default:
		m.typed(msg)
	}
	return nil
}

// typed gives a key to the field. What was refused is so no longer once its value changes.
func (m *Model) typed(msg tea.KeyMsg) {
	key := m.focus()
	before := m.draft()[key]
	if key == fieldVolume && msg.String() == " " {
		msg = tea.KeyMsg{Type: tea.KeyRight}
	}
	m.feed(msg)
	if m.draft()[key] != before {
		delete(m.refused, key)
	}
}

// feed gives a message to the form. Its commands are not run: going from field to field is done here, since huh lets
// nobody leave a field with an error in it.
func (m *Model) feed(msg tea.Msg) {
	if model, _ := m.form.Update(msg); model != nil {
		if form, isForm := model.(*huh.Form); isForm {
			m.form = form
		}
	}
}

// place is that of the field that takes keys.
func (m *Model) place() int {
	key := m.focus()
	for i := range specs {
		if specs[i].key == key {
			return i
		}
	}
	return 0
}

// step goes to the next field, or the one before, and from the last to the first.
func (m *Model) step(by int) { m.goTo((m.place() + by + len(specs)) % len(specs)) }

func (m *Model) goTo(place int) {
	for m.place() < place {
		m.feed(huh.NextField())
	}
	for m.place() > place {
		m.feed(huh.PrevField())
	}
}

func (m *Model) setPassword(password string) {
	*m.values[fieldPassword] = password
	m.inputs[fieldPassword].Value(m.values[fieldPassword])
	delete(m.refused, fieldPassword)
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
	mode := huh.EchoModePassword
	if on {
		mode = huh.EchoModeNormal
	}
	m.inputs[fieldPassword].EchoMode(mode)
}

// created closes the form, or shows what the server refused beside the fields it is about.
func (m *Model) created(msg screen.Created) screen.Effect {
	m.sending = false
	if msg.Problem == nil {
		text := msg.Valkey.Namespace + "/" + msg.Valkey.Name + " is created"
		if msg.Result.Secret != "" {
			text += "; its password is in the Secret " + msg.Result.Secret
		}
		if len(msg.Result.Warnings) > 0 {
			text += "; " + strings.Join(msg.Result.Warnings, "; ")
		}
		return screen.Close{From: m.id, Text: text}
	}
	m.refused = map[string]string{}
	placed := 0
	for _, p := range msg.Problem.Fields {
		if s := specOf(p.Path); s != nil {
			m.refused[s.key] = p.Message
			placed++
		}
	}
	if m.above = msg.Problem; placed > 0 && placed == len(msg.Problem.Fields) {
		m.above = nil
	}
	if c := msg.Problem.Class; c == kube.ClassExists || c == kube.ClassNameTooLong {
		m.refused[fieldName], m.above = msg.Problem.Message, nil
	}
	m.goToRefused()
	return nil
}

func (m *Model) goToRefused() {
	for i := range specs {
		if m.refused[specs[i].key] != "" {
			m.goTo(i)
			return
		}
	}
}

// specOf is the field that a path of the API belongs to.
func specOf(path string) *spec {
	for i := range specs {
		for _, p := range specs[i].paths {
			if path == p || strings.HasPrefix(path, p+".") {
				return &specs[i]
			}
		}
	}
	return nil
}
