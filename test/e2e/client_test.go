//go:build e2e

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// conn is a client as bare as can be: no pool, no retry, so that each reply is known to belong to its command.
type conn struct {
	net.Conn
	r *bufio.Reader
}

// refusal is an error reply of a server: the command was not carried out.
type refusal string

func (r refusal) Error() string { return string(r) }

// dial logs in as the admin.
func dial(addr string, timeout time.Duration) (*conn, error) {
	raw, err := net.DialTimeout("tcp", addr, timeout)
	if err != nil {
		return nil, err
	}
	c := &conn{raw, bufio.NewReader(raw)}
	if _, err := c.do(timeout, "AUTH", user, password); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *conn) close() { _ = c.Close() }

// do sends a command and reads its reply, see https://valkey.io/topics/protocol/.
func (c *conn) do(timeout time.Duration, command ...string) (string, error) {
	if err := c.SetDeadline(time.Now().Add(timeout)); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(command))
	for _, word := range command {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(word), word)
	}
	if _, err := io.WriteString(c.Conn, b.String()); err != nil {
		return "", err
	}
	return c.reply()
}

// reply is a reply as text; an array's elements stand on lines of their own.
func (c *conn) reply() (string, error) {
	line, err := c.r.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", errors.New("empty reply")
	}
	kind, rest := line[0], line[1:]
	switch kind {
	case '+', ':':
		return rest, nil
	case '-':
		return "", refusal(rest)
	case '$', '*':
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 {
			return "", err
		}
		if kind == '$' {
			text := make([]byte, n+2)
			if _, err := io.ReadFull(c.r, text); err != nil {
				return "", err
			}
			return string(text[:n]), nil
		}
		lines := make([]string, n)
		for i := range lines {
			if lines[i], err = c.reply(); err != nil {
				return "", err
			}
		}
		return strings.Join(lines, "\n"), nil
	default:
		return "", fmt.Errorf("unreadable reply %q", line)
	}
}
