//go:build integration

package valkey_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/test/valkeyserver"
)

var observerLogin = valkey.Login{User: v1alpha1.UserObserver, Password: credentials.Observer}

func dial(s *valkeyserver.Server) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", s.Address())
	}
}

func TestSessionSpeaks(t *testing.T) {
	s := start(t, valkeyserver.Default(t), valkeyserver.Options{})
	before := goleak.IgnoreCurrent()
	session, err := valkey.OpenSession(t.Context(), observerLogin, "valkeyctl", dial(s))
	if err != nil {
		t.Fatal(err)
	}
	reply, err := session.Do(t.Context(), "PING")
	if err != nil || reply != "PONG" {
		t.Errorf("PING: %v, %v", reply, err)
	}
	reply, err = session.Do(t.Context(), "CLIENT", "LIST")
	if text, _ := reply.(string); err != nil || !strings.HasPrefix(text, "id=") || !strings.Contains(text, "name=valkeyctl") {
		t.Errorf("CLIENT LIST: %v, %v; want our name in it", reply, err)
	}
	// A refusal leaves the session in use.
	if _, err = session.Do(t.Context(), "CONFIG", "GET", "*"); !valkey.IsRefusal(err) {
		t.Errorf("CONFIG GET: %v, want a refusal: it shows a password", err)
	}
	if _, err = session.Do(t.Context(), "DBSIZE"); err != nil {
		t.Errorf("after a refusal: %v", err)
	}
	session.Close()
	goleak.VerifyNone(t, before)
}

func TestSessionEndsWithItsConnection(t *testing.T) {
	s := start(t, valkeyserver.Default(t), valkeyserver.Options{})
	session, err := valkey.OpenSession(t.Context(), observerLogin, "valkeyctl", dial(s))
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	s.Kill(t)
	valkeyserver.Eventually(t, "the end of the server is an error and no refusal", func() bool {
		_, err := session.Do(t.Context(), "PING")
		return err != nil && !valkey.IsRefusal(err)
	})
	if _, err := valkey.OpenSession(t.Context(), observerLogin, "valkeyctl", dial(s)); !errors.Is(err, valkey.ErrGone) {
		t.Errorf("a new one: %v, want %v", err, valkey.ErrGone)
	}
}

func TestSessionTellsAWrongLogin(t *testing.T) {
	s := start(t, valkeyserver.Default(t), valkeyserver.Options{})
	wrong := valkey.Login{User: v1alpha1.UserObserver, Password: "WRONGSECRET"}
	_, err := valkey.OpenSession(t.Context(), wrong, "valkeyctl", dial(s))
	if !errors.Is(err, valkey.ErrLogin) || strings.Contains(err.Error(), "WRONGSECRET") {
		t.Errorf("got %v, want %v and no password", err, valkey.ErrLogin)
	}
}

// A server that keeps its connections and answers nothing holds nobody up for longer than the bound.
func TestSessionGivesUpOnAFrozenServer(t *testing.T) {
	s := start(t, valkeyserver.Default(t), valkeyserver.Options{})
	session, err := valkey.OpenSession(t.Context(), observerLogin, "valkeyctl", dial(s))
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	s.Freeze(t)
	defer s.Thaw(t)
	if _, err := session.Do(t.Context(), "PING"); err == nil || valkey.IsRefusal(err) {
		t.Errorf("a frozen server: %v", err)
	}
	if _, err := valkey.OpenSession(t.Context(), observerLogin, "valkeyctl", dial(s)); err == nil {
		t.Error("a frozen server has let us in")
	}
}
