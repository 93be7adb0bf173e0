package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
)

// errNoLogin is what an error of reading the credentials is wrapped in.
var errNoLogin = errors.New("no login")

// loginError keeps the words of why there is no login.
type loginError struct{ reason error }

func (e *loginError) Error() string        { return e.reason.Error() }
func (e *loginError) Unwrap() error        { return e.reason }
func (e *loginError) Is(target error) bool { return target == errNoLogin }

// loginRetry is for how long it is not asked again for credentials that could not be had: the servers have one in common.
const loginRetry = 5 * time.Second

// login reads the observer's credentials once for all servers.
type login struct {
	cluster Cluster
	ref     kube.Ref

	mu    sync.Mutex
	known bool
	as    valkey.Login
	err   error
	tried time.Time
}

func (l *login) get(ctx context.Context) (valkey.Login, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known {
		return l.as, nil
	}
	if l.err != nil && time.Since(l.tried) < loginRetry {
		return valkey.Login{}, l.err
	}
	as, err := l.cluster.Credentials(ctx, l.ref, kube.Observer)
	if err != nil {
		if ctx.Err() == nil { // else it was only this server that is no longer looked at
			l.err, l.tried = &loginError{err}, time.Now()
		}
		return valkey.Login{}, &loginError{err}
	}
	l.as, l.known, l.err = as, true, nil
	return as, nil
}

// drop has credentials read anew that a server refused, unless that happened meanwhile.
func (l *login) drop(refused valkey.Login) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known && l.as == refused {
		l.known = false
	}
}

// wordsOf says for a person why a server cannot be looked at.
func wordsOf(err error) string {
	var timeout interface{ Timeout() bool }
	var known *kube.Problem
	switch {
	case errors.As(err, &known):
		return known.Error()
	case errors.Is(err, valkey.ErrLogin):
		return "the server refuses the observer's login: it is being set, or was changed by hand"
	case errors.Is(err, valkey.ErrGone):
		return "nothing listens on the server's port: it is starting, or has ended"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "the server does not answer in time"
	case valkey.IsRefusal(err):
		return "the server refuses to tell: " + clean.Text(err.Error())
	default:
		return clean.Text(fmt.Sprintf("the connection to the server broke: %v", err))
	}
}
