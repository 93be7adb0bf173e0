//go:build integration

package server_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/test/valkeyserver"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/server"
)

const patience = 30 * time.Second

// cluster reaches real servers on this machine by the names of pods.
type cluster struct {
	mu       sync.Mutex
	servers  map[string]*valkeyserver.Server
	password string
	refused  *kube.Problem
	logins   int
	open     int
}

func (c *cluster) Credentials(context.Context, kube.Ref, kube.Who) (valkey.Login, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.logins++
	if c.refused != nil {
		return valkey.Login{}, c.refused
	}
	return valkey.Login{User: v1alpha1.UserObserver, Password: c.password}, nil
}

func (c *cluster) DialPod(ctx context.Context, _, pod string) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.servers[pod]
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Address())
	if err != nil {
		return nil, err
	}
	c.open++
	return &counted{Conn: conn, cluster: c}, nil
}

func (c *cluster) connections() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}

type counted struct {
	net.Conn
	cluster *cluster
	once    sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() {
		c.cluster.mu.Lock()
		defer c.cluster.mu.Unlock()
		c.cluster.open--
	})
	return c.Conn.Close()
}

const observerPassword = "observer-secret"

// startServer starts one with the users that the operator makes.
func startServer(t *testing.T) *valkeyserver.Server {
	t.Helper()
	v := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: "app"}}
	v.Spec.User = "root"
	users := resources.Users(v, resources.Credentials{Admin: "admin", Operator: "o", Replication: "r", Probe: "p", Observer: observerPassword})
	file := filepath.Join(t.TempDir(), "users.acl")
	if err := os.WriteFile(file, []byte(resources.ACLFile(users)), 0o600); err != nil {
		t.Fatal(err)
	}
	return valkeyserver.Default(t).Start(t, valkeyserver.Options{Lines: []string{"aclfile " + file, "slowlog-log-slower-than 0", "maxmemory 64mb"}})
}

func admin(t *testing.T, s *valkeyserver.Server, words ...string) string {
	t.Helper()
	return s.CLI(t, append([]string{"--user", "root", "--pass", "admin"}, words...)...)
}

// await takes readings until one of the pod is as wanted.
func await(t *testing.T, o *server.Observer, pod, what string, wanted func(server.Reading) bool) server.Reading {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var last server.Reading
	for {
		readings, err := o.Next(ctx)
		if err != nil {
			t.Fatalf("wait until %s: %v; last %+v", what, err, last)
		}
		for _, r := range readings {
			if r.Pod == pod {
				if last = r; wanted(r) {
					return r
				}
			}
		}
	}
}

func isWell(r server.Reading) bool { return r.Problem == "" && r.Info != nil }

func TestObserverLooks(t *testing.T) {
	s := startServer(t)
	c := &cluster{servers: map[string]*valkeyserver.Server{"app-0": s}, password: observerPassword}
	before := goleak.IgnoreCurrent()
	o := server.Observe(t.Context(), c, kube.Ref{Namespace: "default", Name: "app"})
	o.SetPods([]string{"app-0"})
	admin(t, s, "SET", "key", "value", "EX", "100")
	r := await(t, o, "app-0", "there is an answer with the key", func(r server.Reading) bool { return isWell(r) && r.Info.Keys == 1 })
	if r.Info.Role != v1alpha1.RolePrimary || r.Info.Max != 64<<20 || r.Info.Used == 0 || r.Info.Version == "" || len(r.Info.Databases) != 1 {
		t.Errorf("read %+v", r.Info)
	}
	o.Look(server.LookSlowlog)
	r = await(t, o, "app-0", "the slow log is there", func(r server.Reading) bool { return r.More != nil && len(r.More.Slow) > 0 })
	if !slices.ContainsFunc(r.More.Slow, func(e server.Slow) bool { return strings.HasPrefix(e.Command, "SET key value") && e.Took >= 0 }) {
		t.Errorf("the slow log is %+v", r.More.Slow)
	}
	o.Look(server.LookClients)
	r = await(t, o, "app-0", "the clients are there", func(r server.Reading) bool { return r.More != nil && len(r.More.Clients) > 0 })
	if !slices.ContainsFunc(r.More.Clients, func(c server.Connection) bool { return c.Name == "valkeyctl" && c.User == v1alpha1.UserObserver }) {
		t.Errorf("the clients are %+v", r.More.Clients)
	}
	if n := c.connections(); n != 1 {
		t.Errorf("%d connections to one server", n)
	}
	if len(r.History) < 2 {
		t.Errorf("a history of %d points", len(r.History))
	}
	o.Close()
	if n := c.connections(); n != 0 {
		t.Errorf("%d connections after it was closed", n)
	}
	goleak.VerifyNone(t, before)
}

func TestObserverComesBackToAServer(t *testing.T) {
	s := startServer(t)
	c := &cluster{servers: map[string]*valkeyserver.Server{"app-0": s}, password: observerPassword}
	o := server.Observe(t.Context(), c, kube.Ref{Namespace: "default", Name: "app"})
	defer o.Close()
	o.SetPods([]string{"app-0"})
	await(t, o, "app-0", "there is an answer", isWell)
	s.Kill(t)
	r := await(t, o, "app-0", "the end is told", func(r server.Reading) bool { return r.Problem != "" && strings.Contains(r.Problem, "nothing listens") })
	if r.Info == nil {
		t.Error("what was known is forgotten")
	}
	again := startServer(t)
	c.mu.Lock()
	c.servers["app-0"] = again
	c.mu.Unlock()
	await(t, o, "app-0", "it is back", isWell)
	o.SetPods(nil)
	valkeyserver.Eventually(t, "the connection to a pod that is gone is closed", func() bool { return c.connections() == 0 })
}

// A password that changed is read anew, and said to be wrong until then.
func TestObserverReadsAChangedPassword(t *testing.T) {
	c := &cluster{servers: map[string]*valkeyserver.Server{"app-0": startServer(t)}, password: "WRONGSECRET"}
	o := server.Observe(t.Context(), c, kube.Ref{Namespace: "default", Name: "app"})
	defer o.Close()
	o.SetPods([]string{"app-0"})
	r := await(t, o, "app-0", "the login is refused", func(r server.Reading) bool { return r.Problem != "" })
	if !strings.Contains(r.Problem, "login") || strings.Contains(r.Problem, "WRONGSECRET") {
		t.Errorf("problem %q", r.Problem)
	}
	c.mu.Lock()
	c.password = observerPassword
	c.mu.Unlock()
	await(t, o, "app-0", "it is in", isWell)
}

// Who may not read the Secret is told so once for all servers, and asked no more often for more of them.
func TestObserverWithoutTheRightToReadTheSecret(t *testing.T) {
	s := startServer(t)
	c := &cluster{
		servers: map[string]*valkeyserver.Server{"app-0": s, "app-1": s},
		refused: &kube.Problem{Class: kube.ClassForbidden, Message: `user "ann" may not get secrets`},
	}
	o := server.Observe(t.Context(), c, kube.Ref{Namespace: "default", Name: "app"})
	defer o.Close()
	o.SetPods([]string{"app-0", "app-1"})
	r := await(t, o, "app-1", "it is told", func(r server.Reading) bool { return r.Problem != "" })
	if r.Problem != `user "ann" may not get secrets` || !r.Login {
		t.Errorf("problem %q, of the login: %v", r.Problem, r.Login)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.logins != 1 {
		t.Errorf("asked %d times for one Secret", c.logins)
	}
}
