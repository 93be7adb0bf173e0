//go:build e2e

package e2e

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// TestDashboardAtTheServers gives Valkey commands and runs a shell: on the primary, on a replica, in a pod. The terminal is whole again after each.
func TestDashboardAtTheServers(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 2, withoutVolume))
	s.waitLinked(1)
	primary, replica := s.primary(), &s.replicas()[0]
	m := openTerminal(t, "--namespace", s.Namespace)
	m.sees("● running")

	node := m.sitsDown(s, primary)
	m.gives("SET k v", "OK")
	m.gives("WAIT 1 0", "(integer) 1")
	m.gives("FLUSHALL", "FLUSHALL is dangerous. Do it on "+node+"?")
	m.gives("n", "connected")
	m.gives("GET k", `"v"`)
	m.types("quit" + enterKey)
	m.sees("1 Valkey")

	node = m.sitsDown(s, replica)
	m.gives("GET k", `"v"`)
	m.gives("SET k w", node+" is a replica: what is written there is lost")
	m.gives("n", "connected")
	m.gives("SET k w", "yes or no?")
	m.gives("y", "READONLY")
	m.types(escKey)
	m.sees("1 Valkey")
	if got := s.mustAsk(address(primary), "GET", "k"); got != "v" {
		t.Errorf("the key is %q", got)
	}

	m.types("x")
	m.sees("Shell in a server of "+s.String(), "x-node-"+strconv.Itoa(nodeOf(t, replica))+"  replica")
	m.types(digit(t, replica))
	m.sees("exit leaves it")
	m.types(whenSized("40 120"))
	m.sees("40 120 in " + replica.Name)
	m.resize(100, 30)
	m.types(whenSized("30 100"))
	m.sees("30 100 in " + replica.Name)
	m.types("exit 3\r")
	m.seesDashboard()
	m.types("/") // the next key is the dashboard's
	m.types("nobody" + enterKey)
	m.sees("Nothing matches /nobody")
	m.quits()
}

// whenSized is a line for a shell, which says where it runs as soon as its terminal has a size.
func whenSized(size string) string {
	return `until [ "$(stty size)" = "` + size + `" ]; do sleep 0.1; done; echo $(stty size) in $HOSTNAME` + "\r"
}

// digit is the key that chooses a server from a list of all.
func digit(t *testing.T, p *corev1.Pod) string { return strconv.Itoa(nodeOf(t, p) + 1) }

// sitsDown opens the console of a server, and returns the server's name.
func (m *terminal) sitsDown(s subject, p *corev1.Pod) string {
	m.t.Helper()
	node, role := s.get().NodeName(nodeOf(m.t, p)), "primary"
	if p.UID != s.primary().UID {
		role = "replica"
	}
	m.types("v")
	m.sees("Console of "+s.String(), node+"  "+role)
	m.types(digit(m.t, p))
	m.sees("Console  "+s.String(), node+" "+role+">", "connected")
	return node
}

// gives gives a command in a console, or answers its question, and sees what comes of it.
func (m *terminal) gives(line, want string) {
	m.t.Helper()
	m.types(line + enterKey)
	m.sees(want)
}

// TestDashboardForwardAndLogs leads a port to the primary through a failover, and follows the logs of all servers through the restart of a
// container and of all pods.
func TestDashboardForwardAndLogs(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 2))
	s.waitLinked(1)
	logs := openTerminal(t, "--namespace", s.Namespace)
	logs.sees("● running")
	logs.types("l")
	logs.sees("Logs  "+s.String(), "following")
	m := openTerminal(t, "--namespace", s.Namespace)
	m.sees("● running")

	m.forwardsThroughAFailover(s)

	s.waitLinked(1)
	replica := s.replicas()[0]
	signal(t, &replica, syscall.SIGKILL)
	eventually(t, "its container has restarted", func() string {
		for _, p := range s.pods() {
			if p.UID == replica.UID && p.Status.ContainerStatuses[0].RestartCount == 1 {
				return ""
			}
		}
		return "it has not"
	})
	s.waitLinked(1)
	s.waitRunning()
	logs.hasAllLines(s)

	before := s.pods()
	m.types("R")
	m.sees("Restart "+s.String(), "Rolls 2 servers: replicas first", "● ready  primary", "● ready  replica")
	m.types(enterKey)
	eventually(t, "the restart is under way", func() string {
		text := m.screen.String()
		if strings.Contains(text, "look again") { // the status was written between the look and the key
			m.types(enterKey)
		}
		if !strings.Contains(text, "under way") {
			return text
		}
		return ""
	})
	m.sees("restarts", "waits; hands over first")
	m.sees("all run anew, after")
	s.waitRunning()
	for _, p := range s.pods() {
		if slices.ContainsFunc(before, func(old corev1.Pod) bool { return old.UID == p.UID }) {
			t.Errorf("%s runs still", p.Name)
		}
	}
	logs.hasAllLines(s)
	m.types(enterKey)
	m.seesWhatTheOperatorLogs(s)
	m.quits()
}

// seesWhatTheOperatorLogs looks at what the operator has logged of a Valkey that it has just handed over.
func (m *terminal) seesWhatTheOperatorLogs(s subject) {
	m.t.Helper()
	valkeyctl(m.t, "failover", s.Name, "--namespace", s.Namespace)
	m.types("dO")
	m.sees("Logs  the operator", "&"+s.String(), "carried out")
	m.types("q")
	m.sees("1 Overview")
	m.types("q")
	m.sees("1 Valkey")
}

// forwardsThroughAFailover asks the primary over a port of this machine, behind the other screens, until the port is closed.
func (m *terminal) forwardsThroughAFailover(s subject) {
	m.t.Helper()
	m.types("F")
	m.sees("Port-forward to "+s.String(), "the primary")
	m.types(enterKey)
	m.sees("local port for " + s.String())
	m.types(enterKey)
	from, primary := s.get().Status.Primary, s.primary()
	m.sees("leads to " + from)
	local := m.finds(`127\.0\.0\.1:\d+`)
	through := s.waitReached(local, primary)
	defer through.close()

	m.types(escKey)
	m.sees("1 Valkey")
	m.types("f")
	m.sees("Fail over "+s.String(), "behind  best")
	m.types(enterKey)
	m.sees("is the primary now")
	m.types(enterKey + "P")
	m.sees("Port-forwards", local, "moved from "+from)
	s.waitReached(local, s.primary()).close()
	if _, err := through.do(time.Second, "PING"); err == nil {
		m.t.Error("a connection to the old primary is still open")
	}

	m.types(ctrlD)
	m.sees("No port leads anywhere now")
	if c, err := net.Dial("tcp", local); err == nil {
		_ = c.Close()
		m.t.Errorf("%s still answers", local)
	}
	m.types(escKey)
	m.sees("1 Valkey")
}

// waitReached connects to a local address until it leads to the server of a pod, logs in and returns the connection.
func (s subject) waitReached(local string, pod *corev1.Pod) *conn {
	s.t.Helper()
	want := runID(s.mustAsk(address(pod), "INFO", "server"))
	var reached *conn
	eventually(s.t, local+" leads to "+pod.Name, func() string {
		c, err := dial(local, time.Second)
		if err != nil {
			return err.Error()
		}
		pong, err := c.do(time.Second, "PING")
		if err == nil && pong == "PONG" {
			if text, err := c.do(time.Second, "INFO", "server"); err == nil && runID(text) == want {
				reached = c
				return ""
			}
		}
		c.close()
		return "another server answers, or none: " + pong
	})
	return reached
}

func runID(info string) string {
	_, rest, _ := strings.Cut(info, "run_id:")
	id, _, _ := strings.Cut(rest, "\r\n")
	return id
}

// hasAllLines saves what a screen of logs shows, and compares it with what each server has written: every line is there, once and in its order. What is
// older is of the pods before: their last words may come between.
func (m *terminal) hasAllLines(s subject) {
	m.t.Helper()
	for _, pod := range s.pods() {
		want := linesOf(m.t, &pod)
		first := written(m.t, want[0])
		var got []string
		eventually(m.t, "the logs reach the last line of "+pod.Name, func() string {
			got = slices.DeleteFunc(m.savedLines(nodeOf(m.t, &pod)), func(line string) bool { return written(m.t, line).Before(first) })
			if !slices.Contains(got, want[len(want)-1]) {
				return "it is not among them"
			}
			return ""
		})
		if diff := cmp.Diff(want, got[:min(len(want), len(got))]); diff != "" {
			m.t.Errorf("the log of %s (-written +shown):\n%s", pod.Name, diff)
		}
	}
}

// linesOf are the lines that a server has written, with their times, in the container that runs and in the one before it.
func linesOf(t *testing.T, pod *corev1.Pod) []string {
	t.Helper()
	args := []string{"logs", "--timestamps", "--namespace", pod.Namespace, pod.Name}
	out := ""
	if pod.Status.ContainerStatuses[0].RestartCount > 0 {
		out = kubectl(t, append(args, "--previous")...)
	}
	out += kubectl(t, args...)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for i := range lines {
		at, text, _ := strings.Cut(lines[i], " ")
		lines[i] = timed(t, at, text)
	}
	return lines
}

// written is when a line was.
func written(t *testing.T, line string) time.Time {
	t.Helper()
	at, _, _ := strings.Cut(line, " ")
	when, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		t.Fatalf("%v in %q", err, line)
	}
	return when
}

// timed is a line with its time as all are compared.
func timed(t *testing.T, at, text string) string {
	t.Helper()
	return written(t, at).UTC().Format(time.RFC3339Nano) + " " + text
}

func kubectl(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "kubectl", args...).Output()
	if err != nil {
		t.Fatalf("kubectl %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// savedLines are the lines of a node that are shown, by way of a file; what the dashboard itself says among them is left out.
func (m *terminal) savedLines(node int) []string {
	m.t.Helper()
	path := filepath.Join(m.t.TempDir(), "x.log")
	m.types(ctrlS)
	m.sees("save to: ")
	m.types(ctrlU + path + enterKey)
	m.sees("lines are saved in ")
	data, err := os.ReadFile(path)
	if err != nil {
		m.t.Fatal(err)
	}
	var lines []string
	label := "[node-" + strconv.Itoa(node) + "] "
	for line := range strings.Lines(string(data)) {
		at, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		text, isOf := strings.CutPrefix(rest, label)
		if isOf && text != "the container has restarted" && text != "the pod is gone" {
			lines = append(lines, timed(m.t, at, text))
		}
	}
	return lines
}
