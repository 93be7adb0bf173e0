package valkey

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"
)

const (
	// connectTimeout bounds a connection's start. A host that was cut off swallows packets: without a bound each
	// observation would wait for the kernel.
	connectTimeout = time.Second
	// commandTimeout bounds each command, and the answer to a ping.
	commandTimeout = time.Second
	// pingGap is how often a held connection is pinged. A server that froze is found after at most pingGap and
	// commandTimeout; that its process ended is told by the connection at once.
	pingGap = time.Second

	// The library's defaults of half a MiB each way and a ring of 1024 slots are for applications; an operator of a
	// thousand servers asks each a few short questions.
	bufferBytes = 4096
	ringScale   = 4
)

// Target is one server. ID tells two servers of one name apart: the UID of the pod.
type Target struct {
	ID string
	// Owner is the name of the Valkey that the server belongs to.
	Owner     string
	Namespace string
	Pod       string
	IP        string
	Port      int
}

// Login is a user of a server with its password.
type Login struct {
	User, Password string
}

// Dialer opens a connection to a server.
type Dialer interface {
	Dial(ctx context.Context, t Target) (net.Conn, error)
	// Holds says whether connections are worth keeping open.
	Holds() bool
}

// Clients keeps the connections to the servers. It is safe for concurrent use.
type Clients struct {
	dialer Dialer
	news   func(Target)
	// attending are the handovers that are looked after; closing ends that.
	attending sync.WaitGroup
	closing   chan struct{}
	closed    sync.Once
	ears      ears

	mu      sync.Mutex
	clients map[string]*client
	// told is what users each start of a server was last told to have, by ID; see SetUsers.
	told map[string]toldUsers
}

type client struct {
	valkeygo.Client
	login Login
}

type toldUsers struct {
	runID, users string
}

// NewClients returns Clients that connect through d. That a held connection broke, or that a handover ended, is told to
// news at once, from any goroutine; news must not block.
func NewClients(d Dialer, news func(Target)) *Clients {
	return &Clients{
		dialer: d, news: news, closing: make(chan struct{}), clients: map[string]*client{}, told: map[string]toldUsers{},
	}
}

// Forget closes the connections of all servers for which gone is true.
func (c *Clients) Forget(gone func(id string) bool) {
	for _, held := range c.forget(gone) {
		held.Close()
	}
}

// forget returns the connections that are to be closed. Close waits for the reader of a connection, and the reader may be
// about to tell of its end, for which it takes the lock: so nothing is closed while the lock is held.
func (c *Clients) forget(gone func(id string) bool) []*client {
	c.mu.Lock()
	defer c.mu.Unlock()
	var closing []*client
	for id, held := range c.clients {
		if gone(id) {
			closing = append(closing, held)
			delete(c.clients, id)
		}
	}
	for id := range c.told {
		if gone(id) {
			delete(c.told, id)
		}
	}
	return closing
}

// Close closes every connection, and looks after no handover any more.
func (c *Clients) Close() {
	c.closed.Do(func() { close(c.closing) })
	c.attending.Wait()
	c.Forget(func(string) bool { return true })
}

// with calls do with a connection to t, and drops the connection where it broke.
func (c *Clients) with(ctx context.Context, t Target, login Login, do func(context.Context, *client) error) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout+commandTimeout)
	defer cancel()
	held, err := c.take(ctx, t, login)
	if err != nil {
		return err
	}
	err = do(ctx, held)
	var refusal *valkeygo.ValkeyError
	if broken := err != nil && !errors.As(err, &refusal); broken || !c.dialer.Holds() {
		c.drop(t.ID, held)
	}
	return err
}

func (c *Clients) take(ctx context.Context, t Target, login Login) (*client, error) {
	c.mu.Lock()
	held := c.clients[t.ID]
	c.mu.Unlock()
	if held != nil && held.login == login {
		return held, nil
	}
	if held != nil {
		c.drop(t.ID, held)
	}
	opened, err := c.open(ctx, t, login)
	if err != nil {
		return nil, err
	}
	made := &client{Client: opened, login: login}
	kept := c.keep(t.ID, made)
	if kept != made { // somebody else was quicker
		opened.Close()
	}
	return kept, nil
}

// keep returns the connection that is held: made, or the one that was there already.
func (c *Clients) keep(id string, made *client) *client {
	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.clients[id]; other != nil {
		return other
	}
	c.clients[id] = made
	return made
}

func (c *Clients) drop(id string, held *client) {
	c.mu.Lock()
	if c.clients[id] == held {
		delete(c.clients, id)
	}
	c.mu.Unlock()
	held.Close()
}

func (c *Clients) open(ctx context.Context, t Target, login Login) (valkeygo.Client, error) {
	opened, err := valkeygo.NewClient(valkeygo.ClientOption{
		InitAddress: []string{net.JoinHostPort(t.IP, strconv.Itoa(t.Port))},
		DialCtxFn: func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) {
			dialCtx, cancel := context.WithTimeout(ctx, connectTimeout)
			defer cancel()
			conn, err := c.dialer.Dial(dialCtx, t)
			if err != nil {
				return nil, err
			}
			held := &heldConn{Conn: conn, heard: func() { c.ears.hear(addressOf(t), time.Now()) }}
			if c.dialer.Holds() {
				held.broken = func() { c.lost(t) }
			}
			return held, nil
		},
		Dialer:              net.Dialer{Timeout: connectTimeout, KeepAlive: pingGap},
		ConnWriteTimeout:    commandTimeout,
		Username:            login.User,
		Password:            login.Password,
		ClientName:          "valkey-operator",
		ForceSingleClient:   true,
		DisableCache:        true,
		DisableRetry:        true,
		AlwaysPipelining:    c.dialer.Holds(), // reads all the time, so that the end of a connection is seen at once
		PipelineMultiplex:   -1,
		RingScaleEachConn:   ringScale,
		ReadBufferEachConn:  bufferBytes,
		WriteBufferEachConn: bufferBytes,
	})
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return opened, nil
}

// lost tells of a connection that broke, unless it was this package that closed it.
func (c *Clients) lost(t Target) {
	c.mu.Lock()
	_, held := c.clients[t.ID]
	c.mu.Unlock()
	if held && c.news != nil {
		c.news(t)
	}
}

// heldConn notes when something comes, and tells once when reading fails.
type heldConn struct {
	net.Conn
	heard  func()
	once   sync.Once
	broken func() // nil where nobody is to be told
}

func (h *heldConn) Read(b []byte) (int, error) {
	n, err := h.Conn.Read(b)
	if n > 0 {
		h.heard()
	}
	if err != nil && h.broken != nil {
		h.once.Do(h.broken)
	}
	return n, err
}
