package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/help"
	"kuberly.io/valkey-operator/tui/screen/remove"
	"kuberly.io/valkey-operator/tui/screen/scale"
)

const (
	// actionTimeout bounds one action on one object.
	actionTimeout = 20 * time.Second
	// lanes is how many actions of a batch run at a time.
	lanes = 4
)

// intent does what a screen wants. It says false where the message is none.
func (m *model) intent(msg tea.Msg) (tea.Cmd, bool) {
	if cmd, refused := m.refuse(msg); refused {
		return cmd, true
	}
	switch msg := msg.(type) {
	case screen.Close:
		if msg.Text != "" {
			m.flash = screen.Flash{Text: msg.Text}
		}
		return m.pop(msg.From), true
	case screen.Flash:
		m.flash = msg
		return nil, true
	case screen.ShowHelp:
		scopes := m.top().screen.View().Scopes
		_, cmd := m.push(func(id screen.ID) screen.Screen { return help.New(m.env, id, scopes) })
		return cmd, true
	case screen.Redated:
		m.still = false
		return nil, true
	case screen.Retry:
		return m.retry(), true
	case screen.ShowAll:
		return m.useNamespace(screen.UseNamespace{Name: m.namespace, All: msg.All}), true
	}
	if cmd, isShell := m.shell(msg); isShell {
		return cmd, true
	}
	if cmd, isForm := m.formIntent(msg); isForm {
		return cmd, true
	}
	if cmd, isOne := m.inspect(msg); isOne {
		return cmd, true
	}
	if cmd, isForward := m.forwardIntent(msg); isForward {
		return cmd, true
	}
	if cmd, isSeat := m.seatIntent(msg); isSeat {
		return cmd, true
	}
	if cmd, opens := m.open(msg); opens {
		return cmd, true
	}
	return m.act(msg)
}

// open puts the screen that an intent asks for on the stack.
func (m *model) open(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case screen.OpenLogs:
		return m.openLogs(msg), true
	case screen.Choose:
		return m.choose(msg), true
	case screen.OpenShell:
		return m.openShell(msg.Row), true
	case screen.OpenCopy:
		return m.copyMenu(msg.Row.Ref().Key()), true
	case screen.OpenScale:
		_, cmd := m.push(func(id screen.ID) screen.Screen { return scale.New(m.env, id, msg.Rows, msg.By) })
		return cmd, true
	case screen.OpenDelete:
		var dialog *remove.Model
		_, cmd := m.push(func(id screen.ID) screen.Screen {
			dialog = remove.New(m.env, id, msg.Rows)
			return dialog
		})
		return tea.Batch(cmd, m.apply(dialog.Init())), true
	}
	return nil, false
}

// act turns an intent that concerns the cluster into commands.
func (m *model) act(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case screen.Scale:
		return m.each(msg.From, len(msg.Items), func(ctx context.Context, i int) error {
			it := msg.Items[i]
			_, err := m.backend.Scale(ctx, it.Ref, it.To, kube.ScaleOptions{From: &it.Current})
			return err
		}), true
	case screen.Delete:
		return m.each(msg.From, len(msg.Refs), func(ctx context.Context, i int) error {
			return m.backend.Delete(ctx, msg.Refs[i], kube.DeleteOptions{})
		}), true
	case screen.LoadChildren:
		return m.loadChildren(msg), true
	case screen.ReadLog:
		return m.readLog(msg), true
	case screen.Copy:
		return m.copyText(msg), true
	}
	return nil, false
}

// stepped says that one action of a batch has ended; next does the next one of its lane.
type stepped struct {
	done screen.Done
	next tea.Cmd
}

// ask runs work for as long as one action may take.
func (m *model) ask(work func(ctx context.Context) tea.Msg) tea.Cmd {
	return m.do(func(ctx context.Context) tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, actionTimeout)
		defer cancel()
		return work(ctx)
	})
}

// each runs an action for n objects, a few at a time; what goes wrong with one stops no other.
func (m *model) each(to screen.ID, n int, action func(ctx context.Context, i int) error) tea.Cmd {
	if m.env.ReadOnly {
		m.flash = screen.Flash{Text: "read-only: nothing can be changed", IsError: true}
		return nil
	}
	do, log := m.do, m.log
	var step func(i int) tea.Cmd
	step = func(i int) tea.Cmd {
		if i >= n {
			return nil
		}
		return do(func(ctx context.Context) tea.Msg {
			ctx, cancel := context.WithTimeout(ctx, actionTimeout)
			defer cancel()
			problem := problemOf(action(ctx, i))
			if problem != nil {
				log.Warn("action refused", "class", problem.Class, "problem", problem.Message)
			}
			return stepped{done: screen.Done{To: to, Index: i, Problem: problem}, next: step(i + lanes)}
		})
	}
	cmds := make([]tea.Cmd, 0, lanes)
	for lane := range min(lanes, n) {
		cmds = append(cmds, step(lane))
	}
	return tea.Batch(cmds...)
}

func (m *model) loadChildren(msg screen.LoadChildren) tea.Cmd {
	asker := m.backend.asker
	cmds := make([]tea.Cmd, len(msg.Refs))
	for i, ref := range msg.Refs {
		cmds[i] = m.ask(func(ctx context.Context) tea.Msg {
			list, missing, err := asker.Children(ctx, ref)
			return screen.Children{To: msg.From, Index: i, List: list, Missing: missing, Problem: problemOf(err)}
		})
	}
	return tea.Batch(cmds...)
}
