package debs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Need is a program that a node runs from the host, the package that has it, and where to look beside PATH.
type Need struct {
	Program string
	Package string
	Paths   []string
}

// Find returns where the program lies, or an empty string.
func (n Need) Find() string {
	if path, err := exec.LookPath(n.Program); err == nil {
		return path
	}
	for _, path := range n.Paths {
		if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// Missing returns the packages of the needs that are not met, each once.
func Missing(needs []Need) []string {
	var packages []string
	seen := map[string]bool{}
	for _, n := range needs {
		if n.Find() == "" && !seen[n.Package] {
			seen[n.Package] = true
			packages = append(packages, n.Package)
		}
	}
	return packages
}

// Install installs system packages with apt; it needs root.
func Install(ctx context.Context, packages []string) error {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return fmt.Errorf("install %s by hand: there is no apt-get", strings.Join(packages, " "))
	}
	if os.Geteuid() != 0 {
		return errors.New("installing " + strings.Join(packages, " ") + " needs root")
	}
	update := exec.CommandContext(ctx, "apt-get", "update", "-qq")
	if _, err := output(update, "apt-get update"); err != nil {
		return err
	}
	// Another apt may be at work, as on a machine that has just booted.
	args := append([]string{"-o", "DPkg::Lock::Timeout=120", "install", "-y", "-qq", "--no-install-recommends"}, packages...)
	install := exec.CommandContext(ctx, "apt-get", args...)
	install.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	_, err := output(install, "apt-get install")
	return err
}
