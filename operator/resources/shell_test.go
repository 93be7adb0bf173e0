package resources_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

func serverContainer() corev1.Container {
	return resources.Deployment(variants()["three-without-volume"], 1, false).Spec.Template.Spec.Containers[0]
}

// What valkey-cli prints, by what the server says.
const (
	pong       = "PONG"
	noAuth     = "NOAUTH Authentication required."
	wrongPass  = "AUTH failed: WRONGPASS invalid username-password pair or user is disabled.\nNOAUTH Authentication required."
	loading    = "LOADING Valkey is loading the dataset in memory"
	masterDown = "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."
	refused    = "Could not connect to Valkey at 127.0.0.1:6379: Connection refused"
	hungUp     = "Error: Server closed the connection"
	busy       = "BUSY Valkey is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."

	asPrimary    = "PONG\nmaster\n3129659\n127.0.0.1\n9001\n3129242"
	asReplica    = "PONG\nslave\n10.0.0.7\n6379\nconnected\n3167038"
	asConnecting = "PONG\nslave\n10.0.0.7\n6379\nconnecting\n-1"
	asSyncing    = "PONG\nslave\n10.0.0.7\n6379\nsync\n-1"
	asParked     = "PONG\nslave\n127.0.0.1\n1\nconnect\n-1"
)

// Case 20 (operator): a server that loads is started and alive, and not ready.
func TestProbes(t *testing.T) {
	c := serverContainer()
	for name, p := range map[string]struct {
		probe *corev1.Probe
		// passes by what the server answers
		passes map[string]bool
	}{
		"startup":  {c.StartupProbe, anyAnswer},
		"liveness": {c.LivenessProbe, anyAnswer},
		"readiness": {c.ReadinessProbe, map[string]bool{
			asPrimary: true, asReplica: true,
			asConnecting: false, asSyncing: false, asParked: false,
			noAuth: false, wrongPass: false, loading + "\n" + loading: false, masterDown + "\n" + asReplica[5:]: false,
			refused: false, hungUp: false, busy + "\n" + busy: false, "": false, pong: false,
		}},
	} {
		for answer, want := range p.passes {
			t.Run(fmt.Sprintf("%s at %.12q", name, answer), func(t *testing.T) {
				if got, said := runProbe(t, p.probe, answer); got != want {
					t.Errorf("passes: %v, want %v; it said %q", got, want, said)
				}
			})
		}
	}
}

// anyAnswer is what the startup and the liveness probe make of each answer: one that refuses is alive.
var anyAnswer = map[string]bool{
	pong: true, noAuth: true, wrongPass: true, loading: true, masterDown: true, busy: true,
	refused: false, hungUp: false, "": false,
}

// Case 24 (operator): a server that answers late during a save or a fork is not killed for it.
func TestLivenessIsPatient(t *testing.T) {
	p := serverContainer().LivenessProbe
	if allowed := time.Duration(p.FailureThreshold*p.PeriodSeconds) * time.Second; allowed < time.Minute {
		t.Errorf("a server that does not answer is killed after %s", allowed)
	}
	if p.TimeoutSeconds < 5 {
		t.Errorf("an answer may take %d s, want 5 at least", p.TimeoutSeconds)
	}
}

// Case 29 (operator): a pod that waits for the one before it is not killed for waiting.
func TestStartupOutlastsThePodBefore(t *testing.T) {
	for name, v := range variants() {
		p := resources.Deployment(v, 0, false).Spec.Template.Spec.Containers[0].StartupProbe
		if allowed := time.Duration(p.FailureThreshold*p.PeriodSeconds) * time.Second; allowed <= resources.Grace(v) {
			t.Errorf("%s: the next pod is killed after %s, the one before it may take %s to end", name, allowed, resources.Grace(v))
		}
	}
}

// runProbe runs a probe's command with a valkey-cli that prints the answer, and checks how it was called.
func runProbe(t *testing.T, probe *corev1.Probe, answer string) (passes bool, said string) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, resources.KeyProbePassword), passwords.Probe, 0o600)
	write(t, filepath.Join(dir, "answer"), answer, 0o600)
	write(t, filepath.Join(dir, "valkey-cli"), `#!/bin/sh
case "$*" in *`+passwords.Probe+`*) echo "the password is an argument" >>"$DIR/wrong" ;; esac
[ "$REDISCLI_AUTH" = '`+passwords.Probe+`' ] || echo "the password is not given" >>"$DIR/wrong"
case "$*" in *"--user `+v1alpha1.UserProbe+`"*) ;; *) echo "not the probe user: $*" >>"$DIR/wrong" ;; esac
[ $# -gt 3 ] || cat >/dev/null # the commands come by standard input
cat "$DIR/answer"
`, 0o700)
	cmd := inDir(t, dir, probe.Exec.Command, map[string]string{"/etc/valkey/secret": dir})
	out, err := cmd.CombinedOutput()
	if wrong, readErr := os.ReadFile(filepath.Join(dir, "wrong")); readErr == nil {
		t.Errorf("valkey-cli was called wrongly: %s", wrong)
	}
	return err == nil, string(out)
}

// The hook before the end of a pod holds a primary that has replicas for a time, whatever a question takes, and nobody else.
func TestPrimaryIsHeldForATimeBeforeItEnds(t *testing.T) {
	for answer, held := range map[string]bool{
		"master\n100\nconnected_slaves:1": true,
		"master\n100\nconnected_slaves:0": false,
		"slave\n10.0.0.7\n6379":           false,
		refused:                           false,
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, resources.KeyProbePassword), passwords.Probe, 0o600)
		write(t, filepath.Join(dir, "answer"), answer, 0o600)
		limit := "20" // in seconds, for what takes its time on a busy machine and then is not held
		if held {
			limit = "1"
		}
		write(t, filepath.Join(dir, "limit"), limit, 0o600)
		write(t, filepath.Join(dir, "valkey-cli"), "#!/bin/sh\ncat >/dev/null\ncat \"$DIR/answer\"\n", 0o700)
		write(t, filepath.Join(dir, "timeout"), `#!/bin/sh
time="$1"; shift
PATH="${PATH#*:}" command -v timeout >"$DIR/real"
PATH="$PATH" "$(cat "$DIR/real")" "$(cat "$DIR/limit")" "$@"
code=$?
[ $code -ne 124 ] || echo "held for $time s" >"$DIR/held"
exit $code
`, 0o700)
		cmd := inDir(t, dir, serverContainer().Lifecycle.PreStop.Exec.Command, map[string]string{"/etc/valkey/secret": dir})
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%q: the hook ends with %v and says %q", answer, err, out)
		}
		said, _ := os.ReadFile(filepath.Join(dir, "held"))
		if (string(said) == "held for 10 s\n") != held {
			t.Errorf("%q: %q, want it held: %v", answer, said, held)
		}
	}
}

// Only a standalone server starts as a primary: one of several that comes back empty must not spread its emptiness.
func TestStartLineBootsByItsEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		boot    string
		replica bool
	}{
		"a standalone takes writes at once":      {"primary", false},
		"one of several follows nobody":          {"replica", true},
		"one that is told nonsense":              {"no such mode", true},
		"one that is told nothing":               {"", true},
		"one whose mode merely starts like that": {"primary-ish", true},
	} {
		t.Run(name, func(t *testing.T) {
			node := newNode(t)
			node.start(t, c.boot)
			node.waitFor(t, "start")
			if got := strings.Contains(node.trace(t), "--replicaof 127.0.0.1 1"); got != c.replica {
				t.Errorf("starts as a replica of an unusable address: %v, want %v:\n%s", got, c.replica, node.trace(t))
			}
		})
	}
}

// Case 29 (operator): two pods on one claim never run two servers. The lock lasts as long as the server, whatever ends
// it.
func TestSecondServerWaitsForTheFirst(t *testing.T) {
	node := newNode(t)
	first := node.start(t, "replica")
	node.waitFor(t, "start 1")
	node.start(t, "replica")
	node.waitFor(t, "waits 2")
	if !node.isLocked(t) {
		t.Error("the data directory is not locked while a server runs")
	}
	node.note(t, "killed 1")
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	node.waitFor(t, "start 2")
	if trace := node.trace(t); strings.Index(trace, "start 2") < strings.Index(trace, "killed 1") {
		t.Errorf("the second server did not wait:\n%s", trace)
	}
}

// Case 29 (operator): one that waits for the lock ends when it is told to, by itself: the first process of a container is not ended
// by a signal that it does not handle.
func TestServerThatWaitsEndsWhenItIsTold(t *testing.T) {
	node := newNode(t)
	node.start(t, "replica")
	node.waitFor(t, "start 1")
	second := node.start(t, "replica")
	node.waitFor(t, "waits 2")
	if err := second.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- second.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ends by %v, want by itself", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it goes on waiting")
	}
	if strings.Contains(node.trace(t), "start 2") {
		t.Error("it started its server")
	}
}

// A data directory that cannot be locked starts no server.
func TestNoServerWithoutTheLock(t *testing.T) {
	node := newNode(t)
	write(t, filepath.Join(node.dir, "flock"), "#!/bin/sh\nexit 1\n", 0o700)
	ended := make(chan error, 1)
	cmd := node.start(t, "primary")
	go func() { ended <- cmd.Wait() }()
	eventually(t, "the start line ends or a server starts", func() bool {
		return len(ended) > 0 || strings.Contains(node.trace(t), "start")
	})
	if len(ended) > 0 && <-ended == nil {
		t.Error("it ends well, so nobody would notice")
	}
	if strings.Contains(node.trace(t), "start") {
		t.Error("a server runs on a directory that is not locked")
	}
}

// node is a data directory and the programs that the start line calls. The server is a stand-in that notes its start
// and runs until it is killed.
type node struct {
	dir    string
	starts int
}

func newNode(t *testing.T) *node {
	t.Helper()
	flock, err := exec.LookPath("flock")
	if err != nil {
		t.Fatalf("the start line needs flock (util-linux): %v", err)
	}
	n := &node{dir: t.TempDir()}
	n.note(t, "")
	write(t, filepath.Join(n.dir, "valkey-server"), "#!/bin/sh\necho \"start $START $*\" >>\"$DIR/trace\"\nexec sleep 600\n", 0o700)
	write(t, filepath.Join(n.dir, "flock"), "#!/bin/sh\necho \"waits $START\" >>\"$DIR/trace\"\nexec "+flock+" \"$@\"\n", 0o700)
	return n
}

func (n *node) start(t *testing.T, boot string) *exec.Cmd {
	t.Helper()
	n.starts++
	cmd := inDir(t, n.dir, serverContainer().Command, map[string]string{"/data": n.dir})
	cmd.Env = append(cmd.Env, "VALKEY_BOOT="+boot, fmt.Sprintf("START=%d", n.starts))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended, and somebody else may wait for it
		_ = cmd.Wait()
	})
	return cmd
}

func (n *node) trace(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(n.dir, "trace"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (n *node) note(t *testing.T, line string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(n.dir, "trace"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func (n *node) waitFor(t *testing.T, words string) {
	t.Helper()
	eventually(t, words, func() bool { return strings.Contains(n.trace(t), words) })
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain: %s", what)
		case <-tick.C:
		}
	}
}

// isLocked says whether somebody holds the lock.
func (n *node) isLocked(t *testing.T) bool {
	t.Helper()
	f, err := os.Open(filepath.Join(n.dir, ".lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil
}

// inDir is a container's command line with the programs in dir first, and its paths moved to where the test may write.
func inDir(t *testing.T, dir string, line []string, moved map[string]string) *exec.Cmd {
	t.Helper()
	line = append([]string(nil), line...)
	for i := range line {
		for from, to := range moved {
			line[i] = strings.ReplaceAll(line[i], from, to)
		}
	}
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"), "DIR=" + dir}
	return cmd
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
