package valkey

import (
	"bufio"
	"context"
	"io"
	"strings"
	"time"
)

// deposeTimeout bounds how long another's promotion waits for the word of a server that was given up. The kernel of its host
// takes the order at once, also while the server is frozen.
const deposeTimeout = 100 * time.Millisecond

// Depose has a primary that does not answer take no more writes, and sends its clients away: it is parked, as a server that
// starts. The order waits in the socket of a server that is frozen, and is carried out when that goes on; one that cannot be
// reached does not get it. Depose says whether the server answered after all and had been a primary until now: then nobody else
// has what it took since.
func (c *Clients) Depose(ctx context.Context, t Target, login Login) (served bool) {
	ctx, cancel := context.WithTimeout(ctx, deposeTimeout)
	defer cancel()
	conn, err := c.dialer.Dial(ctx, t)
	if err != nil {
		return false
	}
	defer closeIfOpen(conn)
	if err := conn.SetDeadline(time.Now().Add(deposeTimeout)); err != nil {
		return false
	}
	// In one piece, and by a connection of its own: that which is held may have been given up.
	order := words("AUTH", login.User, login.Password) + words("REPLICAOF", "127.0.0.1", "1") + words(dropClients...)
	if _, err := io.WriteString(conn, order); err != nil {
		return false
	}
	replies := bufio.NewReader(conn)
	if _, err := replies.ReadString('\n'); err != nil {
		return false
	}
	reply, err := replies.ReadString('\n')
	return err == nil && strings.TrimSpace(reply) == "+OK" // more is said where it was none: "+OK Already connected to specified master"
}
