//go:build integration

package valkey_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/operator/valkey/info"
	"kuberly.io/valkey-operator/test/valkeyserver"
)

// awkward has every character that ever broke a shell, a configuration file or a protocol.
const awkward = `a"b\ #$'é`

var credentials = resources.Credentials{
	Admin: awkward, Operator: "operator-secret", Replication: "replication-secret", Probe: "probe-secret", Observer: "observer-secret",
}

var operatorLogin = valkey.Login{User: v1alpha1.UserOperator, Password: credentials.Operator}

func aclUsers(c resources.Credentials) []resources.User {
	v := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: "db"}}
	v.Spec.User = "root"
	return resources.Users(v, c)
}

func users(c resources.Credentials) []valkey.User {
	var out []valkey.User
	for _, u := range aclUsers(c) {
		out = append(out, valkey.User(u))
	}
	return out
}

// start starts a server as a pod does: with the users of the ACL file, and the replication user's login.
func start(t testing.TB, bin valkeyserver.Bin, o valkeyserver.Options) *valkeyserver.Server {
	t.Helper()
	file := filepath.Join(t.TempDir(), "users.acl")
	if err := os.WriteFile(file, []byte(resources.ACLFile(aclUsers(credentials))), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Lines = append([]string{
		"aclfile " + file, "masteruser " + v1alpha1.UserReplication, "masterauth " + credentials.Replication,
		"repl-ping-replica-period 1",
	}, o.Lines...)
	return bin.Start(t, o)
}

// startNode starts a server at the port that all have in a cluster, so it has an address of its own.
func startNode(t testing.TB, bin valkeyserver.Bin, lines ...string) *valkeyserver.Server {
	t.Helper()
	host := valkeyserver.Host(t, v1alpha1.Port)
	return start(t, bin, valkeyserver.Options{Host: host, Port: v1alpha1.Port, Lines: append(lines, "bind-source-addr "+host)})
}

func target(s *valkeyserver.Server) valkey.Target {
	return valkey.Target{ID: s.Address(), Owner: "db", Namespace: "team-a", Pod: "db-node-0-x", IP: s.Host, Port: s.Port}
}

func newClients(t testing.TB) *valkey.Clients {
	t.Helper()
	c := valkey.NewClients(valkey.PodDialer{}, nil)
	t.Cleanup(c.Close)
	return c
}

// port is the one that servers of a cluster have.
func port() string { return strconv.Itoa(v1alpha1.Port) }

// observe asks until a server is as it should be.
func observe(t testing.TB, c *valkey.Clients, s *valkeyserver.Server, what string, is func(info.Server) bool) info.Server {
	t.Helper()
	var seen info.Server
	valkeyserver.Eventually(t, what, func() bool {
		var err error
		seen, err = c.Observe(t.Context(), target(s), operatorLogin)
		return err == nil && is(seen)
	})
	return seen
}

// as runs a command as a user.
func as(t testing.TB, s *valkeyserver.Server, user, password string, words ...string) string {
	t.Helper()
	return s.CLI(t, append([]string{"--user", user, "--pass", password}, words...)...)
}

func admin(t testing.TB, s *valkeyserver.Server, words ...string) string {
	t.Helper()
	return as(t, s, "root", credentials.Admin, words...)
}
