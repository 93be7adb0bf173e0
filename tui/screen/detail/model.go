package detail

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/server"
	"kuberly.io/valkey-operator/tui/widget"
)

// revealFor is for how long a password is shown.
const revealFor = 5 * time.Second

// Model is the screen. It implements screen.Screen.
type Model struct {
	env screen.Env
	id  screen.ID
	ref kube.Ref

	row      *kube.Row // as the list has it, for what acts on rows
	detail   screen.Detail
	known    bool
	readings []server.Reading
	nodes    []roster.Node
	now      time.Time
	// isStale says that the row is as it was last known, and trouble why the cluster is not, which stands above every screen.
	isStale bool
	trouble *kube.Problem

	config  map[string]string // the configuration file
	noConf  *kube.Problem
	uri     string // with the password, for a few seconds
	reveals int    // counts the times it was shown, so that only the last timer hides it

	tab    tab
	tables [tabCount]*widget.Table
	page   *widget.Pager // the overview
	yaml   *widget.Pager
	prompt *widget.Prompt

	width, height int
}

// hide ends one showing of the password.
type hide struct {
	to  screen.ID
	nth int
}

// New shows a Valkey.
func New(env screen.Env, id screen.ID, row *kube.Row, yaml bool) *Model {
	m := &Model{
		env: env, id: id, ref: row.Ref().Key(), row: row, page: widget.NewPager(env.Theme), yaml: widget.NewPager(env.Theme),
	}
	for t := range m.tables {
		m.tables[t] = widget.NewTable(env.Theme)
	}
	if yaml {
		m.tab = tabYAML
	}
	return m
}

// SetSize is for screen.Screen.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = width, height
	m.layout()
}

// Update is for screen.Screen.
func (m *Model) Update(msg tea.Msg) screen.Effect {
	switch msg := msg.(type) {
	case screen.Snapshot:
		m.follow(msg)
	case screen.Detail:
		if msg.Ref == m.ref {
			return m.setDetail(msg)
		}
	case screen.Readings:
		if msg.Ref == m.ref {
			m.readings, m.now = msg.List, later(m.now, msg.At)
			m.renew()
		}
	case screen.ConfigLoaded:
		if msg.To == m.id {
			m.config, m.noConf = msg.Lines, msg.Problem
			m.renew()
		}
	case screen.Revealed:
		if msg.To == m.id {
			return m.reveal(msg)
		}
	case hide:
		if msg.to == m.id && msg.nth == m.reveals {
			m.uri = ""
			m.renew()
		}
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	}
	return nil
}

// follow takes over the row of the list, which other screens act on.
func (m *Model) follow(s screen.Snapshot) {
	m.now = later(m.now, s.At)
	m.isStale, m.trouble = s.Stale, s.Err
	if r := screen.RowsOf(s, []kube.Ref{m.ref}, func(r kube.Ref) kube.Ref { return r })[m.ref.UID]; r != nil {
		m.row = r
	}
	m.renew()
}

func (m *Model) setDetail(msg screen.Detail) screen.Effect {
	changed := !m.known || m.detail.YAML != msg.YAML
	m.detail, m.known, m.now = msg, true, later(m.now, msg.At)
	if changed {
		m.yaml.SetText(msg.YAML)
	}
	m.renew()
	if changed && m.tab == tabConfig {
		return screen.LoadConfig{From: m.id, Ref: m.ref}
	}
	return nil
}

// renew makes anew what is drawn.
func (m *Model) renew() {
	m.nodes = roster.Of(m.detail.Detail, m.readings)
	m.layout()
}

// layout fills the tab that is shown.
func (m *Model) layout() {
	body := max(m.height-tabLines, 0)
	switch m.tab {
	case tabOverview:
		m.page.SetSize(m.width, body)
		m.page.SetLines(m.overview(m.width))
	case tabYAML:
		m.yaml.SetSize(m.width-2, body)
	case tabNodes:
		m.tables[m.tab].SetSize(m.width, body-m.nodeLines(body))
		m.fill()
	default:
		m.tables[m.tab].SetSize(m.width, body-noteLines)
		m.fill()
	}
}

func (m *Model) fill() {
	g := m.grid()
	m.tables[m.tab].SetColumns(g.Columns, g.Frozen)
	m.tables[m.tab].SetSource(g)
}

// open goes to a tab and says what it needs.
func (m *Model) open(t tab) screen.Effect {
	m.tab = t
	m.layout()
	look := screen.Look{Ref: m.ref}
	switch t {
	case tabSlowlog:
		look.Look = server.LookSlowlog
	case tabClients:
		look.Look = server.LookClients
	case tabConfig:
		return screen.Effects{look, screen.LoadConfig{From: m.id, Ref: m.ref}}
	default: // what every tab needs is enough
	}
	return look
}

func (m *Model) reveal(msg screen.Revealed) screen.Effect {
	if msg.Problem != nil {
		return screen.Flash{Text: "not shown: " + msg.Problem.Error(), IsError: true}
	}
	m.uri = msg.URI
	m.reveals++
	m.renew()
	h := hide{to: m.id, nth: m.reveals}
	return tea.Tick(revealFor, func(time.Time) tea.Msg { return h })
}

// act turns a key into an intent on the Valkey; nil where it is about something else.
func (m *Model) act(action keys.Action) screen.Effect {
	if action == keys.OperatorLogs {
		return screen.OpenLogs{Row: m.row, Operator: true} // also of one that is gone
	}
	effect := screen.Act(action, m.row, []*kube.Row{m.row})
	if action == keys.ShowSecret {
		effect = screen.Reveal{From: m.id, Ref: m.ref}
	}
	if effect != nil && m.detail.Gone {
		return screen.Flash{Text: m.ref.String() + " is gone", IsError: true}
	}
	return effect
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
