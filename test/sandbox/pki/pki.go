// Package pki makes the keys and certificates of a sandbox cluster and the kubeconfigs that hold them. They are good for
// this cluster alone and never leave its state folder.
package pki

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// validity is long: a sandbox has no one who renews.
const validity = 10 * 365 * 24 * time.Hour

// Names of the files in a PKI folder, as the API server's flags know them.
const (
	CA               = "ca"
	FrontProxyCA     = "front-proxy-ca"
	FrontProxyClient = "front-proxy-client"
	APIServer        = "apiserver"
	KubeletClient    = "apiserver-kubelet-client"
	Accounts         = "sa" // signs the tokens of service accounts
)

// Create makes the folder with the cluster's authorities, its API server's certificate and the key of service accounts,
// all at once; nothing is done if it is there.
func Create(dir string, names []string, addresses []net.IP) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	tmp := dir + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return fmt.Errorf("make keys: %w", err)
	}
	if err := os.MkdirAll(tmp, 0o700); err != nil {
		return fmt.Errorf("make keys: %w", err)
	}
	if err := fill(tmp, names, addresses); err != nil {
		return fmt.Errorf("make keys: %w", err)
	}
	if err := os.Rename(tmp, dir); err != nil {
		return fmt.Errorf("make keys: %w", err)
	}
	return nil
}

func fill(dir string, names []string, addresses []net.IP) error {
	ca, err := newAuthority("kubernetes")
	if err != nil {
		return err
	}
	proxyCA, err := newAuthority("front-proxy-ca")
	if err != nil {
		return err
	}
	server, err := ca.issue(serving("kube-apiserver", names, addresses))
	if err != nil {
		return err
	}
	// Group system:masters: the kubelet asks the API server whether the caller may read logs, exec and so on.
	kubelet, err := ca.issue(client("kube-apiserver-kubelet-client", "system:masters"))
	if err != nil {
		return err
	}
	proxy, err := proxyCA.issue(client("front-proxy-client"))
	if err != nil {
		return err
	}
	for name, pair := range map[string]Pair{
		CA: ca, FrontProxyCA: proxyCA, APIServer: server, KubeletClient: kubelet, FrontProxyClient: proxy,
	} {
		if err := pair.Save(dir, name); err != nil {
			return err
		}
	}
	return saveAccountsKey(dir)
}

// Pair is a certificate and its key.
type Pair struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// LoadCA reads the authority of a PKI folder.
func LoadCA(dir string) (Pair, error) {
	certPEM, err := os.ReadFile(filepath.Join(dir, CA+".crt"))
	if err != nil {
		return Pair{}, err
	}
	keyPEM, err := os.ReadFile(filepath.Join(dir, CA+".key"))
	if err != nil {
		return Pair{}, err
	}
	certBlock, _ := pem.Decode(certPEM)
	keyBlock, _ := pem.Decode(keyPEM)
	if certBlock == nil || keyBlock == nil {
		return Pair{}, errors.New("the cluster's authority is no PEM")
	}
	cert, err := x509.ParseCertificate(certBlock.Bytes)
	if err != nil {
		return Pair{}, err
	}
	key, err := x509.ParseECPrivateKey(keyBlock.Bytes)
	if err != nil {
		return Pair{}, err
	}
	return Pair{cert: cert, key: key}, nil
}

// Client issues a certificate for a client: its user name and groups.
func (p Pair) Client(user string, groups ...string) (Pair, error) {
	return p.issue(client(user, groups...))
}

// Server issues a certificate for a server of these names and addresses.
func (p Pair) Server(user string, names []string, addresses []net.IP) (Pair, error) {
	return p.issue(serving(user, names, addresses))
}

// Save writes name.crt and name.key into dir.
func (p Pair) Save(dir, name string) error {
	key, err := p.keyPEM()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".crt"), p.certPEM(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".key"), key, 0o600)
}

func (p Pair) certPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.cert.Raw})
}

func (p Pair) keyPEM() ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(p.key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), nil
}

func newAuthority(name string) (Pair, error) {
	key, err := newKey()
	if err != nil {
		return Pair{}, err
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	return sign(template, template, key, key)
}

func (p Pair) issue(template *x509.Certificate) (Pair, error) {
	key, err := newKey()
	if err != nil {
		return Pair{}, err
	}
	return sign(template, p.cert, key, p.key)
}

func client(user string, groups ...string) *x509.Certificate {
	return &x509.Certificate{
		Subject:  pkix.Name{CommonName: user, Organization: groups},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
}

func serving(user string, names []string, addresses []net.IP) *x509.Certificate {
	return &x509.Certificate{
		Subject: pkix.Name{CommonName: user}, DNSNames: names, IPAddresses: addresses,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
}

func sign(template, parent *x509.Certificate, key, signer *ecdsa.PrivateKey) (Pair, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return Pair{}, err
	}
	template.SerialNumber = serial
	template.NotBefore = time.Now().Add(-time.Hour) // a clock that is set back must not make it invalid
	template.NotAfter = time.Now().Add(validity)
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		return Pair{}, err
	}
	cert, err := x509.ParseCertificate(der)
	return Pair{cert: cert, key: key}, err
}

func newKey() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }

func saveAccountsKey(dir string) error {
	key, err := newKey()
	if err != nil {
		return err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	private := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	if err := os.WriteFile(filepath.Join(dir, Accounts+".key"), private, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, Accounts+".pub"), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}), 0o644)
}
