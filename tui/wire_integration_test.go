//go:build integration

package tui

import (
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// wire is what lies between a dashboard and a real API server: it can be cut, it can take a token for expired, and it can end watches
// as a server does that has forgotten their version.
type wire struct {
	t       *testing.T
	address string
	proxy   http.Handler
	server  *httptest.Server
	token   atomic.Value // that is accepted
	gone    atomic.Bool  // watches of Valkeys end with 410, until they are listed anew
}

func newWire(t *testing.T, config *rest.Config) *wire {
	t.Helper()
	target, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{t: t, address: "127.0.0.1:0", proxy: &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = target.Host
			r.Out.Header.Del("Authorization")
		},
		Transport: transport, FlushInterval: -1,
	}}
	w.token.Store("first")
	w.open()
	t.Cleanup(w.cut)
	return w
}

// ServeHTTP is for http.Handler.
func (w *wire) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	const status = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"%s","message":"%s","code":%d}`
	out.Header().Set("Content-Type", "application/json")
	isList := strings.HasSuffix(r.URL.Path, "/valkeys")
	isWatch := isList && (r.URL.Query().Get("watch") == "true" || r.URL.Query().Get("watch") == "1")
	switch {
	case r.Header.Get("Authorization") != "Bearer "+w.token.Load().(string):
		out.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprintf(out, status, "Unauthorized", "Unauthorized", http.StatusUnauthorized)
	case isWatch && w.gone.Load():
		_, _ = fmt.Fprintf(out, `{"type":"ERROR","object":`+status+`}`, "Expired", "too old resource version", http.StatusGone)
	default:
		if isList {
			w.gone.Store(false) // a new list has a version that is known
		}
		out.Header().Del("Content-Type")
		w.proxy.ServeHTTP(out, r)
	}
}

func (w *wire) open() {
	w.t.Helper()
	listener, err := net.Listen("tcp", w.address)
	if err != nil {
		w.t.Fatal(err)
	}
	w.address = listener.Addr().String()
	w.server = httptest.NewUnstartedServer(w)
	_ = w.server.Listener.Close()
	w.server.Listener = listener
	w.server.StartTLS() // credentials of a kubeconfig go to no other
}

// cut breaks every connection, also those that were begun at the last moment; new ones are refused.
func (w *wire) cut() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		w.server.Close() // waits for what is asked for, as for watches
	}()
	for {
		w.server.CloseClientConnections()
		select {
		case <-closed:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// kubeconfig leads to the wire; a program, which reads the file token, logs in.
func (w *wire) kubeconfig(namespace string) (path, token string) {
	w.t.Helper()
	dir := w.t.TempDir()
	token = filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte("first"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	login := `printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s"}}' "$(cat ` + token + `)"`
	file := clientcmdapi.NewConfig()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.server.Certificate().Raw})
	file.Clusters["test"] = &clientcmdapi.Cluster{Server: w.server.URL, CertificateAuthorityData: authority}
	file.AuthInfos["test"] = &clientcmdapi.AuthInfo{Exec: &clientcmdapi.ExecConfig{
		APIVersion: "client.authentication.k8s.io/v1", Command: "/bin/sh", Args: []string{"-c", login}, InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}}
	file.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test", Namespace: namespace}
	file.CurrentContext = "test"
	path = filepath.Join(dir, "kubeconfig")
	if err := clientcmd.WriteToFile(*file, path); err != nil {
		w.t.Fatal(err)
	}
	return path, token
}
