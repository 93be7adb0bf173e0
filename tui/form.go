package tui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/form"
	"kuberly.io/valkey-operator/tui/screen/pick"
	"kuberly.io/valkey-operator/tui/screen/review"
	"kuberly.io/valkey-operator/tui/screen/stop"
)

// forms is what the root knows of changes that are being thought of.
type forms struct {
	drafts  map[types.UID]map[string]string // what was typed into forms that were left; "" is that of a new Valkey
	origins map[screen.ID]screen.ID         // the form that a review belongs to
	edits   map[screen.ID]*edit             // the editor that a review belongs to
	kept    []string                        // files of edits that were left and not applied
	exec    execer
}

func newForms() forms {
	return forms{
		drafts: map[types.UID]map[string]string{}, origins: map[screen.ID]screen.ID{}, edits: map[screen.ID]*edit{},
	}
}

// formIntent does what a form, a review or the dialog of a stop wants.
func (m *model) formIntent(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case screen.OpenCreate:
		return m.openForm(func(id screen.ID) *form.Model { return form.New(m.env, id, msg.Namespace, m.forms.drafts[""]) }), true
	case screen.OpenEdit:
		ref := msg.Row.Ref().Key()
		return m.openForm(func(id screen.ID) *form.Model { return form.Edit(m.env, id, ref, m.forms.drafts[ref.UID]) }), true
	case screen.OpenStop:
		var dialog *stop.Model
		_, cmd := m.push(func(id screen.ID) screen.Screen {
			dialog = stop.New(m.env, id, msg.Rows)
			return dialog
		})
		return tea.Batch(cmd, m.apply(dialog.Init())), true
	case screen.LoadRows:
		return m.loadRows(msg), true
	case screen.OpenEditor:
		return m.openEditor(msg.Row), true
	case screen.EditAgain:
		return m.editAgain(msg.From), true
	case screen.LoadForm:
		return m.loadForm(msg), true
	case screen.PickName:
		return m.pickName(msg), true
	case screen.Chosen:
		return m.broadcast(msg), true
	case screen.Draft:
		m.keepDraft(msg)
		return nil, true
	case screen.Propose:
		return m.propose(msg), true
	case screen.Commit:
		return m.commit(msg), true
	case screen.Rescale:
		return m.rescale(msg), true
	}
	return nil, false
}

// formMessage takes in what the commands of forms bring.
func (m *model) formMessage(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case proposed:
		return m.proposed(msg), true
	case committed:
		return m.committed(msg), true
	case editReady:
		return m.editReady(msg), true
	case edited:
		return m.edited(msg), true
	}
	return nil, false
}

func (m *model) openForm(build func(id screen.ID) *form.Model) tea.Cmd {
	var made *form.Model
	_, cmd := m.push(func(id screen.ID) screen.Screen {
		made = build(id)
		return made
	})
	return tea.Batch(cmd, m.apply(made.Init()))
}

// keepDraft keeps what was typed, or forgets it where nothing was.
func (m *model) keepDraft(msg screen.Draft) {
	if msg.Values == nil {
		delete(m.forms.drafts, msg.UID)
		return
	}
	m.forms.drafts[msg.UID] = msg.Values
}

// loadForm reads what a form is made of. What the user may not list is not offered.
func (m *model) loadForm(msg screen.LoadForm) tea.Cmd {
	b := m.backend.formBackend
	return m.bound(msg.From, func(ctx context.Context) tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, actionTimeout)
		defer cancel()
		reply := screen.FormLoaded{To: msg.From, Schema: b.Schema(ctx)}
		if msg.Ref.Name != "" {
			live, err := b.Live(ctx, msg.Ref)
			if reply.Live, reply.Problem = live, problemOf(err); err != nil {
				return reply
			}
		}
		reply.Namespaces, _ = b.Namespaces(ctx)
		reply.Classes, _ = b.StorageClasses(ctx)
		return reply
	})
}

// pickName opens a list over a form.
func (m *model) pickName(msg screen.PickName) tea.Cmd {
	items := make([]pick.Item, 0, len(msg.Names))
	for _, name := range msg.Names {
		it := pick.Item{Name: name, Effect: screen.Chosen{To: msg.From, Value: name}}
		if name == "" {
			it.Name = "not set"
		}
		items = append(items, it)
	}
	source := pick.Source{
		Title: msg.Title, Label: "> ",
		Items:  func(string) []pick.Item { return slices.Clone(items) },
		Typed:  func(string) (pick.Item, bool) { return pick.Item{}, false },
		Choice: func([]string) {},
	}
	_, cmd := m.push(func(id screen.ID) screen.Screen { return pick.New(m.env, id, source) })
	return cmd
}

// proposed is what the server says to a proposal. again says that it was shown before and had to be looked at once more.
type proposed struct {
	from    screen.ID
	title   string
	review  kube.Review
	problem *kube.Problem
}

func (m *model) propose(msg screen.Propose) tea.Cmd {
	if m.env.ReadOnly {
		m.flash = screen.Flash{Text: screen.ReadOnly, IsError: true}
		return m.broadcast(screen.Refused{To: msg.From, Problem: &kube.Problem{Class: kube.ClassForbidden, Message: screen.ReadOnly}})
	}
	c := m.backend.formBackend
	return m.ask(func(ctx context.Context) tea.Msg {
		r, err := c.Review(ctx, msg.Proposal)
		return proposed{from: msg.From, title: msg.Title, review: r, problem: problemOf(err)}
	})
}

// proposed shows what a change does: on the screen of an editor or of an earlier review, or on one of its own over the form. Who has left the
// form wants nothing shown.
func (m *model) proposed(msg proposed) tea.Cmd {
	if !m.has(msg.from) {
		return nil
	}
	if msg.problem != nil {
		return m.refused(msg.from, msg.problem)
	}
	_, isReview := m.forms.origins[msg.from]
	_, isEditor := m.forms.edits[msg.from]
	if base := msg.review.Proposal.Base; base != nil && len(manifest.Changes(base, msg.review.Result)) == 0 {
		if isEditor {
			m.forms.edits[msg.from].done = true
			m.flash = screen.Flash{Text: "nothing would change"}
			return m.pop(msg.from)
		}
		m.flash = screen.Flash{Text: "nothing would change"}
		return m.refused(msg.from, nil)
	}
	if isReview || isEditor {
		return m.broadcast(screen.Reviewed{To: msg.from, Review: msg.review})
	}
	id, cmd := m.push(func(id screen.ID) screen.Screen { return review.New(m.env, id, msg.title, msg.review) })
	m.forms.origins[id] = msg.from
	return tea.Batch(cmd, m.broadcast(screen.Proposed{To: msg.from}))
}

// refused tells what is wrong where it can be mended: in the form, or on the screen of the editor.
func (m *model) refused(from screen.ID, problem *kube.Problem) tea.Cmd {
	var cmd tea.Cmd
	if origin, isReview := m.forms.origins[from]; isReview {
		cmd = m.pop(from)
		from = origin
	}
	if !m.has(from) {
		m.flash = screen.Flash{Text: "not applied: " + problem.Error(), IsError: true}
		return cmd
	}
	if e := m.forms.edits[from]; e != nil {
		e.problem = problem
		return tea.Batch(cmd, m.broadcast(screen.Editing{To: from, Problem: problem, Path: e.path}))
	}
	return tea.Batch(cmd, m.broadcast(screen.Refused{To: from, Problem: problem}))
}

// committed is the end of a Commit.
type committed struct {
	from, origin screen.ID
	proposal     kube.Proposal
	result       kube.CreateResult
	problem      *kube.Problem
}

func (m *model) commit(msg screen.Commit) tea.Cmd {
	if m.env.ReadOnly {
		m.flash = screen.Flash{Text: screen.ReadOnly, IsError: true}
		return m.refused(msg.From, &kube.Problem{Class: kube.ClassForbidden, Message: screen.ReadOnly})
	}
	c, origin := m.backend.formBackend, m.forms.origins[msg.From]
	return m.ask(func(ctx context.Context) tea.Msg {
		result, err := c.Commit(ctx, msg.Proposal)
		return committed{from: msg.From, origin: origin, proposal: msg.Proposal, result: result, problem: problemOf(err)}
	})
}

// committed closes what led to the change, shows again what has changed meanwhile, or tells what is wrong.
func (m *model) committed(msg committed) tea.Cmd {
	switch {
	case msg.problem == nil:
		return m.changed(msg)
	case msg.problem.Class == kube.ClassConflict && msg.proposal.Base != nil && m.has(msg.from):
		return m.propose(screen.Propose{From: msg.from, Proposal: msg.proposal})
	}
	m.log.Warn("change refused", "class", msg.problem.Class, "problem", msg.problem.Message)
	if m.has(msg.from) {
		return m.refused(msg.from, msg.problem)
	}
	return m.refused(msg.origin, msg.problem)
}

// changed forgets the draft and the file. Every screen hears of a new Valkey: the list puts its cursor there.
func (m *model) changed(msg committed) tea.Cmd {
	var uid types.UID
	text := msg.proposal.Wanted.GetNamespace() + "/" + msg.proposal.Wanted.GetName() + " is changed"
	if base := msg.proposal.Base; base != nil {
		uid = base.GetUID()
	} else {
		text = msg.proposal.Wanted.GetNamespace() + "/" + msg.proposal.Wanted.GetName() + " is created"
	}
	if msg.result.Secret != "" {
		text += "; its password is in the Secret " + msg.result.Secret
	}
	for _, w := range msg.result.Warnings {
		text += "; " + w
	}
	delete(m.forms.drafts, uid)
	if e := m.forms.edits[msg.from]; e != nil {
		e.done = true
	}
	var cmds []tea.Cmd
	for _, id := range []screen.ID{msg.from, msg.origin} {
		if m.has(id) && id != 0 {
			cmds = append(cmds, m.pop(id))
		}
	}
	m.flash = screen.Flash{Text: text}
	if msg.proposal.Base == nil && msg.result.Valkey != nil {
		cmds = append(cmds, m.broadcast(screen.Created{Valkey: msg.result.Valkey, Result: msg.result}))
	}
	return tea.Batch(cmds...)
}

// rescale stops or starts. What was shown is what is changed: another number of servers than that is a conflict.
func (m *model) rescale(msg screen.Rescale) tea.Cmd {
	b := m.backend.formBackend
	return m.each(msg.From, len(msg.Items), func(ctx context.Context, i int) error {
		it := msg.Items[i]
		act := b.Stop
		if msg.Start {
			act = b.Start
		}
		_, err := act(ctx, it.Ref, kube.ScaleOptions{From: &it.Current})
		return err
	})
}

// loadRows reads how Valkeys are now.
func (m *model) loadRows(msg screen.LoadRows) tea.Cmd {
	b := m.backend.formBackend
	cmds := make([]tea.Cmd, len(msg.Refs))
	for i, ref := range msg.Refs {
		cmds[i] = m.bound(msg.From, func(ctx context.Context) tea.Msg {
			ctx, cancel := context.WithTimeout(ctx, actionTimeout)
			defer cancel()
			row, err := b.Row(ctx, ref)
			if err != nil {
				return nil // the list tells what is wrong
			}
			return screen.RowLoaded{To: msg.From, Row: row}
		})
	}
	return tea.Batch(cmds...)
}

// endForm forgets what belonged to a screen that is gone.
func (m *model) endForm(id screen.ID) {
	delete(m.forms.origins, id)
	m.endEdit(id)
}
