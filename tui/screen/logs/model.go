package logs

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/widget"
)

const (
	// ringBytes bounds what is kept of a log.
	ringBytes = 64 << 20
	// tail is the number of old lines of each server that a log begins with.
	tail         = 1000
	patternLimit = 200
	pathLimit    = 1000
	shiftCells   = 16
	wheelRows    = 3
)

// Subject is whose log it is: that of a Valkey, of some of its servers, or of the operator.
type Subject struct {
	Ref      kube.Ref // of the operator's log: whom to show first; without a name all
	Nodes    []string
	Operator bool
}

// Model is the screen. It implements screen.Screen.
type Model struct {
	env     screen.Env
	id      screen.ID
	subject Subject
	log     *widget.Log
	about   string // the filter to what the operator logs of one Valkey; none for any other log

	// What is read.
	previous bool
	since    time.Duration
	all      bool // from the beginning

	nodes   map[string]int // colour of each node, in the order in which they first spoke
	ended   bool
	problem *kube.Problem

	prompt *widget.Prompt
	asking question
	before string // what the prompt is about, before it was opened
	jump   bool   // go to a line found as soon as the search has ended
	looks  int    // searches that have not ended yet
	line   *lineView

	width, height int
}

// question is what the prompt asks for.
type question int

const (
	askPattern question = iota
	askFilter
	askPath
	askOverwrite
)

// found is the reply of a search.
type found struct {
	to     screen.ID
	result widget.SearchResult
}

// New makes an empty log of a subject.
func New(env screen.Env, id screen.ID, subject Subject) *Model {
	m := &Model{env: env, id: id, subject: subject, log: widget.NewLog(env.Theme, ringBytes), nodes: map[string]int{}}
	if subject.Operator && subject.Ref.Name != "" {
		m.all = true
		m.about = fmt.Sprintf(`"namespace":%q,"name":%q`, subject.Ref.Namespace, subject.Ref.Name)
		m.log.SetFilter(m.about) // there is nothing yet that could be searched
	}
	return m
}

// Init begins to read.
func (m *Model) Init() screen.Effect {
	options := kube.LogOptions{Follow: !m.previous, Previous: m.previous, Since: m.since, Tail: tail, Nodes: m.subject.Nodes}
	if m.all || m.since > 0 || m.previous {
		options.Tail = -1
	}
	return screen.ReadLog{From: m.id, Ref: m.subject.Ref, Operator: m.subject.Operator, Options: options}
}

// reread forgets what was read and begins anew, with other wishes.
func (m *Model) reread() screen.Effect {
	m.log.Clear()
	m.ended, m.problem = false, nil
	return m.Init()
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = width, height
	m.log.SetSize(width, height)
}

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.LogLines:
		if msg.To == m.id {
			m.add(msg)
		}
	case found:
		if msg.to == m.id {
			m.looks--
			m.log.Apply(msg.result)
			if m.jump {
				m.showFound()
			}
		}
	case saved:
		if msg.to == m.id {
			return m.saved(msg)
		}
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		m.mouse(msg)
	}
	return nil
}

func (m *Model) add(msg screen.LogLines) {
	lines := make([]widget.LogLine, len(msg.Lines))
	for i, l := range msg.Lines {
		lines[i] = widget.LogLine{Time: l.Time, Text: l.Text, Notice: l.Kind == kube.LineNotice}
		if l.Kind == kube.LineDropped {
			lines[i].Dropped = max(l.Dropped, 1)
		}
		if l.Node != "" {
			lines[i].Source, lines[i].Label = m.colour(l.Node), m.short(l.Node)
		}
	}
	m.log.Append(lines)
	m.problem = msg.Problem
	m.ended = msg.End
}

func (m *Model) colour(node string) int {
	c, known := m.nodes[node]
	if !known {
		c = len(m.nodes)
		m.nodes[node] = c
	}
	return c
}

// short is the node's name without what stands above: that of the Valkey, or of the operator's Deployment.
func (m *Model) short(node string) string {
	if m.subject.Operator {
		if i := strings.LastIndexByte(node, '-'); i >= 0 {
			return node[i+1:]
		}
		return node
	}
	return strings.TrimPrefix(node, m.subject.Ref.Name+"-")
}

// find looks for a text, filter shows only the lines with one, or without it.
func (m *Model) find(text string) screen.Effect   { return m.run(m.log.SetPattern(text)) }
func (m *Model) filter(text string) screen.Effect { return m.run(m.log.SetFilter(text)) }

// run searches in a command, since there may be much to look through.
func (m *Model) run(search *widget.Search) screen.Effect {
	m.jump = false
	if search == nil {
		return nil
	}
	m.looks++
	id := m.id
	return func() tea.Msg { return found{id, search.Run()} }
}

// showFound goes to a line found as soon as it is known which are.
func (m *Model) showFound() {
	if m.jump = m.looks > 0; !m.jump {
		m.log.ShowFound()
	}
}

func (m *Model) mouse(msg tea.MouseMsg) {
	rows := 0
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		rows = -wheelRows
	case tea.MouseButtonWheelDown:
		rows = wheelRows
	}
	if m.line != nil {
		m.line.top += rows
		return
	}
	if rows != 0 {
		m.log.Move(rows)
	}
}
