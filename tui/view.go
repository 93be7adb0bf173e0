package tui

import (
	"slices"
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
	"kuberly.io/valkey-operator/tui/widget"
)

const (
	minWidth, minHeight = 50, 12
	// headLines are the two lines of the header and the rule, footLines that of the hints.
	headLines, footLines = 3, 1
	bannerLines          = 3
)

func (m *model) isTooSmall() bool { return m.width < minWidth || m.height < minHeight }

func (m *model) bodyTop() int    { return headLines + len(m.banner) }
func (m *model) bodyHeight() int { return max(m.height-m.bodyTop()-footLines, 1) }

// resize draws the banner, which takes room, and tells the screens what is left.
func (m *model) resize() {
	m.banner = nil
	if m.isTooSmall() {
		return
	}
	m.banner = m.bannerOf()
	for _, e := range m.stack {
		height := m.bodyHeight()
		if e.isDialog {
			height = m.height
		}
		e.screen.SetSize(m.width, height)
	}
}

// View is for tea.Model.
func (m *model) View() string {
	switch {
	case m.quitting || !m.hasSize:
		return ""
	case m.isTooSmall():
		return m.tooSmall()
	}
	page, dialog := m.views()
	lines := make([]string, 0, m.height)
	lines = append(lines, m.header())
	tail := m.env.Theme.Signs.Ellipsis
	lines = append(lines, " "+widget.Ends(page.Title, page.Status, m.width-2, tail))
	lines = append(lines, widget.Rule(m.env.Theme, m.width))
	lines = append(lines, m.banner...)
	lines = append(lines, widget.Height(page.Lines, m.bodyHeight())...)
	if dialog != nil {
		lines = widget.Overlay(m.env.Theme, lines, dialog.Lines, m.width, m.height-footLines)
		page.Hints, page.Prompt = dialog.Hints, dialog.Prompt
	}
	lines = append(lines, m.footer(page))
	return strings.Join(lines, "\n")
}

// views are the upper page and the dialog over it, if there is one.
func (m *model) views() (page screen.View, dialog *screen.View) {
	for i := len(m.stack) - 1; i >= 0; i-- {
		e := m.stack[i]
		if e.isDialog && dialog != nil {
			continue
		}
		v := e.screen.View()
		if !e.isDialog {
			return v, dialog
		}
		dialog = &v
	}
	return page, dialog
}

// header says where the dashboard is.
func (m *model) header() string {
	t := m.env.Theme
	dot := t.Render(theme.Bar, " "+t.Signs.Dot+" ")
	where := t.Render(theme.Dim, "namespace ") + t.Render(theme.Strong, m.namespace)
	if m.all {
		where = t.Render(theme.Strong, "all namespaces")
	}
	if m.env.ReadOnly {
		where = t.Render(theme.Warn, "read-only") + dot + where
	}
	room := m.width - 2 - widget.Width(where) - 2
	return " " + widget.Ends(m.cluster(dot, room), where, m.width-2, t.Signs.Ellipsis)
}

// cluster names the cluster and what runs there, with as much about it as there is room for.
func (m *model) cluster(dot string, room int) string {
	t := m.env.Theme
	c := m.backend.context
	if c.Cluster == c.Name {
		c.Cluster = ""
	}
	version := ""
	if m.version != "" {
		version = t.Render(theme.Dim, "Kubernetes "+m.version)
	}
	parts := []string{
		t.Render(theme.Accent, "valkey"), t.Render(theme.Strong, c.Name), c.Cluster, t.Render(theme.Dim, c.Server), version, m.operatorWord(true, true),
	}
	line := ""
	// By what gives way first where there is no room.
	for _, giveWay := range []func(){
		func() {},
		func() { parts[5] = m.operatorWord(true, false) },
		func() { parts[3] = "" },
		func() { parts[2] = "" },
		func() { parts[5] = m.operatorWord(false, false) },
		func() { parts[4] = "" },
		func() { parts[5] = "" },
	} {
		giveWay()
		line = strings.Join(slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" }), dot)
		if widget.Width(line) <= room {
			break
		}
	}
	return line
}

// bannerOf says in words what is wrong with the cluster, and how old what is shown is.
func (m *model) bannerOf() []string {
	p := m.latest.Err
	if trouble := m.operatorTrouble(); trouble != "" && (!m.known || p == nil) {
		return widget.Banner(m.env.Theme, theme.Caution, trouble, m.width, bannerLines)
	}
	if !m.known || p == nil {
		return nil
	}
	tone := theme.Caution
	sentences := []string{p.Message}
	isQuestion := strings.HasSuffix(p.Hint, "?")
	if p.Hint != "" && !isQuestion {
		sentences = append(sentences, p.Hint)
	}
	switch {
	case m.latest.Stale && !m.lastOK.IsZero():
		tone = theme.Alarm
		sentences = append(sentences, "what is shown was true at "+staleSince(m.lastOK))
	case len(m.latest.Rows) == 0:
		tone = theme.Alarm
	}
	if p.Class != kube.ClassUsage {
		sentences = append(sentences, "it is tried again by itself, "+m.env.Keys.First(keys.Everywhere, keys.Retry)+" tries now")
	}
	if isQuestion { // it ends the line
		sentences = append(sentences, p.Hint)
	}
	text := strings.Join(sentences, "; ")
	return widget.Banner(m.env.Theme, tone, text, m.width, bannerLines)
}

// footer is what is typed, else what was said in passing, else the keys worth knowing.
func (m *model) footer(v screen.View) string {
	t := m.env.Theme
	width := m.width - 2
	switch {
	case v.Prompt != "":
		return " " + widget.Truncate(v.Prompt, width, "")
	case m.flash.Text != "":
		sign, tone := t.Signs.OK, theme.OK
		if m.flash.IsError {
			sign, tone = t.Signs.Fail, theme.Error
		}
		return " " + t.Render(tone, widget.Truncate(sign+" "+m.flash.Text, width, t.Signs.Ellipsis))
	default:
		return " " + widget.Hints(t, v.Hints, width)
	}
}

func (m *model) tooSmall() string {
	lines := make([]string, max(m.height/2-1, 0))
	for _, text := range []string{
		"too small",
		strconv.Itoa(m.width) + "x" + strconv.Itoa(m.height) + " of " + strconv.Itoa(minWidth) + "x" + strconv.Itoa(minHeight),
	} {
		text = widget.Truncate(text, m.width, "")
		lines = append(lines, widget.Spaces((m.width-widget.Width(text))/2)+text)
	}
	return strings.Join(widget.Height(lines, max(m.height, 0)), "\n")
}
