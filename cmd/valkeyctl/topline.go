package main

import (
	"fmt"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/screen/roster"
)

// topLine is what is told of one Valkey, or of one of its servers. What is not known is left out.
type topLine struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Primary   string `json:"primary,omitempty"` // of a Valkey
	Role      string `json:"role,omitempty"`    // of a server
	Pod       string `json:"pod,omitempty"`
	Ready     string `json:"ready"`
	// Asked says whether what follows is known at all.
	Asked        bool     `json:"asked"`
	Problem      string   `json:"problem,omitempty"`
	MemoryBytes  int64    `json:"memoryBytes,omitempty"`
	MaxBytes     int64    `json:"maxmemoryBytes,omitempty"`
	OpsPerSecond *int64   `json:"opsPerSecond,omitempty"`
	HitRatio     *float64 `json:"hitRatio,omitempty"`
	Clients      int64    `json:"clients"`
	LagBytes     *int64   `json:"lagBytes,omitempty"`
	LagSeconds   *int64   `json:"lagSeconds,omitempty"`

	isServer bool
}

// lines are one for each server, or one for all of them.
func (t *topped) lines(perServer bool) []topLine {
	if !perServer {
		return []topLine{t.line()}
	}
	lines := make([]topLine, 0, len(t.nodes))
	for i := range t.nodes {
		n := &t.nodes[i]
		l := topLine{
			Namespace: t.valkey.Namespace, Name: n.Name, Role: string(n.Role), Pod: n.Pod, Ready: "no", Problem: n.Problem(), isServer: true,
		}
		if n.Ready {
			l.Ready = "yes"
		}
		if n.State != "" {
			l.Ready = n.State
		}
		l.measure(n)
		lines = append(lines, l)
	}
	return lines
}

// line tells of the primary, of all clients, and of the replica that lies most behind.
func (t *topped) line() topLine {
	v := t.valkey
	l := topLine{
		Namespace: v.Namespace, Name: v.Name, Primary: v.Status.Primary, Ready: fmt.Sprintf("%d/%d", v.Status.ReadyReplicas, v.WantedReplicas()),
	}
	clients := int64(0)
	for i := range t.nodes {
		n := &t.nodes[i]
		if info := n.Info(); info != nil {
			clients += info.Clients
		}
		if n.IsPrimary() {
			l.measure(n)
		}
	}
	l.Clients = clients
	for i := range t.nodes {
		if n := &t.nodes[i]; n.KnowsLag && (l.LagBytes == nil || n.Behind > *l.LagBytes) {
			l.LagBytes, l.LagSeconds = &n.Behind, &n.Since
		}
	}
	return l
}

func (l *topLine) measure(n *roster.Node) {
	info := n.Info()
	if info == nil {
		return
	}
	l.Asked, l.MemoryBytes, l.MaxBytes = true, info.Used, info.Max
	l.OpsPerSecond, l.Clients = &info.OpsPerSecond, info.Clients
	if ratio, known := n.Reading.HitRatio(); known {
		l.HitRatio = &ratio
	}
	if n.KnowsLag {
		l.LagBytes, l.LagSeconds = &n.Behind, &n.Since
	}
}

func (l *topLine) cells() []string {
	who := l.Primary
	if l.isServer {
		who = l.Role
	}
	memory := roster.Size(l.MemoryBytes)
	if l.MaxBytes > 0 {
		memory += "/" + roster.Size(l.MaxBytes)
	}
	ops, hits, lag := "-", "-", "-"
	if l.OpsPerSecond != nil {
		ops = number(*l.OpsPerSecond)
	}
	if l.HitRatio != nil {
		hits = roster.Percent(*l.HitRatio)
	}
	if l.LagBytes != nil {
		lag = roster.Size(*l.LagBytes) + " " + number(*l.LagSeconds) + "s"
	}
	return []string{
		clean.Text(l.Name), dashed(who != "", clean.Text(who)), clean.Text(l.Ready), dashed(l.Asked, memory),
		ops, hits, dashed(l.Asked, number(l.Clients)), lag,
	}
}
