package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
)

// childEnv makes the test binary be the program itself, on a terminal that a test (or a person) gives it.
const childEnv = "VALKEYCTL_TEST_SCENE"

// runChild is the program instead of the tests, where the environment says so.
func runChild() {
	if scene := os.Getenv(childEnv); scene != "" {
		os.Exit(child(scene))
	}
	time.Local = time.UTC // golden views hold times of day
}

// child runs the dashboard on a fake cluster in a state that the scene names.
func child(scene string) int {
	fakeNow = time.Now()
	f := newFake(cast()...)
	o := Options{Theme: "dark", Mouse: os.Getenv("MOUSE") != "", LogFile: os.Getenv("LOG_FILE"), ScreenReader: os.Getenv("SCREEN_READER") != ""}
	switch scene {
	case "empty":
		f.rows = nil
	case "down":
		f.rows = nil
		f.problem = &kube.Problem{Class: kube.ClassUnreachable, Message: "nobody answers at https://127.0.0.1:6443", Hint: "is the cluster running?"}
	case "many":
		f.rows = many(10_000)
		o.AllNamespaces = true
	case "flood":
		f.flood = true
	case "lines":
		f.lines = someLines(200)
	case "panic":
		f.panicVer = true
	case "crash":
		f.onKey = func() {
			defer utilruntime.HandleCrash()
			panic("a goroutine is a bomb")
		}
	case "stale":
		f.onKey = func() {
			f.fail(&kube.Problem{Class: kube.ClassCredentials, Message: "the credentials of the context dev have run out", Hint: "log in again"})
		}
	case "live":
		f.lines = someLines(200)
		go live(f)
	}
	err := runScene(scene, f, o)
	switch {
	case errors.Is(err, ErrTerminated):
		fmt.Println("terminated in order")
		return 143
	case err != nil:
		fmt.Println(err)
		return 1
	}
	fmt.Println("quit in order")
	return 0
}

// runScene runs the dashboard on the fake, or on the cluster of $KUBECONFIG.
func runScene(scene string, f *fake, o Options) error {
	if scene == "cluster" {
		client, err := kube.New(genericclioptions.NewConfigFlags(true))
		if err != nil {
			return err
		}
		o.Client = client
		return Run(context.Background(), o)
	}
	t, err := openTerminal(nil, nil)
	if err != nil {
		return err
	}
	return run(context.Background(), t, f.backend(), o)
}

// live changes something every now and then, for eyes.
func live(f *fake) {
	i := 0
	for range time.NewTicker(time.Second).C {
		i++
		status := []v1alpha1.Phase{v1alpha1.PhaseInProgress, v1alpha1.PhaseRunning}[i%2]
		f.put(object{name: "jobs", replicas: 2, ready: int32(1 + i%2), status: status, generation: 1, rv: strconv.Itoa(i)}.row())
		f.set(func() { f.lines = append(f.lines, someLines(3)...) })
	}
}

func many(n int) []*kube.Row {
	phases := []v1alpha1.Phase{v1alpha1.PhaseRunning, v1alpha1.PhaseRunning, v1alpha1.PhaseRunning, v1alpha1.PhaseInProgress, v1alpha1.PhaseFailed, v1alpha1.PhaseStopped}
	rows := make([]*kube.Row, n)
	for i := range rows {
		o := object{
			namespace: fmt.Sprintf("team-%02d", i%37), name: fmt.Sprintf("app-%05d", i), replicas: int32(i % 6), ready: int32(i % 6),
			status: phases[i%len(phases)], memory: strconv.Itoa(64+i%900) + "Mi",
		}
		if o.status == v1alpha1.PhaseFailed {
			o.err, o.ready = "pod "+o.name+"-node-0: out of memory: the limit is "+o.memory, 0
		}
		rows[i] = o.row()
	}
	slices.SortStableFunc(rows, func(a, b *kube.Row) int { return strings.Compare(a.Namespace, b.Namespace) })
	return rows
}

func someLines(n int) []kube.Line {
	texts := []string{
		"1:M 30 Nov 2025 02:11:11.123 * Ready to accept connections tcp",
		"1:M 30 Nov 2025 02:11:12.456 * DB saved on disk",
		"\x1b[31m1:M 30 Nov 2025 02:11:13.789 # WARNING Memory overcommit must be enabled!\x1b[0m Without it, a background save or replication may fail under low memory condition.",
		"1:S 30 Nov 2025 02:11:14.000 * MASTER <-> REPLICA sync: Finished with success",
		"1:M 30 Nov 2025 02:11:15.222 - Accepted 10.0.0.7:51234 日本語 ok [red]not markup[-]",
	}
	lines := make([]kube.Line, n)
	for i := range lines {
		lines[i] = kube.Line{Node: "cache-node-" + strconv.Itoa(i%3), Text: texts[i%len(texts)], Time: time.Unix(1_700_000_000+int64(i), 0)}
	}
	return lines
}
