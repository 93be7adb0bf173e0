package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
)

const (
	// askAgain is after how long it is asked again what could not be learnt.
	askAgain = 15 * time.Second
	// rightsLimit is for how many namespaces it is asked at a time, where all are shown.
	rightsLimit = 30
)

// needs are what each action takes; where several stand for one it takes all.
var needs = []struct {
	action keys.Action
	need   kube.Action
}{
	{keys.Create, onValkeys("create")},
	{keys.Delete, onValkeys("delete")},
	{keys.Scale, scaling},
	{keys.More, scaling},
	{keys.Less, scaling},
	{keys.Stop, onValkeys("patch")},
	{keys.Edit, onValkeys("update")},
	{keys.EditText, onValkeys("update")},
	{keys.Failover, onValkeys("patch")},
	{keys.Restart, onValkeys("patch")},
	{keys.Logs, kube.Action{Verb: "list", Resource: "pods"}},
	{keys.Logs, kube.Action{Verb: "get", Resource: "pods", Subresource: "log"}},
	{keys.OpenConsole, kube.Action{Verb: "create", Resource: "pods", Subresource: "portforward"}},
	{keys.Forward, kube.Action{Verb: "create", Resource: "pods", Subresource: "portforward"}},
	{keys.OpenShell, kube.Action{Verb: "create", Resource: "pods", Subresource: "exec"}},
}

var scaling = kube.Action{Verb: "update", Group: v1alpha1.Group, Resource: "valkeys", Subresource: "scale"}

func onValkeys(verb string) kube.Action {
	return kube.Action{Verb: verb, Group: v1alpha1.Group, Resource: "valkeys"}
}

// rightsRead is what the user may not do in a namespace.
type rightsRead struct {
	epoch     uint64
	namespace string
	denied    map[keys.Action]string
	problem   *kube.Problem
}

// askRights asks for the namespaces that are shown and not known yet. It is called with every snapshot.
func (m *model) askRights() tea.Cmd {
	shown := []string{m.namespace}
	if m.all {
		shown = shown[:0]
		for _, r := range m.latest.Rows { // in the order of their namespaces
			if n := len(shown); n == 0 || shown[n-1] != r.Namespace {
				shown = append(shown, r.Namespace)
			}
		}
	}
	m.env.Rights.Shown = shown
	var cmds []tea.Cmd
	for _, namespace := range shown[:min(len(shown), rightsLimit)] {
		if !m.env.Rights.IsKnown(namespace) && time.Since(m.asked[namespace]) > askAgain {
			cmds = append(cmds, m.askRightsIn(namespace))
		}
	}
	return tea.Batch(cmds...)
}

func (m *model) askRightsIn(namespace string) tea.Cmd {
	if m.asked == nil {
		m.asked = map[string]time.Time{}
	}
	m.asked[namespace] = time.Now()
	epoch, j := m.epoch, m.backend.judge
	return m.ask(func(ctx context.Context) tea.Msg {
		wanted := make([]kube.Action, len(needs))
		for i := range needs {
			wanted[i] = needs[i].need
			wanted[i].Namespace = namespace
		}
		answers, err := j.Rights(ctx, wanted)
		reply := rightsRead{epoch: epoch, namespace: namespace, denied: map[keys.Action]string{}, problem: problemOf(err)}
		for i, answer := range answers {
			if !answer.Allowed {
				reply.denied[needs[i].action] = answer.Reason
			}
		}
		return reply
	})
}

// rightsRead notes an answer. What could not be learnt is no "no": it stays unknown, and is asked again later.
func (m *model) rightsRead(msg rightsRead) {
	if msg.epoch != m.epoch {
		return
	}
	if msg.problem != nil {
		m.log.Warn("rights are not known", "namespace", msg.namespace, "problem", msg.problem.Message)
		return
	}
	m.env.Rights.Set(msg.namespace, msg.denied)
}

// refuseKey says no to a key whose action may not be done in any namespace that is shown, whatever the screen would make of it.
func (m *model) refuseKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	name := msg.String()
	isDenied := func(scope keys.Scope) bool { return m.env.Why(m.env.Keys.Action(name, scope)) != "" }
	if msg.Paste || !slices.ContainsFunc(keys.Scopes(), isDenied) {
		return nil, false
	}
	v := m.top().screen.View()
	if v.Prompt != "" || slices.ContainsFunc(v.Scopes, keys.Scope.TakesText) {
		return nil, false // it is typed
	}
	why := m.env.Why(m.env.Keys.Action(name, v.Scopes...))
	if why == "" {
		return nil, false
	}
	m.flash = screen.Flash{Text: why, IsError: true}
	return m.askAgainIn(m.env.Rights.Shown), true
}

// askAgainIn asks anew for what was refused, in the background: somebody may have given the right meanwhile.
func (m *model) askAgainIn(namespaces []string) tea.Cmd {
	namespaces = namespaces[:min(len(namespaces), rightsLimit)]
	cmds := make([]tea.Cmd, len(namespaces))
	for i, namespace := range namespaces {
		cmds[i] = m.askRightsIn(namespace)
	}
	return tea.Batch(cmds...)
}

// refuse says no to an intent that the user may not have done in the namespaces of its rows, before anything opens.
func (m *model) refuse(msg tea.Msg) (tea.Cmd, bool) {
	r, isRestricted := msg.(screen.Restricted)
	if !isRestricted {
		return nil, false
	}
	action, namespaces := r.Restricted()
	if m.env.ReadOnly && screen.Changes(action) {
		m.flash = screen.Flash{Text: screen.ReadOnly, IsError: true}
		return nil, true
	}
	why := m.env.Rights.Why(action, namespaces)
	if why == "" {
		return nil, false
	}
	m.flash = screen.Flash{Text: why, IsError: true}
	return m.askAgainIn(namespaces), true
}
