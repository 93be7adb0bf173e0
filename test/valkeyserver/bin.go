package valkeyserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// variable names the folders, with the list separator of the system between, that hold valkey-server and valkey-cli;
// `make test-integration` sets it. The first is what most tests use, further ones are other versions.
const variable = "VALKEY_BIN"

// Bin is a folder with the programs of one version.
type Bin string

// Bins are the versions to test with, at least one.
func Bins(t testing.TB) []Bin {
	t.Helper()
	var bins []Bin
	for _, folder := range filepath.SplitList(os.Getenv(variable)) {
		for _, program := range []string{"valkey-server", "valkey-cli"} {
			if _, err := exec.LookPath(filepath.Join(folder, program)); err != nil {
				t.Fatalf("%s: %v", variable, err)
			}
		}
		absolute, err := filepath.Abs(folder)
		if err != nil {
			t.Fatalf("%s: %v", variable, err)
		}
		bins = append(bins, Bin(absolute))
	}
	if len(bins) == 0 {
		t.Fatalf("%s is not set: it names the folder that holds valkey-server and valkey-cli; run `make test-integration`,"+
			" or set it to what `bin/sandbox assets` prints", variable)
	}
	return bins
}

// Default is the version that most tests use.
func Default(t testing.TB) Bin {
	t.Helper()
	return Bins(t)[0]
}

func (b Bin) path(program string) string { return filepath.Join(string(b), program) }

// Command is a command line that ends with this process, however this process ends: a test binary that runs into its
// time limit runs no cleanup. Where there is no setpriv (it is Linux's), it is the line as it is.
func Command(line ...string) *exec.Cmd {
	if setpriv, err := exec.LookPath("setpriv"); err == nil {
		line = append([]string{setpriv, "--pdeathsig", "KILL"}, line...)
	}
	return exec.Command(line[0], line[1:]...) //nolint:gosec // A test runs what it names.
}

// Version is what the server says of its version, e.g. 9.1.2.
func (b Bin) Version(t testing.TB) string {
	t.Helper()
	out, err := exec.Command(b.path("valkey-server"), "--version").Output() //nolint:gosec // A test runs what it names.
	if err != nil {
		t.Fatalf("valkey-server --version: %v", err)
	}
	_, rest, _ := strings.Cut(string(out), "v=")
	version, _, _ := strings.Cut(rest, " ")
	return version
}
