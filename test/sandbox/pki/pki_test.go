package pki

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func create(t *testing.T) (dir string, ca Pair) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "pki")
	if err := Create(dir, []string{"kubernetes"}, []net.IP{net.IPv4(127, 0, 0, 1)}); err != nil {
		t.Fatal(err)
	}
	ca, err := LoadCA(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, ca
}

func TestAServerOfTheClusterTakesItsClientsOnly(t *testing.T) {
	dir, ca := create(t)
	cert, err := tls.LoadX509KeyPair(filepath.Join(dir, APIServer+".crt"), filepath.Join(dir, APIServer+".key"))
	if err != nil {
		t.Fatal(err)
	}
	var user string
	var groups []string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		subject := r.TLS.PeerCertificates[0].Subject
		user, groups = subject.CommonName, subject.Organization
	}))
	server.TLS = &tls.Config{
		MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{cert},
		ClientCAs: ca.TLS(ca).RootCAs, ClientAuth: tls.RequireAndVerifyClientCert,
	}
	server.StartTLS()
	defer server.Close()

	get := func(client Pair) error {
		c := &http.Client{Transport: &http.Transport{TLSClientConfig: ca.TLS(client)}}
		defer c.CloseIdleConnections()
		resp, err := c.Get(server.URL)
		if err == nil {
			err = resp.Body.Close()
		}
		return err
	}
	admin, err := ca.Client("admin", "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	if err := get(admin); err != nil {
		t.Fatal(err)
	}
	if user != "admin" || len(groups) != 1 || groups[0] != "system:masters" {
		t.Fatalf("the server saw %q of %v, want admin of [system:masters]", user, groups)
	}
	_, otherCA := create(t)
	stranger, err := otherCA.Client("admin", "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	if err := get(stranger); err == nil {
		t.Fatal("a client of another cluster was let in")
	}
}

func TestCreateKeepsWhatIsThere(t *testing.T) {
	dir, _ := create(t)
	before, err := os.ReadFile(filepath.Join(dir, CA+".key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Create(dir, nil, nil); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(dir, CA+".key"))
	if err != nil || string(after) != string(before) {
		t.Fatalf("the authority changed (%v)", err)
	}
	for _, name := range []string{CA, FrontProxyCA, FrontProxyClient, APIServer, KubeletClient, Accounts} {
		info, err := os.Stat(filepath.Join(dir, name+".key"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("key %s: %v, want it readable by its owner alone", name, err)
		}
	}
}

func TestKubeconfigIsReadableByItsOwnerAlone(t *testing.T) {
	dir, ca := create(t)
	path := filepath.Join(dir, "kubeconfig")
	if err := ca.Kubeconfig(path, "https://127.0.0.1:1", ca); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(content), "server: https://127.0.0.1:1\n") {
		t.Fatalf("%v:\n%s", err, content)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode is %v (%v), want 0600", info, err)
	}
}
