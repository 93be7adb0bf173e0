package pki

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
)

const kubeconfig = `apiVersion: v1
kind: Config
clusters:
- name: sandbox
  cluster:
    server: %s
    certificate-authority-data: %s
users:
- name: sandbox
  user:
    client-certificate-data: %s
    client-key-data: %s
contexts:
- name: sandbox
  context: {cluster: sandbox, user: sandbox}
current-context: sandbox
`

// Kubeconfig writes a kubeconfig whose user is the client of the pair, so that a reader sees all of it or none.
func (p Pair) Kubeconfig(path, server string, client Pair) error {
	key, err := client.keyPEM()
	if err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	b64 := base64.StdEncoding.EncodeToString
	content := fmt.Sprintf(kubeconfig, server, b64(p.certPEM()), b64(client.certPEM()), b64(key))
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, []byte(content), 0o600); err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("write kubeconfig %s: %w", filepath.Base(path), err)
	}
	return nil
}

// TLS is the configuration of a connection to the API server as the client of the pair.
func (p Pair) TLS(client Pair) *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(p.cert)
	return &tls.Config{
		MinVersion: tls.VersionTLS12, RootCAs: pool,
		Certificates: []tls.Certificate{{Certificate: [][]byte{client.cert.Raw}, PrivateKey: client.key, Leaf: client.cert}},
	}
}
