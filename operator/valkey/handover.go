package valkey

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"kuberly.io/valkey-operator/operator/valkey/info"
)

// How often a handover under way is looked at: by connections that are held, and by way of the API server, where each
// look is a tunnel of its own. A client waits with its write for as long as the end of a handover is not seen.
const (
	attendGap       = 10 * time.Millisecond
	attendGapTunnel = 200 * time.Millisecond
)

// HandOver asks a primary to change places with a replica of it, losing no write: it stops writes, waits until the
// replica has all, and becomes its replica. It gives up after timeout and goes on as primary. HandOver returns once the
// primary has taken the order; its end, whichever it is, is told as news. See https://valkey.io/commands/failover/.
func (c *Clients) HandOver(ctx context.Context, t Target, login Login, to Target, timeout time.Duration) error {
	urged, err := c.urging(ctx, to, login)
	if err != nil {
		urged = nil // it takes up to a second longer
	}
	ms := strconv.FormatInt(timeout.Milliseconds(), 10)
	if err := c.do(ctx, t, login, []string{"FAILOVER", "TO", to.IP, strconv.Itoa(to.Port), "TIMEOUT", ms}); err != nil {
		closeIfOpen(urged)
		return err
	}
	c.attending.Go(func() {
		defer closeIfOpen(urged)
		c.attend(t, login, urged, timeout+commandTimeout)
	})
	return nil
}

// attend looks after a handover until it has ended, and tells of it.
func (c *Clients) attend(t Target, login Login, urged net.Conn, most time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	gap := attendGap
	if !c.dialer.Holds() {
		gap = attendGapTunnel
	}
	tick := time.NewTicker(gap)
	defer tick.Stop()
	for c.isHandingOver(ctx, t, login) {
		if urged != nil {
			_ = urge(urged) // if it cannot be had, the replica speaks within a second all the same
		}
		select {
		case <-c.closing:
			return
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	if c.news != nil {
		c.news(t)
	}
}

// isHandingOver says whether a server is still changing places. One that does not answer is for others to look at.
func (c *Clients) isHandingOver(ctx context.Context, t Target, login Login) bool {
	handingOver := false
	err := c.with(ctx, t, login, func(ctx context.Context, v *client) error {
		text, err := v.Do(ctx, v.B().Info().Section("replication").Build()).ToString()
		seen := info.Parse(text)
		handingOver = seen.HandingOver()
		return err
	})
	return err == nil && handingOver
}

// urging opens a connection to a replica to urge it by. It is one of its own, since what it says is answered by nothing,
// which would put the answers on a shared one out of step.
func (c *Clients) urging(ctx context.Context, t Target, login Login) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := c.dialer.Dial(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := authenticate(conn, login); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

func authenticate(conn net.Conn, login Login) error {
	if err := conn.SetDeadline(time.Now().Add(commandTimeout)); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, words("AUTH", login.User, login.Password)); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && !strings.HasPrefix(line, "+OK") {
		return ErrLogin
	}
	return err
}

// urge has a replica tell its primary how much it has got. By itself it does so once a second, and for so long a primary
// that hands over would take no write.
func urge(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(attendGap)); err != nil {
		return err
	}
	_, err := io.WriteString(conn, words("REPLCONF", "GETACK", "*"))
	return err
}

// words are a command as it goes over the wire, see https://valkey.io/topics/protocol/.
func words(of ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(of))
	for _, word := range of {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(word), word)
	}
	return b.String()
}

func closeIfOpen(conn net.Conn) {
	if conn != nil {
		_ = conn.Close()
	}
}
