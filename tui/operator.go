package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

// operatorEvery is how often it is looked after the operator.
const operatorEvery = 15 * time.Second

// physician knows how the operator fares.
type physician interface {
	Operator(ctx context.Context, namespace string, now time.Time) (kube.Operator, error)
}

// operatorRead is how the operator fares; known where it could be asked.
type operatorRead struct {
	epoch    uint64
	operator kube.Operator
	known    bool
}

func (m *model) askOperator(wait time.Duration) tea.Cmd {
	p, epoch, namespace := m.backend.physician, m.epoch, m.namespace
	return m.do(func(ctx context.Context) tea.Msg {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		ctx, cancel := context.WithTimeout(ctx, actionTimeout)
		defer cancel()
		o, err := p.Operator(ctx, namespace, time.Now())
		return operatorRead{epoch, o, err == nil}
	})
}

// operatorRead notes an answer and asks again later. What is not known now is told as it was last known: the list says what is wrong.
func (m *model) operatorRead(msg operatorRead) tea.Cmd {
	if msg.epoch != m.epoch {
		return nil
	}
	m.operatorLate = !msg.known
	if msg.known && msg.operator != m.operator {
		m.operator = msg.operator
		m.resize()
	}
	return m.askOperator(operatorEvery)
}

// operatorWord tells how the operator fares, with more or fewer details; empty where nobody knows.
func (m *model) operatorWord(hasVersion, hasLeader bool) string {
	t, o := m.env.Theme, m.operator
	switch {
	case !o.Known:
		return ""
	case !o.Found:
		return t.Render(theme.Warn, t.Signs.Fail+" no operator")
	}
	tone, sign := theme.OK, t.Signs.OK
	switch {
	case o.Ready == 0:
		tone, sign = theme.Error, t.Signs.Fail
	case o.Ready < o.Wanted:
		tone, sign = theme.Warn, t.Signs.Warn
	}
	if m.isOperatorStale() {
		tone, sign = theme.Dim, t.Signs.Unknown
	}
	parts := []string{t.Render(theme.Dim, "operator")}
	if hasVersion && o.Version != "" {
		parts = append(parts, t.Render(theme.Dim, o.Version))
	}
	parts = append(parts, t.Render(tone, fmt.Sprintf("%s %d/%d", sign, o.Ready, o.Wanted)))
	if hasLeader && o.Leader != "" {
		parts = append(parts, t.Render(theme.Dim, "leader "+o.Leader))
	}
	return strings.Join(parts, " ")
}

// isOperatorStale says that how the operator fares is only as it was last known.
func (m *model) isOperatorStale() bool {
	p := m.latest.Err
	return m.operatorLate || m.known && p != nil && (p.Class == kube.ClassUnreachable || p.Class == kube.ClassCredentials)
}

// operatorTrouble says in words that nobody takes care of the Valkeys; empty where somebody does, or where nobody knows.
func (m *model) operatorTrouble() string {
	switch o := m.operator; {
	case !o.Known:
		return ""
	case !o.Found:
		return "no operator is installed here: nothing will happen to Valkeys, unless one runs outside of the cluster; install it with: make deploy"
	case o.Wanted == 0:
		return "the operator is scaled to 0: nothing will happen to Valkeys; start it with: kubectl scale -n " + o.Namespace + " deployment/" + o.Name + " --replicas=2"
	case o.Ready == 0:
		return "the operator is not ready: nothing will happen to Valkeys until it is; see: kubectl describe pods -n " + o.Namespace
	default:
		return ""
	}
}
