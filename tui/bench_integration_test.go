//go:build integration

package tui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

const (
	benchWidth, benchHeight = 200, 50
	benchEvents             = 1000 // a second
	// benchQuiet is for how long a program is left alone before it is measured, benchSpan for how long it is measured.
	benchQuiet, benchSpan = 4 * time.Second, 10 * time.Second
	benchKeys             = 60
	// benchPatience is how long a program is given to show ten thousand rows.
	benchPatience = time.Minute
)

// ours is the contestant that is the dashboard.
const ours = "valkeyctl"

// contestant is a program that shows a live list of Valkeys.
type contestant struct {
	name     string
	command  func(b *testing.B, kubeconfig, namespace string) *exec.Cmd
	all      func(n int) *regexp.Regexp // of a screen on which all are there
	selected func(p *program) string
}

// BenchmarkPrograms compares the dashboard, as a process on a terminal of 200x50, with k9s: `make bench` sets VALKEYCTL and K9S. It runs
// once, whatever -benchtime says. A Kubernetes API server is behind both, but for the stream of 1,000 events a second, which a proxy plays to
// both, so that it is not the server that is measured.
func BenchmarkPrograms(b *testing.B) {
	for _, name := range []string{"VALKEYCTL", "K9S"} {
		if _, err := os.Stat(os.Getenv(name)); err != nil {
			b.Fatalf("%s names no program (%v): `make bench` builds both and sets it", name, err)
		}
	}
	figures := &benchFigures{values: map[string]map[string]float64{}}
	us, other := benchValkeyctl(), benchK9s()
	b.Cleanup(func() { figures.print(b, us.name, other.name) }) // also of what there is before a fault
	figures.add("first frame, API down", us.name, "s", benchDown(b, us))
	for _, n := range []int{5, 10_000} {
		server := apiserver.New(b)
		namespace := server.Namespace(b)
		benchFill(b, server, namespace, n)
		player := newPlayer(b, server, namespace)
		benchPod(b, server, namespace, player)
		for _, c := range []contestant{us, other} {
			benchOne(b, figures, c, player, namespace, n)
		}
	}
}

// benchRows are rows of the list, whichever.
var benchRows = regexp.MustCompile(`app-\d{5}`)

func benchValkeyctl() contestant {
	return contestant{
		name: ours,
		command: func(b *testing.B, kubeconfig, namespace string) *exec.Cmd {
			return exec.CommandContext(b.Context(), os.Getenv("VALKEYCTL"), "--kubeconfig", kubeconfig, "-n", namespace)
		},
		all: func(n int) *regexp.Regexp {
			return regexp.MustCompile(`(?m)^ ` + strconv.Itoa(n) + ` Valkeys(?:[^l]|l[^o])*$`)
		},
		selected: func(p *program) string { return benchLine(p, "▌") },
	}
}

func benchK9s() contestant {
	return contestant{
		name: "k9s",
		command: func(b *testing.B, kubeconfig, namespace string) *exec.Cmd {
			dir := b.TempDir()
			config := "k9s:\n  skipLatestRevCheck: true\n  ui:\n    splashless: true\n    logoless: true\n"
			if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o600); err != nil {
				b.Fatal(err)
			}
			cmd := exec.CommandContext(b.Context(), "/usr/bin/env", "K9S_CONFIG_DIR="+dir, os.Getenv("K9S"),
				"--kubeconfig", kubeconfig, "-n", namespace, "-c", "valkeys.database.kuberly.io", "--splashless", "--logFile", filepath.Join(dir, "log"))
			return cmd
		},
		all: func(n int) *regexp.Regexp {
			return regexp.MustCompile(`valkeys\([^\n]*\[` + strings.Replace(strconv.Itoa(n), "000", ",?000", 1) + `\]`)
		},
		// k9s draws its cursor by colour alone; it is told by the cell whose background differs.
		selected: benchColoured,
	}
}

// benchLine is the first line of the screen that holds the sign.
func benchLine(p *program, sign string) string {
	for _, l := range strings.Split(p.plain(), "\n") {
		if strings.Contains(l, sign) {
			return l
		}
	}
	return ""
}

// benchColoured is the line under k9s' cursor: the only one of the table with a background.
func benchColoured(p *program) string {
	for y := range benchHeight {
		cell := p.screen.CellAt(10, y)
		if line := benchRow(p, y); cell != nil && cell.Style.Bg != nil && strings.Contains(line, "app-") {
			if r, g, bl, _ := cell.Style.Bg.RGBA(); r|g|bl != 0 {
				return line
			}
		}
	}
	return ""
}

func benchRow(p *program, y int) string {
	if lines := strings.Split(p.plain(), "\n"); y < len(lines) {
		return lines[y]
	}
	return ""
}

// benchDown is how long it takes to the first picture while nobody answers.
func benchDown(b *testing.B, c contestant) float64 {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	kubeconfig := apiserver.Kubeconfig(b, &rest.Config{Host: closed.URL}, "default")
	began := time.Now()
	p := start(b, c.command(b, kubeconfig, "default"), benchWidth, benchHeight)
	p.sees("valkey · ")
	return time.Since(began).Seconds()
}

func benchOne(b *testing.B, figures *benchFigures, c contestant, player *player, namespace string, n int) {
	add := func(what, unit string, value float64) {
		figures.add(fmt.Sprintf("%s, %d objects", what, n), c.name, unit, value)
	}
	kubeconfig := apiserver.Kubeconfig(b, &rest.Config{Host: player.url}, namespace)
	began := time.Now()
	p := start(b, c.command(b, kubeconfig, namespace), benchWidth, benchHeight)
	p.until("rows", func() bool { return benchRows.MatchString(p.plain()) })
	add("first rows", "s", time.Since(began).Seconds())
	all := c.all(n)
	if p.waits(benchPatience, func() bool { return all.MatchString(p.plain()) }) {
		add("all rows", "s", time.Since(began).Seconds())
	}
	time.Sleep(benchQuiet)
	add("CPU at rest", "%", p.cpu(benchSpan))
	add("RSS", "MB", p.rss())
	add("key to picture, p95", "ms", p.keyTimes(c))
	player.rate.Store(benchEvents)
	time.Sleep(benchQuiet)
	add("CPU at 1,000 events/s", "%", p.cpu(benchSpan))
	add("key to picture at 1,000 events/s, p95", "ms", p.keyTimes(c))
	player.rate.Store(0)
	add("RSS afterwards", "MB", p.rss())
	if c.name == ours && n > 5 {
		benchLogs(add, p, player)
	}
	p.types("\x03")
	_ = p.cmd.Process.Kill()
}

// cpu is the share of one core that the process takes over a time, in percent.
func (p *program) cpu(span time.Duration) float64 {
	before := p.ticks()
	time.Sleep(span)
	const perSecond = 100 // of USER_HZ, on every Linux
	return float64(p.ticks()-before) / perSecond / span.Seconds() * 100
}

func (p *program) ticks() int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system
}

func (p *program) rss() float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	kb, _ := strconv.Atoi(regexp.MustCompile(`VmRSS:\s+(\d+)`).FindStringSubmatch(string(data))[1])
	return float64(kb) / 1024
}

// keyTimes is the 95th of 100 times from a key to the picture in which the cursor has moved, in milliseconds.
func (p *program) keyTimes(c contestant) float64 {
	p.types("g")
	p.until("there is a cursor", func() bool { return c.selected(p) != "" })
	took := make([]time.Duration, benchKeys)
	for i := range took {
		before := c.selected(p)
		key := "j"
		if i%2 == 1 {
			key = "k"
		}
		began := time.Now()
		p.types(key)
		p.until("the cursor moves", func() bool { now := c.selected(p); return now != "" && now[:40] != before[:40] })
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return float64(took[len(took)*95/100].Microseconds()) / 1000
}

// player passes everything on to the API server but the watches of Valkeys: there it plays changes at a rate.
type player struct {
	url    string
	rate   atomic.Int64 // events a second
	events []map[string]any
	// lines are how many lines of a log are written in a second, and written how many were.
	lines, written atomic.Int64
}

func newPlayer(b *testing.B, server *apiserver.Server, namespace string) *player {
	b.Helper()
	config := server.Config()
	target, err := url.Parse(config.Host)
	if err != nil {
		b.Fatal(err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		b.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		b.Fatal(err)
	}
	list, err := client.Resource(v1alpha1.GroupVersion.WithResource("valkeys")).Namespace(namespace).List(b.Context(), metav1.ListOptions{Limit: 500})
	if err != nil {
		b.Fatal(err)
	}
	p := &player{}
	for i := range list.Items {
		p.events = append(p.events, list.Items[i].Object)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = target.Host },
		Transport: transport, FlushInterval: -1,
	}
	http2 := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		isWatch := query.Get("watch") == "true" || query.Get("watch") == "1"
		if isWatch && strings.HasSuffix(r.URL.Path, "/valkeys") && !strings.Contains(r.Header.Get("Accept"), "as=Table") {
			p.play(w, r)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	b.Cleanup(func() { http2.CloseClientConnections(); http2.Close() })
	p.url = http2.URL
	return p
}

// play writes events to one watch until it ends.
func (p *player) play(w http.ResponseWriter, r *http.Request) {
	const tick = 10 * time.Millisecond
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	flush := w.(http.Flusher).Flush
	flush()
	version := 1 << 40 // above all that the server has given
	encoder := json.NewEncoder(w)
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for n := 0; ; {
		select {
		case <-r.Context().Done():
			return
		case <-clock.C:
		}
		for range p.rate.Load() * int64(tick) / int64(time.Second) {
			n++
			version++
			if err := encoder.Encode(map[string]any{"type": "MODIFIED", "object": changed(p.events[n%len(p.events)], n, version)}); err != nil {
				return
			}
		}
		flush()
	}
}

// changed is an object with another state.
func changed(object map[string]any, n, version int) map[string]any {
	meta := map[string]any{}
	for k, v := range object["metadata"].(map[string]any) {
		meta[k] = v
	}
	meta["resourceVersion"] = strconv.Itoa(version)
	status := map[string]any{"status": []string{"running", "in_progress"}[n/500%2], "ready_replicas": n % 4, "error": fmt.Sprintf("step %d", n)}
	return map[string]any{"apiVersion": object["apiVersion"], "kind": object["kind"], "metadata": meta, "spec": object["spec"], "status": status}
}

func benchFill(b *testing.B, server *apiserver.Server, namespace string, objects int) {
	b.Helper()
	const workers = 8
	var running sync.WaitGroup
	for worker := range workers {
		client, err := kube.NewForConfig(server.Config(), namespace)
		if err != nil {
			b.Fatal(err)
		}
		running.Go(func() {
			for i := worker; i < objects; i += workers {
				if _, err := client.Create(b.Context(), kube.CreateOptions{Valkey: newValkey(namespace, fmt.Sprintf("app-%05d", i))}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	running.Wait()
}

// benchFigures are what was measured, in the order in which it came.
type benchFigures struct {
	names  []string
	units  map[string]string
	values map[string]map[string]float64
}

func (f *benchFigures) add(what, program, unit string, value float64) {
	if f.values[what] == nil {
		f.values[what] = map[string]float64{}
		f.names = append(f.names, what)
	}
	if f.units == nil {
		f.units = map[string]string{}
	}
	f.values[what][program], f.units[what] = value, unit
}

func (f *benchFigures) print(b *testing.B, us, other string) {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "load average %s\n%-56s %12s %12s %8s\n", strings.TrimSpace(string(load)), "", us, other, "ratio")
	for _, name := range f.names {
		v := f.values[name]
		ours, theirs, compared := fmt.Sprintf("%.2f %s", v[us], f.units[name]), "", ""
		if t, found := v[other]; found {
			theirs = fmt.Sprintf("%.2f %s", t, f.units[name])
			if v[us] > 0 {
				compared = fmt.Sprintf("%.1f", t/v[us])
			}
		}
		fmt.Fprintf(&text, "%-56s %12s %12s %8s\n", name, ours, theirs, compared)
	}
	b.Log("\n" + text.String())
	if path := os.Getenv("BENCH_REPORT"); path != "" {
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}
