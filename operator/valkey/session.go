package valkey

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"
)

const (
	// sessionTimeout bounds a session's connecting and each of its commands. It is longer than the operator's: a person
	// looks through an API server that may be far away.
	sessionTimeout = 5 * time.Second
	// sessionPing is how often a session that is at rest is pinged, so that one that died unseen is found.
	sessionPing = 15 * time.Second
)

// Session is one small connection to one server for a person who looks at it or speaks to it. It is held until it is
// closed, and nothing of it goes on after that. It may be used from any goroutine.
type Session struct{ client valkeygo.Client }

// OpenSession logs in over a connection that dial makes; name is what the server lists the client as. An error that the
// server's refusal of the login led to wraps ErrLogin, one of a port where nobody listens ErrGone.
func OpenSession(ctx context.Context, login Login, name string, dial func(context.Context) (net.Conn, error)) (*Session, error) {
	ctx, cancel := context.WithTimeout(ctx, sessionTimeout)
	defer cancel()
	var dialed atomic.Bool
	client, err := valkeygo.NewClient(valkeygo.ClientOption{
		InitAddress: []string{"server"}, // dial knows where it is
		DialCtxFn: func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) {
			// A session is one connection: whoever holds it decides whether to try again, and as whom.
			if dialed.Swap(true) {
				return nil, errSessionOver
			}
			return dial(ctx)
		},
		Dialer:              net.Dialer{Timeout: sessionTimeout, KeepAlive: sessionPing},
		ConnWriteTimeout:    sessionTimeout,
		Username:            login.User,
		Password:            login.Password,
		ClientName:          name,
		ForceSingleClient:   true,
		DisableCache:        true,
		DisableRetry:        true,
		AlwaysPipelining:    true, // reads all the time, so that the end of the connection is seen at once
		PipelineMultiplex:   -1,
		RingScaleEachConn:   ringScale,
		ReadBufferEachConn:  bufferBytes,
		WriteBufferEachConn: bufferBytes,
	})
	if err != nil {
		return nil, fmt.Errorf("connect: %w", classify(err))
	}
	return &Session{client: client}, nil
}

// errSessionOver is why a session whose connection broke does not come back.
var errSessionOver = errors.New("the connection is over")

// Do runs one command and returns its reply: nil, int64, float64, bool, string, []any or map[string]any. A refusal of the
// server is an error that IsRefusal knows; after any other error the session is of no more use.
func (s *Session) Do(ctx context.Context, words ...string) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, sessionTimeout)
	defer cancel()
	reply, err := s.client.Do(ctx, s.client.B().Arbitrary(words...).Build()).ToAny()
	if valkeygo.IsValkeyNil(err) {
		return nil, nil
	}
	if err != nil {
		return nil, classify(err)
	}
	if text, isText := reply.(string); isText && repliesWithText[strings.ToUpper(words[0])] {
		return strings.TrimPrefix(text, "txt:"), nil
	}
	return reply, nil
}

// repliesWithText are the commands that reply with text for people. In RESP3 it begins with its format, which the library
// leaves in; the value of a key may begin so, too, and stays as it is.
var repliesWithText = map[string]bool{"INFO": true, "CLIENT": true, "LATENCY": true, "MEMORY": true, "CLUSTER": true, "LOLWUT": true}

// Close ends the connection.
func (s *Session) Close() { s.client.Close() }

// IsRefusal says whether an error is the server's answer, so that the connection is sound.
func IsRefusal(err error) bool {
	var refusal *valkeygo.ValkeyError
	return errors.As(err, &refusal)
}
