package apiserver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// assetsVariable names the folder with etcd and kube-apiserver; `make test-integration` sets it.
const assetsVariable = "KUBEBUILDER_ASSETS"

// Server is an etcd and an API server with the Valkey CRD.
type Server struct {
	env     *envtest.Environment
	dir     string
	running bool
}

// New starts a server of the test's own, for tests that stop it. It ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s, err := start()
	if err != nil {
		t.Fatalf("API server: %v", err)
	}
	t.Cleanup(func() {
		if err := s.end(); err != nil {
			t.Errorf("API server: %v", err)
		}
	})
	return s
}

// Config returns an administrator's configuration, a copy that the caller may change.
func (s *Server) Config() *rest.Config {
	return rest.CopyConfig(s.env.Config)
}

// Stop ends the API server and leaves etcd alone: connections break and new ones are refused until Restart.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.env.ControlPlane.APIServer.Stop(); err != nil {
		t.Fatalf("stop the API server: %v", err)
	}
	s.running = false
}

// Restart starts the API server again after Stop: the same port, certificates, users and objects.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.env.ControlPlane.APIServer.Args = nil //nolint:staticcheck // The first start fills this field; left, each flag would be given twice.
	if err := s.env.ControlPlane.APIServer.Start(); err != nil {
		t.Fatalf("restart the API server: %v", err)
	}
	s.running = true
}

func start() (*Server, error) {
	assets, err := assetsFolder()
	if err != nil {
		return nil, err
	}
	crds, err := crdFolder()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "valkey-apiserver-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, env: &envtest.Environment{
		CRDInstallOptions:        envtest.CRDInstallOptions{Paths: []string{crds}, ErrorIfPathMissing: true, MaxTime: patience},
		ControlPlaneStartTimeout: patience, ControlPlaneStopTimeout: patience,
	}}
	if err := s.launch(assets); err != nil {
		return nil, errors.Join(err, s.end())
	}
	return s, nil
}

// patience is how long a start, an end or the CRD may take: it bounds a hang on a machine that is busy with other things.
const patience = 2 * time.Minute

func (s *Server) launch(assets string) error {
	plane := &s.env.ControlPlane
	plane.Etcd = &envtest.Etcd{}
	api := plane.GetAPIServer()
	// A folder of our own outlives Stop, and with it the certificates: users stay valid over an outage.
	api.CertDir = filepath.Join(s.dir, "certs")
	if err := os.Mkdir(api.CertDir, 0o700); err != nil {
		return err
	}
	var err error
	if api.Path, err = mortal(s.dir, assets, "kube-apiserver"); err != nil {
		return err
	}
	if plane.Etcd.Path, err = mortal(s.dir, assets, "etcd"); err != nil {
		return err
	}
	if _, err := s.env.Start(); err != nil {
		return err
	}
	s.running = true
	return nil
}

// end stops both processes; it does no harm to one that does not run.
func (s *Server) end() error {
	var errs []error
	if s.running {
		errs = append(errs, s.env.ControlPlane.APIServer.Stop())
	}
	if etcd := s.env.ControlPlane.Etcd; etcd != nil {
		errs = append(errs, etcd.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(s.dir))...)
}

// mortal returns the path of a wrapper that starts the program so that it ends with this process, however this
// process ends: a test binary that runs into its time limit or is interrupted runs no cleanup. Where there is no
// setpriv (it is Linux's), the program's own path is returned.
func mortal(dir, assets, program string) (string, error) {
	path := filepath.Join(assets, program)
	setpriv, err := exec.LookPath("setpriv")
	if err != nil {
		return path, nil //nolint:nilerr // Not having it is the case that the comment above speaks of.
	}
	wrapper := filepath.Join(dir, program)
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' --pdeathsig KILL '%s' \"$@\"\n", setpriv, path)
	return wrapper, os.WriteFile(wrapper, []byte(script), 0o700) //nolint:gosec // It has to be executable.
}

// assetsFolder returns the absolute path of the folder with the programs.
func assetsFolder() (string, error) {
	folder := os.Getenv(assetsVariable)
	if folder == "" {
		return "", fmt.Errorf("%s is not set: it names the folder that holds etcd and kube-apiserver; run `make test-integration`, or set it to what `bin/sandbox assets` prints", assetsVariable)
	}
	for _, program := range []string{"etcd", "kube-apiserver"} {
		if _, err := exec.LookPath(filepath.Join(folder, program)); err != nil {
			return "", fmt.Errorf("%s=%s holds no %s: %w", assetsVariable, folder, program, err)
		}
	}
	return filepath.Abs(folder)
}

// crdFolder finds config/crd/bases above the test's folder.
func crdFolder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		crds := filepath.Join(dir, "config", "crd", "bases")
		if info, err := os.Stat(crds); err == nil && info.IsDir() {
			return crds, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no folder above the test has config/crd/bases")
		}
		dir = parent
	}
}
