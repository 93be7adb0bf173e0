package valkey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	valkeygo "github.com/valkey-io/valkey-go"

	"kuberly.io/valkey-operator/operator/valkey/info"
)

// ErrGone is what an error is wrapped in where nothing listens on the server's port: the process is not there.
var ErrGone = errors.New("nothing listens there")

// ErrLogin is what a server's refusal of the login is wrapped in.
var ErrLogin = errors.New("the server refuses the operator's login")

// User is a user of a server with the rules of its access control list.
type User struct {
	Name  string
	Rules []string
}

// Observe asks a server for its state. A server that is loading its data answers too.
func (c *Clients) Observe(ctx context.Context, t Target, login Login) (info.Server, error) {
	var seen info.Server
	err := c.with(ctx, t, login, func(ctx context.Context, v *client) error {
		text, err := v.Do(ctx, v.B().Info().Section(info.Sections...).Build()).ToString()
		if err != nil {
			return err
		}
		seen = info.Parse(text)
		return nil
	})
	if err != nil {
		return seen, fmt.Errorf("observe: %w", classify(err))
	}
	return seen, nil
}

// Promote makes a server a primary; it keeps its data. It takes writes at once: a fence from an earlier time would
// refuse them until a replica follows.
func (c *Clients) Promote(ctx context.Context, t Target, login Login) error {
	return c.do(ctx, t, login, setFence("0"), []string{"REPLICAOF", "NO", "ONE"})
}

// Follow makes a server a replica of host:port. What it holds that the primary does not is gone then.
func (c *Clients) Follow(ctx context.Context, t Target, login Login, host, port string) error {
	return c.do(ctx, t, login, []string{"REPLICAOF", host, port})
}

// Fence makes a primary refuse writes that no replica acknowledges, or lets it take them.
func (c *Clients) Fence(ctx context.Context, t Target, login Login, fenced bool) error {
	if fenced {
		return c.do(ctx, t, login, setFence("1"))
	}
	return c.do(ctx, t, login, setFence("0"))
}

func setFence(replicas string) []string {
	return []string{"CONFIG", "SET", "min-replicas-to-write", replicas}
}

// DropClients closes the connections of all clients but this one: those of a demoted primary have to come back by the
// Service, which leads to the new one.
func (c *Clients) DropClients(ctx context.Context, t Target, login Login) error {
	return c.do(ctx, t, login, dropClients)
}

var dropClients = []string{"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}

// Abort ends a handover that is under way; the server is the primary then.
func (c *Clients) Abort(ctx context.Context, t Target, login Login) error {
	return c.do(ctx, t, login, []string{"FAILOVER", "ABORT"})
}

// do gives a server orders, one after the other, until one is refused.
func (c *Clients) do(ctx context.Context, t Target, login Login, orders ...[]string) error {
	return c.with(ctx, t, login, func(ctx context.Context, v *client) error {
		for _, words := range orders {
			if err := v.Do(ctx, v.B().Arbitrary(words...).Build()).Error(); err != nil {
				return fmt.Errorf("%s: %w", strings.ToLower(words[0]), classify(err))
			}
		}
		return nil
	})
}

// SetUsers makes the users of the server just those given: others are removed, rules are replaced. It does nothing
// where this process told this very start of the server (runID) the same before; it says whether it did.
func (c *Clients) SetUsers(ctx context.Context, t Target, login Login, runID string, users []User) (bool, error) {
	want := toldUsers{runID: runID, users: fingerprint(users)}
	c.mu.Lock()
	known := c.told[t.ID] == want
	c.mu.Unlock()
	if known {
		return false, nil
	}
	err := c.with(ctx, t, login, func(ctx context.Context, v *client) error { return setUsers(ctx, v, users) })
	if err != nil {
		return false, fmt.Errorf("set users: %w", classify(err))
	}
	c.mu.Lock()
	c.told[t.ID] = want
	c.mu.Unlock()
	return true, nil
}

func setUsers(ctx context.Context, v *client, users []User) error {
	// A user that exists is set in one step, so nobody is locked out between two rules.
	for _, u := range users {
		if err := v.Do(ctx, v.B().AclSetuser().Username(u.Name).Rule(u.Rules...).Build()).Error(); err != nil {
			return fmt.Errorf("user %s: %w", u.Name, err)
		}
	}
	have, err := v.Do(ctx, v.B().AclUsers().Build()).AsStrSlice()
	if err != nil {
		return err
	}
	for _, name := range have {
		if name == "default" || slices.ContainsFunc(users, func(u User) bool { return u.Name == name }) {
			continue
		}
		if err := v.Do(ctx, v.B().AclDeluser().Username(name).Build()).Error(); err != nil {
			return fmt.Errorf("user %s: %w", name, err)
		}
	}
	return nil
}

func fingerprint(users []User) string {
	var b strings.Builder
	for _, u := range users {
		b.WriteString(u.Name + " " + strings.Join(u.Rules, " ") + "\n")
	}
	return b.String()
}

func classify(err error) error {
	// Through the API server the kubelet's words are all there is.
	if errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "connection refused") {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	var refusal *valkeygo.ValkeyError
	if errors.As(err, &refusal) {
		text := refusal.Error()
		if strings.HasPrefix(text, "WRONGPASS") || strings.HasPrefix(text, "NOAUTH") {
			return fmt.Errorf("%w: %w", ErrLogin, err)
		}
	}
	return err
}
