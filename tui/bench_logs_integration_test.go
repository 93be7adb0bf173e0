//go:build integration

package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"kuberly.io/valkey-operator/test/apiserver"
)

// benchPod gives the first Valkey a pod whose log is written at the player's rate.
func benchPod(b *testing.B, server *apiserver.Server, namespace string, player *player) {
	b.Helper()
	clientset, err := kubernetes.NewForConfig(server.Config())
	if err != nil {
		b.Fatal(err)
	}
	host := addHost(b, clientset, floodOfLines(func() int {
		rate := player.lines.Load()
		player.written.Add(rate / floodBatches)
		return int(rate)
	}))
	addPod(b, clientset, newValkey(namespace, "app-00000"), host)
}

// benchLogs measures the logs of the first Valkey: with a full ring, and while 10,000 lines come in a second.
func benchLogs(add func(what, unit string, value float64), p *program, player *player) {
	const full, measured = 50_000, 10_000
	player.lines.Store(full)
	p.types("gl")
	p.sees("flood line")
	p.until("more lines came than the ring holds", func() bool { return player.written.Load() > 1_000_000 })
	player.lines.Store(measured)
	time.Sleep(benchQuiet)
	add("RSS with a full ring of lines", "MB", p.rss())
	add("CPU at 10,000 lines/s", "%", p.cpu(benchSpan))
	took := make([]time.Duration, benchKeys)
	for i := range took {
		began := time.Now()
		p.types("w")
		p.until("the lines are cut or wrapped", func() bool { return strings.Contains(p.plain(), "  cut  ") == (i%2 == 0) })
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	add("key to picture at 10,000 lines/s, p95", "ms", float64(took[len(took)*95/100].Microseconds())/1000)
	player.lines.Store(0)
	p.types("\x1b")
}
