package commands

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/console"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/resp"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const (
	// outputBytes bounds what is kept of the answers.
	outputBytes = 8 << 20
	// lineLimit is the longest command that can be typed or pasted.
	lineLimit = 64 << 10
	wheelRows = 3
	// footLines are the line that is typed and the hint below it.
	footLines = 2
)

// state is what the screen waits for.
type state int

const (
	connecting state = iota
	ready
	running
	asking   // for a yes
	unseated // the connection broke, and could not be made again
)

// Model is the screen. It implements screen.Screen.
type Model struct {
	env  screen.Env
	id   screen.ID
	ref  kube.Ref
	want string // the server that was chosen

	node     string
	role     v1alpha1.Role
	commands resp.Commands
	told     bool // that the server does not tell its commands

	state   state
	output  *widget.Log
	prompt  widget.Prompt
	history console.History
	at      int      // how many commands back the line is; 0 for one that is typed
	typed   string   // what was typed before it went back
	waiting []string // the words that a yes is asked for
	news    []string // what the last command came to, in words

	width, height int
}

// New makes the console of a server of a Valkey. Init must be sent next.
func New(env screen.Env, id screen.ID, ref kube.Ref, node string) *Model {
	m := &Model{env: env, id: id, ref: ref, want: node, node: node, output: widget.NewLog(env.Theme, outputBytes)}
	m.output.Raw(true)
	m.relabel("")
	return m
}

// Init connects.
func (m *Model) Init() screen.Effect {
	m.state = connecting
	return screen.Sit{From: m.id, Ref: m.ref, Node: m.want}
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = width, height
	m.output.SetSize(width, max(height-footLines, 0))
}

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Seated:
		if msg.To == m.id {
			m.seated(msg)
		}
	case screen.Answer:
		if msg.To == m.id {
			return m.answered(msg)
		}
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		switch msg.Button {
		case tea.MouseButtonWheelUp:
			m.output.Move(-wheelRows)
		case tea.MouseButtonWheelDown:
			m.output.Move(wheelRows)
		}
	}
	return nil
}

// seated takes over what is known of the server. A line that is being typed stays as it is.
func (m *Model) seated(msg screen.Seated) {
	if msg.Problem != nil {
		m.state = unseated
		m.say(theme.Error, "(error) "+msg.Problem.Error())
		return
	}
	m.state, m.node, m.role = ready, clean.Text(msg.Node), msg.Role
	if msg.Commands != nil {
		m.commands = msg.Commands
	} else if m.commands == nil && !m.told {
		m.told = true
		m.say(theme.Warn, "the server does not tell its commands: every one that is not known is asked about")
	}
	m.relabel(m.prompt.Value())
}

// answered shows what has come, and connects anew where that is needed.
func (m *Model) answered(msg screen.Answer) screen.Effect {
	for _, v := range msg.Values {
		tone := theme.Text
		if v.IsError() {
			tone = theme.Error
		}
		m.say(tone, resp.Lines(v)...)
	}
	if !msg.End {
		return nil
	}
	switch {
	case msg.Stopped:
		m.say(theme.Dim, "stopped; the connection is made anew, in database 0")
	case msg.Problem != nil:
		m.say(theme.Error, "(error) "+msg.Problem.Error())
	default:
		m.state = ready
		return nil
	}
	return m.Init()
}

// say shows lines of one tone below all others.
func (m *Model) say(tone theme.Tone, lines ...string) {
	shown := make([]widget.LogLine, len(lines))
	for i, l := range lines {
		shown[i].Text = l
		if tone != theme.Text {
			shown[i].Text = m.env.Theme.Render(tone, l)
		}
	}
	m.output.Append(shown)
	m.news = append(m.news, lines...)
	if over := len(m.news) - newsLimit; over > 0 {
		m.news = m.news[over:]
	}
}

// newsLimit is how many lines are said to those who cannot see them.
const newsLimit = 200

// label stands before the line that is typed.
func (m *Model) label() string {
	switch {
	case m.state == asking:
		return "y or n> "
	case m.role == "":
		return m.node + "> "
	}
	return m.node + " " + string(m.role) + "> "
}

// relabel makes the line anew under the label that it has now.
func (m *Model) relabel(text string) {
	m.prompt = widget.NewPrompt(m.env.Theme, m.label(), lineLimit)
	m.prompt.SetValue(text)
}

// hint says how the command goes on that is typed.
func (m *Model) hint() (syntax, summary string) {
	if m.state == asking {
		return "", ""
	}
	return m.commands.Hint(m.prompt.Value())
}

// echo is a command as it stands above its answer: without what may be a password.
func (m *Model) echo(line string, words []string) string {
	if resp.HoldsSecret(words) {
		return m.label() + resp.Shown(words) + " " + strings.Repeat("*", 3)
	}
	return m.label() + clean.Text(line)
}
