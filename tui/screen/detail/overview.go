package detail

import (
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

// overview is everything at a glance; it scrolls where there is not room for all of it.
func (m *Model) overview(width int) []string {
	v := m.detail.Valkey
	if v == nil {
		return nil
	}
	lines := m.facts(v, width)
	lines = append(lines, m.drift(v, width)...)
	lines = append(lines, "")
	lines = append(lines, m.nodeLinesOfOverview(width)...)
	lines = append(lines, m.progress(v, width)...)
	lines = append(lines, m.trends(width)...)
	lines = append(lines, m.conditions(v, width)...)
	return append(lines, m.roleChanges(v, width)...)
}

// fact is one named line.
func (m *Model) fact(name, text string, width int) string {
	const nameWidth = 9
	t := m.env.Theme
	return " " + t.Render(theme.Dim, widget.Fit(name, nameWidth, "")) + widget.Truncate(text, width-nameWidth-2, t.Signs.Ellipsis)
}

func (m *Model) facts(v *v1alpha1.Valkey, width int) []string {
	t := m.env.Theme
	dot := t.Render(theme.Bar, " "+t.Signs.Dot+" ")
	volume := "no volume"
	if v.Spec.Volume.Enabled {
		volume = "volume " + v.VolumeSize()
		if v.Spec.Volume.Reclaim == v1alpha1.ReclaimRetain {
			volume += " (kept)"
		}
	}
	servers := plural(v.WantedReplicas(), "server")
	if v.WantedReplicas() == 0 {
		servers = "stopped"
	}
	wanted := strings.Join([]string{v.Spec.Image, servers, v.Spec.Resource.CPU + " CPU", v.Spec.Resource.Memory, volume}, dot)

	ready := strconv.Itoa(int(v.Status.ReadyReplicas)) + " of " + strconv.Itoa(v.WantedReplicas()) + " ready"
	tone := theme.OK
	if int(v.Status.ReadyReplicas) != v.WantedReplicas() {
		tone = theme.Warn
	}
	seen := []string{t.Render(tone, ready)}
	if v.Status.Primary != "" {
		word := "primary "
		if v.WantedReplicas() == 0 {
			word = "last primary "
		}
		seen = append(seen, word+t.Render(theme.Strong, v.Status.Primary))
	}
	if v.Status.Version != "" {
		seen = append(seen, "Valkey "+v.Status.Version)
	}
	if v.Status.LastReconcileAt != nil {
		seen = append(seen, t.Render(theme.Dim, "changed "+ago(v.Status.LastReconcileAt.Time, m.now)+" ago"))
	}
	return []string{
		m.fact("wanted", wanted, width), m.fact("seen", strings.Join(seen, dot), width), m.fact("address", m.address(v), width),
	}
}

// address is the connection string, its password hidden unless somebody asked for it a moment ago.
func (m *Model) address(v *v1alpha1.Valkey) string {
	t := m.env.Theme
	if m.uri != "" {
		return t.Render(theme.Strong, m.uri) + t.Render(theme.Dim, "  for a few seconds")
	}
	hidden := strings.Repeat(string(t.Signs.Secret), 8)
	text := "redis://" + v.Spec.User + ":" + t.Render(theme.Dim, hidden) + "@" + v.ServiceName() + "." + v.Namespace + ".svc:" + strconv.Itoa(v1alpha1.Port)
	return text + t.Render(theme.Dim, "  "+m.env.Keys.First(oneScope, showSecret)+" shows it")
}

// drift says what of the observed differs from what is wanted, and what cannot be known.
func (m *Model) drift(v *v1alpha1.Valkey, width int) []string {
	var lines []string
	t := m.env.Theme
	add := func(tone theme.Tone, sign, text string) {
		for i, l := range widget.Wrap(text, max(width-13, 8)) {
			if i > 0 {
				sign = " "
			}
			lines = append(lines, m.fact("", t.Render(tone, sign+" "+l), width))
		}
	}
	if v.Status.Error != "" {
		add(theme.Error, t.Signs.Fail, v.Status.Error)
	}
	if d := v.DeletionTimestamp; d != nil {
		add(theme.Warn, t.Signs.Warn, "it is being deleted, since "+ago(d.Time, m.now))
	}
	if lag := v.Generation - v.Status.ObservedGeneration; lag > 0 {
		add(theme.Warn, t.Signs.Warn, "the operator has not looked at the latest change yet ("+plural(int(lag), "change")+" behind)")
	}
	for _, d := range m.differences(v) {
		add(theme.Warn, t.Signs.Warn, d)
	}
	for _, gap := range m.missing() {
		add(theme.Dim, t.Signs.Unknown, gap)
	}
	return lines
}

// differences are what runs and what is wanted, where the two are not the same.
func (m *Model) differences(v *v1alpha1.Valkey) []string {
	var all []string
	if to := v.Annotations[v1alpha1.AnnotationFailover]; to != "" {
		all = append(all, "a failover is asked for: to "+to)
	}
	for i := range m.nodes {
		n := &m.nodes[i]
		info := n.Info()
		if info == nil || n.Problem() != "" {
			continue
		}
		name := roster.Short(n.Name, v.Name)
		if v.Status.Version != "" && info.Version != "" && info.Version != v.Status.Version {
			all = append(all, name+" runs Valkey "+info.Version+", the primary "+v.Status.Version)
		}
		if n.Node.Role != "" && n.Node.Role != info.Role {
			all = append(all, name+" is labelled "+string(n.Node.Role)+", its server says "+string(info.Role))
		}
	}
	return all
}

// missing says what is not known, and why: each reason once.
func (m *Model) missing() []string {
	var all []string
	told := map[string]bool{}
	for _, p := range []struct {
		what    string
		problem *kube.Problem
	}{{"not current", m.detail.Problem}, {"pods are not shown", m.detail.PodsProblem}} {
		if p.problem != nil && !told[p.problem.Message] && !m.isTold(p.problem.Message) {
			told[p.problem.Message] = true
			all = append(all, p.what+": "+p.problem.Error())
		}
	}
	for i := range m.nodes {
		if r := m.nodes[i].Reading; r != nil && r.Login && r.Problem != "" && !m.isTold(r.Problem) {
			return append(all, "the servers cannot be asked: "+r.Problem)
		}
	}
	return all
}

// isTold says that a problem is what the line above every screen tells already.
func (m *Model) isTold(text string) bool {
	return m.trouble != nil && strings.HasPrefix(text, m.trouble.Message)
}

// progress says how far a roll, a failover or any other change is.
func (m *Model) progress(v *v1alpha1.Valkey, width int) []string {
	c := conditionOf(v, v1alpha1.ConditionProgressing)
	if c == nil || c.Status != metav1.ConditionTrue {
		return nil
	}
	t := m.env.Theme
	text := t.Signs.Busy + " " + orReason(c)
	if since := ago(c.LastTransitionTime.Time, m.now); since != none {
		text += " (for " + since + ")"
	}
	lines := append([]string{""}, indented(t, theme.Busy, text, width)...)
	if steps := roster.StepLine(t, m.nodes, v.Name, c.LastTransitionTime.Time, m.isRolling(c.LastTransitionTime.Time)); steps != "" {
		lines = append(lines, "   "+widget.Truncate(steps, width-4, t.Signs.Ellipsis))
	}
	return lines
}

// isRolling says whether a pod that is older than the change still runs beside one that is newer.
func (m *Model) isRolling(since time.Time) bool {
	anew, old := false, false
	for _, step := range roster.Steps(m.nodes, since) {
		anew, old = anew || step != roster.Waits, old || step == roster.Waits
	}
	return anew && old
}

func (m *Model) conditions(v *v1alpha1.Valkey, width int) []string {
	if len(v.Status.Conditions) == 0 {
		return nil
	}
	t := m.env.Theme
	lines := []string{"", " " + t.Render(theme.Strong, "Conditions")}
	for i := range v.Status.Conditions {
		c := &v.Status.Conditions[i]
		tone := theme.Text
		isGood := (c.Status == metav1.ConditionTrue) == (c.Type == v1alpha1.ConditionReady)
		switch {
		case isGood:
			tone = theme.OK
		case c.Type == v1alpha1.ConditionProgressing:
			tone = theme.Busy
		case c.Type == v1alpha1.ConditionDegraded, c.Status == metav1.ConditionFalse:
			tone = theme.Warn
		}
		head := widget.Fit(c.Type, 12, "") + t.Render(tone, widget.Fit(string(c.Status), 8, "")) +
			t.Render(theme.Dim, widget.FitRight(ago(c.LastTransitionTime.Time, m.now), 6, "")) + "  "
		lines = append(lines, "   "+head+widget.Truncate(orReason(c), width-widget.Width(head)-4, t.Signs.Ellipsis))
	}
	return lines
}

// roleChanges are the last changes of the primary: when, from where to where, why, and for how long the node before had been it.
func (m *Model) roleChanges(v *v1alpha1.Valkey, width int) []string {
	changes := v.Status.RoleChanges
	if len(changes) == 0 {
		return nil
	}
	t := m.env.Theme
	lines := []string{"", " " + t.Render(theme.Strong, "Changes of the primary")}
	for i, c := range changes {
		from := none
		if c.From != "" {
			from = roster.Short(c.From, v.Name)
		}
		move := from + " " + t.Signs.Arrow + " " + roster.Short(c.To, v.Name)
		if c.From == c.To {
			move = from + " kept"
		}
		head := t.Render(theme.Dim, widget.FitRight(ago(c.Time.Time, m.now), 6, "")+" ago  ") + move
		text := c.Reason
		if i+1 < len(changes) {
			text += t.Render(theme.Dim, "  after "+span(c.Time.Sub(changes[i+1].Time.Time)))
		}
		lines = append(lines, "   "+head+"  "+widget.Truncate(text, width-widget.Width(head)-6, t.Signs.Ellipsis))
	}
	return lines
}

func conditionOf(v *v1alpha1.Valkey, kind string) *metav1.Condition {
	for i := range v.Status.Conditions {
		if v.Status.Conditions[i].Type == kind {
			return &v.Status.Conditions[i]
		}
	}
	return nil
}

func orReason(c *metav1.Condition) string {
	if c.Message != "" {
		return c.Message
	}
	return c.Reason
}
