package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/editor"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/review"
)

// execer gives the terminal to a program and takes it back: tea.ExecProcess, or a test's.
type execer func(cmd *exec.Cmd, then tea.ExecCallback) tea.Cmd

// edit is one Valkey in the user's editor.
type edit struct {
	base      *unstructured.Unstructured
	dir, path string
	env       []string
	first     string // the text as it was given
	text      string // as it was left last
	problem   *kube.Problem
	done      bool // nothing of it has to be kept
}

// editReady is an object that is ready to be edited, as a file.
type editReady struct {
	to      screen.ID
	edit    *edit
	problem *kube.Problem
}

// edited is the end of the editor, with what it left.
type edited struct {
	to   screen.ID
	text string
	err  error
}

// openEditor reads the object and writes its text into a file that only the user may read.
func (m *model) openEditor(row *kube.Row) tea.Cmd {
	ref := row.Ref().Key()
	id, cmd := m.push(func(id screen.ID) screen.Screen { return review.NewEditor(m.env, id, "Edit "+ref.String()) })
	m.forms.edits[id] = &edit{done: true}
	b, namespace := m.backend.formBackend, ref.Namespace
	return tea.Batch(cmd, m.ask(func(ctx context.Context) tea.Msg {
		live, err := b.Live(ctx, ref)
		if err != nil {
			return editReady{to: id, problem: problemOf(err)}
		}
		e, err := newEdit(live)
		if err == nil {
			e.env, err = b.ChildEnv(e.dir, namespace)
		}
		return editReady{to: id, edit: e, problem: problemOf(err)}
	}))
}

func newEdit(live *unstructured.Unstructured) (*edit, error) {
	text, err := manifest.Edit(live)
	if err != nil {
		return nil, err
	}
	e := &edit{base: live, first: text, text: text}
	if e.dir, err = editor.Dir(); err != nil {
		return nil, err
	}
	e.path, err = editor.Write(e.dir, live.GetName()+".yaml", text)
	return e, err
}

func (m *model) editReady(msg editReady) tea.Cmd {
	switch {
	case !m.has(msg.to): // left meanwhile
		if msg.edit != nil {
			editor.Remove(msg.edit.dir)
		}
		return nil
	case msg.problem != nil:
		return m.broadcast(screen.Refused{To: msg.to, Problem: msg.problem})
	}
	m.forms.edits[msg.to] = msg.edit
	return m.runEditor(msg.to)
}

func (m *model) runEditor(id screen.ID) tea.Cmd {
	e := m.forms.edits[id]
	path := e.path
	return m.forms.exec(editor.Command(path, e.env), func(err error) tea.Msg {
		text, readErr := editor.Read(path)
		return edited{to: id, text: text, err: errors.Join(err, readErr)}
	})
}

// editAgain opens the editor once more, with what was wrong above the text. Not a character of what was written changes.
func (m *model) editAgain(id screen.ID) tea.Cmd {
	e := m.forms.edits[id]
	if e == nil || e.path == "" {
		return m.pop(id)
	}
	name := e.base.GetNamespace() + "/" + e.base.GetName()
	text := manifest.Annotate(e.text, name)
	if e.problem != nil {
		text, _ = manifest.Refused(e.text, name, e.problem.Error())
	}
	if _, err := editor.Write(e.dir, e.path, text); err != nil {
		return m.broadcast(screen.Editing{To: id, Problem: problemOf(err), Path: e.path})
	}
	return m.runEditor(id)
}

// edited looks at what the editor left: nothing new, something that cannot be read, or a change to be looked at.
func (m *model) edited(msg edited) tea.Cmd {
	e := m.forms.edits[msg.to]
	if e == nil {
		return nil
	}
	if msg.err != nil {
		problem := &kube.Problem{Class: kube.ClassFailed, Message: "the editor: " + clean.Text(msg.err.Error()), Hint: "KUBE_EDITOR, VISUAL and EDITOR name it"}
		e.problem = problem
		return m.broadcast(screen.Editing{To: msg.to, Problem: problem, Path: e.path})
	}
	e.text, e.problem = msg.text, nil
	body := manifest.Body(msg.text)
	if body == manifest.Body(e.first) || strings.TrimSpace(body) == "" {
		e.done = true
		m.flash = screen.Flash{Text: "nothing was changed"}
		return m.pop(msg.to)
	}
	wanted, err := manifest.ReadEdited(msg.text, e.base)
	if err != nil {
		return m.refused(msg.to, &kube.Problem{Class: kube.ClassInvalid, Message: clean.Text(err.Error())})
	}
	name := e.base.GetNamespace() + "/" + e.base.GetName()
	cmd := m.broadcast(screen.Editing{To: msg.to, Path: e.path})
	return tea.Batch(cmd, m.propose(screen.Propose{From: msg.to, Title: "Edit " + name, Proposal: kube.Proposal{Base: e.base, Wanted: wanted}}))
}

// endEdit takes the file away, unless something is written in it that was not applied.
func (m *model) endEdit(id screen.ID) {
	e := m.forms.edits[id]
	if e == nil {
		return
	}
	delete(m.forms.edits, id)
	if e.dir == "" {
		return
	}
	if e.done || manifest.Body(e.text) == manifest.Body(e.first) {
		editor.Remove(e.dir)
		return
	}
	m.forms.kept = append(m.forms.kept, e.path)
	m.flash = screen.Flash{Text: notApplied + e.path, IsError: true}
}

const notApplied = "not applied: what was written is kept in "

// tellKept says where the texts are that were not applied, once there is no dashboard any more that could.
func (m *model) tellKept(w io.Writer) {
	for _, path := range m.forms.kept {
		_, _ = fmt.Fprintln(w, "valkeyctl: "+notApplied+path) // there is nobody to tell where that fails
	}
}
