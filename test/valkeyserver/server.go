package valkeyserver

import (
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kuberly.io/valkey-operator/test/output"
)

// patience is how long a server may take to start or to end.
const patience = time.Minute

// Server is one running process.
type Server struct {
	Host string
	Port int
	// Dir is the server's directory; a server that is started again there finds its data.
	Dir string

	bin   Bin
	cmd   *exec.Cmd
	ended chan struct{}
	log   *output.Buffer
}

// Options are the settings of a server.
type Options struct {
	// Host is a loopback address; 127.0.0.1 unless set.
	Host string
	// Port is a free one unless set.
	Port int
	// Dir is the test's own unless set.
	Dir string
	// Lines of valkey.conf.
	Lines []string
}

// Start starts a server and waits until it answers, were it only that it is loading. It ends with the test.
func (b Bin) Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := &Server{Host: o.Host, Port: o.Port, Dir: o.Dir, bin: b}
	if s.Host == "" {
		s.Host = "127.0.0.1"
	}
	if s.Port == 0 {
		s.Port = freePort(t, s.Host)
	}
	if s.Dir == "" {
		s.Dir = t.TempDir()
	}
	lines := append([]string{
		"port " + strconv.Itoa(s.Port), "bind " + s.Host, "dir " + s.Dir, "save \"\"", "repl-diskless-sync-delay 0",
		"replica-announce-ip " + s.Host,
	}, o.Lines...)
	conf := filepath.Join(s.Dir, "valkey.conf")
	if err := os.WriteFile(conf, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.start(t, Command(b.path("valkey-server"), conf))
	return s
}

func (s *Server) start(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	s.cmd, s.ended, s.log = cmd, make(chan struct{}), &output.Buffer{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.Dir, s.log, s.log
	if err := cmd.Start(); err != nil {
		t.Fatalf("valkey-server: %v", err)
	}
	go func() {
		defer close(s.ended)
		_ = cmd.Wait() // how it ended is in its log
	}()
	t.Cleanup(func() { s.Kill(t) })
	Eventually(t, "valkey-server answers", func() bool {
		select {
		case <-s.ended:
			t.Fatalf("valkey-server ended at its start:\n%s", s.log)
		default:
		}
		return Answers(s.Address())
	})
}

// Address is host:port.
func (s *Server) Address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// Log is what the server has written so far.
func (s *Server) Log() string { return s.log.String() }

// Kill ends the server at once, as a crash does. One that has ended is fine.
func (s *Server) Kill(t testing.TB) { t.Helper(); s.end(t, syscall.SIGKILL) }

// Stop ends the server as Kubernetes does.
func (s *Server) Stop(t testing.TB) { t.Helper(); s.end(t, syscall.SIGTERM) }

// Freeze stops the server without ending it: it keeps its connections and answers nothing, until Thaw.
func (s *Server) Freeze(t testing.TB) { t.Helper(); s.signal(t, syscall.SIGSTOP) }

// Thaw lets a frozen server go on.
func (s *Server) Thaw(t testing.TB) { t.Helper(); s.signal(t, syscall.SIGCONT) }

func (s *Server) end(t testing.TB, signal syscall.Signal) {
	t.Helper()
	s.signal(t, signal)
	select {
	case <-s.ended:
	case <-time.After(patience):
		t.Fatalf("valkey-server does not end:\n%s", s.log)
	}
}

func (s *Server) signal(t testing.TB, signal syscall.Signal) {
	t.Helper()
	select {
	case <-s.ended:
		return
	default:
	}
	if err := s.cmd.Process.Signal(signal); err != nil {
		select {
		case <-s.ended: // just now
		case <-time.After(patience):
			t.Fatalf("signal valkey-server: %v", err)
		}
	}
}

// CLI runs valkey-cli against the server and returns what it prints, refusals included.
func (s *Server) CLI(t testing.TB, words ...string) string {
	t.Helper()
	line := append([]string{"-h", s.Host, "-p", strconv.Itoa(s.Port), "--no-auth-warning"}, words...)
	out, err := exec.Command(s.bin.path("valkey-cli"), line...).CombinedOutput() //nolint:gosec // A test runs what it names.
	if err != nil && len(out) == 0 {
		t.Fatalf("valkey-cli: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// Answers says whether a server at address answers, whatever it says.
func Answers(address string) bool {
	c, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return false
	}
	defer func() { _ = c.Close() }()
	if err := c.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return false
	}
	if _, err := c.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	n, err := c.Read(make([]byte, 1))
	return err == nil && n == 1
}

// Host is a loopback address at which nobody listens on port: where servers have to have one port, they differ in their
// addresses. All of 127.0.0.0/8 is loopback on Linux; elsewhere the addresses have to be given to lo0 first.
func Host(t testing.TB, port int) string {
	t.Helper()
	for range 50 {
		host := net.IPv4(127, byte(1+rand.IntN(254)), byte(rand.IntN(256)), byte(1+rand.IntN(254))).String() //nolint:gosec // No secret.
		if l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port))); err == nil {
			_ = l.Close()
			return host
		}
	}
	t.Fatalf("no address in 127.0.0.0/8 with a free port %d", port)
	return ""
}

func freePort(t testing.TB, host string) int {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// Eventually waits until a condition holds, and fails the test where it does not.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("waited %s in vain: %s", patience, what)
		case <-tick.C:
		}
	}
}
