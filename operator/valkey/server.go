package valkey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"

	"kuberly.io/valkey-operator/operator/valkey/info"
)

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

// Promote makes a server a primary; it keeps its data.
func (c *Clients) Promote(ctx context.Context, t Target, login Login) error {
	return c.do(ctx, t, login, "REPLICAOF", "NO", "ONE")
}

// Follow makes a server a replica of host:port. What it holds that the primary does not is gone then.
func (c *Clients) Follow(ctx context.Context, t Target, login Login, host, port string) error {
	return c.do(ctx, t, login, "REPLICAOF", host, port)
}

// Park makes a server nobody's replica: it serves no write and spreads nothing.
func (c *Clients) Park(ctx context.Context, t Target, login Login) error {
	return c.do(ctx, t, login, "REPLICAOF", "127.0.0.1", "1")
}

// HandOver asks a primary to change places with its replica at host:port, losing no write: it stops writes, waits until
// the replica has all, and becomes its replica. It gives up after timeout and goes on as primary. The command returns
// at once; FailoverState says how far it is. See https://valkey.io/commands/failover/.
func (c *Clients) HandOver(ctx context.Context, t Target, login Login, host, port string, timeout time.Duration) error {
	ms := strconv.FormatInt(timeout.Milliseconds(), 10)
	return c.do(ctx, t, login, "FAILOVER", "TO", host, port, "TIMEOUT", ms)
}

func (c *Clients) do(ctx context.Context, t Target, login Login, words ...string) error {
	err := c.with(ctx, t, login, func(ctx context.Context, v *client) error {
		return v.Do(ctx, v.B().Arbitrary(words...).Build()).Error()
	})
	if err != nil {
		return fmt.Errorf("%s: %w", strings.ToLower(words[0]), classify(err))
	}
	return nil
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
	if refusal, ok := valkeygo.IsValkeyErr(err); ok {
		text := refusal.Error()
		if strings.HasPrefix(text, "WRONGPASS") || strings.HasPrefix(text, "NOAUTH") {
			return fmt.Errorf("%w: %w", ErrLogin, err)
		}
	}
	return err
}
