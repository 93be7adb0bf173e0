package console

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/output"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/resp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is a server that notes what it was told; BLPOP never answers.
type server struct {
	role v1alpha1.Role

	mu     sync.Mutex
	did    []string
	opened int
	waits  chan struct{}
}

func (s *server) Do(ctx context.Context, words []string, _ func(resp.Value)) (resp.Value, error) {
	s.mu.Lock()
	s.did = append(s.did, strings.Join(words, " "))
	s.mu.Unlock()
	if strings.EqualFold(words[0], "blpop") {
		close(s.waits)
		<-ctx.Done()
		return resp.Value{}, ctx.Err()
	}
	return resp.Value{Kind: resp.String, Text: "reply to " + words[0] + "\x1b[2J"}, nil
}

func (s *server) Commands(context.Context) (resp.Commands, error) {
	return resp.Commands{}, errors.New("no rights")
}

func (s *server) Where() (string, v1alpha1.Role) { return "app-node-0", s.role }
func (s *server) Close()                         {}

// sit runs a console; types types, and the returned function ends it.
func sit(t *testing.T, s *server, readOnly bool, sizes ...kube.Size) (types func(string), out *output.Buffer, ends func()) {
	t.Helper()
	in, keys := io.Pipe()
	out = &output.Buffer{}
	s.waits = make(chan struct{})
	changes := make(chan kube.Size)
	c := Console{
		Open: func(context.Context) (Session, error) { s.mu.Lock(); defer s.mu.Unlock(); s.opened++; return s, nil },
		Keys: in, Out: out, ReadOnly: readOnly, Sizes: changes,
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Run(t.Context()) }()
	// Of two that are alike the second one is taken when the first one is in force.
	for _, size := range append([]kube.Size{{Width: 200, Height: 30}, {Width: 200, Height: 30}}, sizes...) {
		changes <- size
	}
	types = func(text string) {
		t.Helper()
		if _, err := io.WriteString(keys, text); err != nil {
			t.Fatal(err)
		}
	}
	return types, out, func() {
		t.Helper()
		types("quit\r")
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("it ends with %v", err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("quit does not end it; the screen is\n%s", out)
		}
		_ = keys.Close()
		close(changes)
	}
}

// A line that is typed is broken where the terminal ends now, so that editing it hits the right place.
func TestTheTerminalIsResized(t *testing.T) {
	narrow := kube.Size{Width: 30, Height: 20}
	types, out, ends := sit(t, &server{role: v1alpha1.RolePrimary}, false, narrow, narrow)
	types("GET " + strings.Repeat("a", 36) + "\r")
	ends()
	if prompt := "app-node-0 primary> "; !strings.Contains(out.String(), prompt+"GET aaaaaa\r\n"+strings.Repeat("a", 30)) {
		t.Errorf("the screen is\n%q", out)
	}
}

func TestDangerIsAskedAbout(t *testing.T) {
	s := &server{role: v1alpha1.RolePrimary}
	types, out, ends := sit(t, s, false)
	types("GET k\r" + "FLUSHALL\rn\r" + "FLUSHALL\ry\r" + "ACL SETUSER x >hunter2\r\r")
	ends()
	if want := []string{"GET k", "FLUSHALL"}; !slices.Equal(s.did, want) {
		t.Errorf("it did %q\n%s", s.did, out)
	}
	text := out.String()
	if !strings.Contains(text, `"reply to GET\x1b[2J"`) || strings.Count(text, "what FLUSHALL does is not known. Do it on app-node-0?") != 2 {
		t.Errorf("the screen is\n%s", text)
	}
}

func TestReadOnlyRefuses(t *testing.T) {
	s := &server{role: v1alpha1.RolePrimary}
	types, out, ends := sit(t, s, true)
	types("DEL k\rGET k\r")
	ends()
	if want := []string{"GET k"}; !slices.Equal(s.did, want) || !strings.Contains(out.String(), "read-only: what DEL does is not known, and nothing can be changed") {
		t.Errorf("it did %q\n%s", s.did, out)
	}
}

func TestControlCStopsWhatNeverEnds(t *testing.T) {
	s := &server{role: v1alpha1.RolePrimary}
	types, out, ends := sit(t, s, false)
	types("BLPOP k 0\ry\r")
	<-s.waits
	types("\x03GET k\r")
	ends()
	if want := []string{"BLPOP k 0", "GET k"}; !slices.Equal(s.did, want) || !strings.Contains(out.String(), "stopped; the connection is made anew") || s.opened < 2 {
		t.Errorf("it did %q, connected %d times\n%s", s.did, s.opened, out)
	}
}

func TestWritesOnAReplicaAreAskedAbout(t *testing.T) {
	s := &server{role: v1alpha1.RoleReplica}
	c := Console{session: s, commands: resp.ParseCommands(resp.Value{Items: []resp.Value{{Items: []resp.Value{
		{Text: "set"}, {}, {Items: []resp.Value{{Text: "write"}}}, {}, {}, {}, {},
	}}}}, resp.Value{})}
	if c.commands.Effect([]string{"set"}) != resp.Writes {
		t.Fatal("SET does not write")
	}
	in, keys := io.Pipe()
	c.Keys, c.Out = in, io.Discard
	c.Open = func(context.Context) (Session, error) { return s, nil }
	c.session = nil
	ended := make(chan error, 1)
	go func() { ended <- c.Run(t.Context()) }()
	if _, err := io.WriteString(keys, "SET k v\rn\rSET k w\ry\rquit\r"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || !slices.Equal(s.did, []string{"SET k w"}) {
		t.Errorf("it did %q, %v", s.did, err)
	}
	_ = keys.Close()
}

func TestWhatComesNextBeginsALine(t *testing.T) {
	in, keys := io.Pipe()
	out := &output.Buffer{}
	s := &server{role: v1alpha1.RolePrimary}
	c := Console{Keys: in, Out: out, Open: func(context.Context) (Session, error) { return s, nil }}
	ended := make(chan error, 1)
	go func() { ended <- c.Run(t.Context()) }()
	if _, err := io.WriteString(keys, "\x04"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || !strings.HasSuffix(out.String(), "primary> \r\n") {
		t.Errorf("it ends with %v and the screen\n%q", err, out)
	}
	_ = keys.Close()
}

func TestHistoryKeepsNoPassword(t *testing.T) {
	h := &History{}
	for _, line := range []string{"GET k", "AUTH hunter2", "ACL SETUSER x >hunter2", "config set requirepass hunter2", "GET k", "SET k v", `"`} {
		h.Add(line)
	}
	if want := []string{"SET k v", "GET k"}; !slices.Equal(h.lines, want) || h.Len() != 2 || h.At(0) != "SET k v" {
		t.Errorf("it holds %q", h.lines)
	}
}

func TestNamesAreCompleted(t *testing.T) {
	c := &Console{commands: resp.Commands{"get": {Name: "get"}, "ping": {Name: "ping"}}}
	for line, want := range map[string]string{"p": "PING ", "ge": "GET ", "x": "x"} {
		if got, pos, ok := c.complete(line, len(line), '\t'); got != want || !ok || pos != len(want) {
			t.Errorf("%q becomes %q", line, got)
		}
	}
}
