package kube

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/resp"
)

const (
	// openTimeout bounds how long a session takes to begin.
	openTimeout = 10 * time.Second
	// docsTimeout bounds how long a server may take to tell its commands.
	docsTimeout = 10 * time.Second
	clientName  = "valkeyctl"
)

// docsLimits are enough for all commands of a server and its modules.
var docsLimits = resp.Limits{Bytes: 16 << 20, Items: 200_000}

// Session is a connection to one server of a Valkey, logged in as the Valkey's own user. One command at a time.
type Session struct {
	Node    string
	Role    v1alpha1.Role // when it began
	Version string

	client *Client
	conn   net.Conn
	reader *resp.Reader
}

// OpenSession connects to a node, or where it is empty to the primary. What of a reply is kept is within the limits.
func (c *Client) OpenSession(ctx context.Context, ref Ref, node string, limits resp.Limits) (*Session, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	login, err := c.Credentials(ctx, ref, User)
	if err != nil {
		return nil, err
	}
	server, err := c.server(ctx, ref, node)
	if err != nil {
		return nil, err
	}
	conn, err := c.DialPod(ctx, ref.Namespace, server.Pod)
	if err != nil {
		return nil, err
	}
	s := newSession(conn, limits)
	s.client, s.Node, s.Role = c, server.Name, server.Role
	if err := s.hello(ctx, login.User, login.Password); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// server is the node of the name, or the primary.
func (c *Client) server(ctx context.Context, ref Ref, node string) (Node, error) {
	servers, err := c.Servers(ctx, ref)
	if err != nil {
		return Node{}, err
	}
	return chosen(servers, ref, node)
}

func chosen(servers []Node, ref Ref, node string) (Node, error) {
	i := slices.IndexFunc(servers, func(n Node) bool {
		return n.Name == node || node == "" && n.Role == v1alpha1.RolePrimary && !n.Ending
	})
	switch {
	case i >= 0:
		return servers[i], nil
	case len(servers) == 0:
		return Node{}, problem(ClassNotFound, "valkey "+quote(ref.Name)+" has no server now", "")
	case node == "":
		return Node{}, problem(ClassNotFound, "valkey "+quote(ref.Name)+" has no primary now", "name a node, or wait")
	}
	names := make([]string, len(servers))
	for i := range servers {
		names[i] = servers[i].Name
	}
	return Node{}, problem(ClassNotFound, "valkey "+quote(ref.Name)+" has no node "+quote(node), "it has "+strings.Join(names, ", "))
}

func newSession(conn net.Conn, limits resp.Limits) *Session {
	return &Session{conn: conn, reader: resp.NewReader(conn, limits)}
}

// hello logs in and asks for typed replies.
func (s *Session) hello(ctx context.Context, user, password string) error {
	v, err := s.Do(ctx, []string{"HELLO", "3", "AUTH", user, password, "SETNAME", clientName}, nil)
	switch {
	case err != nil:
		return err
	case v.IsError():
		return problem(ClassCredentials, "the server refuses the login of user "+quote(user)+": "+oneLine(v.Text), "")
	}
	v.Pairs(func(key string, value resp.Value) {
		switch {
		case key == "version":
			s.Version = clean.Text(value.Text)
		case key == "role" && value.Text == "master":
			s.Role = v1alpha1.RolePrimary
		case key == "role":
			s.Role = v1alpha1.RoleReplica
		}
	})
	return nil
}

// Do gives a command and returns its reply; an error reply is a reply. What comes beside it, as messages of a subscription, is
// given to each. A command that streams has no reply: it ends with ctx. After an error the session is of no more use; so it is where ctx
// ends before the reply is there.
func (s *Session) Do(ctx context.Context, words []string, each func(resp.Value)) (resp.Value, error) {
	if why := resp.Unanswered(words); why != "" {
		return resp.Value{Kind: resp.Error, Text: "ERR not here: " + why}, nil
	}
	defer s.endWith(ctx)()
	if _, err := s.conn.Write(resp.AppendCommand(nil, words)); err != nil {
		return resp.Value{}, s.failed(ctx, err)
	}
	streams, byPush := resp.Streams(words), resp.AnswersByPush(words)
	for {
		v, err := s.reader.Read()
		switch {
		case err != nil:
			return resp.Value{}, s.failed(ctx, err)
		case byPush && v.Kind == resp.Push, !streams && v.Kind != resp.Push, streams && v.IsError():
			return v, nil
		case each != nil:
			each(v)
		}
	}
}

// endWith ends what is read or written as soon as ctx ends. The returned function takes that back.
func (s *Session) endWith(ctx context.Context) (stop func()) {
	var once sync.Mutex
	over := false
	stopWatch := context.AfterFunc(ctx, func() {
		once.Lock()
		defer once.Unlock()
		if !over {
			_ = s.conn.SetDeadline(time.Unix(1, 0)) // a connection that has none is closed by the caller
		}
	})
	return func() {
		stopWatch()
		once.Lock()
		defer once.Unlock()
		over = true
	}
}

func (s *Session) failed(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return explained(ctx.Err())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe):
		return problem(ClassUnreachable, "the server has closed the connection", "").cleaned(err)
	default:
		return explained(err)
	}
}

// Where is the node that it leads to, and its role when it began.
func (s *Session) Where() (node string, role v1alpha1.Role) { return s.Node, s.Role }

// Close ends the connection.
func (s *Session) Close() { _ = s.conn.Close() }

// commandsCache keeps what servers told of their commands, by their version.
type commandsCache struct {
	mu    sync.Mutex
	known map[string]resp.Commands
}

var cachedCommands = commandsCache{known: map[string]resp.Commands{}}

// Commands are the commands that the server knows. They are asked for once for each version.
func (s *Session) Commands(ctx context.Context) (resp.Commands, error) {
	cachedCommands.mu.Lock()
	known := cachedCommands.known[s.Version]
	cachedCommands.mu.Unlock()
	if known != nil {
		return known, nil
	}
	ctx, cancel := context.WithTimeout(ctx, docsTimeout)
	defer cancel()
	wide := &Session{conn: s.conn, reader: s.reader.With(docsLimits)}
	info, err := wide.Do(ctx, []string{"COMMAND"}, nil)
	if err != nil {
		return nil, err
	}
	docs, err := wide.Do(ctx, []string{"COMMAND", "DOCS"}, nil)
	if err != nil {
		return nil, err
	}
	all := resp.ParseCommands(info, docs)
	if len(all) > 0 && s.Version != "" {
		cachedCommands.mu.Lock()
		cachedCommands.known[s.Version] = all
		cachedCommands.mu.Unlock()
	}
	return all, nil
}
