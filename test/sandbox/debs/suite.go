// Package debs downloads Debian packages of any suite and unpacks them, without touching the system's own package
// lists, and installs the system packages that a node needs. It never runs a package's own scripts for what it only unpacks.
package debs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Suite is a Debian release with package lists of its own, apart from the system's.
type Suite struct {
	Name string
	dir  string
}

// Open fetches the package lists of the Debian suite called name into dir. It uses the mirror that the system's own apt
// uses, so that what works for apt-get works here. No root is needed.
func Open(ctx context.Context, dir, name string) (Suite, error) {
	s := Suite{Name: name, dir: dir}
	mirror, err := systemMirror("/etc/apt")
	if err != nil {
		return Suite{}, err
	}
	for _, d := range []string{"lists/partial", "cache/archives/partial", "dpkg"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return Suite{}, fmt.Errorf("open suite %s: %w", name, err)
		}
	}
	files := map[string]string{
		"dpkg/status":  "", // nothing counts as installed, so every dependency is fetched
		"sources.list": mirror.line(name) + "\n",
		"apt.conf":     s.config(),
	}
	for file, content := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o644); err != nil {
			return Suite{}, fmt.Errorf("open suite %s: %w", name, err)
		}
	}
	if _, err := s.apt(ctx, "update", "-qq"); err != nil {
		return Suite{}, err
	}
	return s, nil
}

// Download fetches the packages and all that they depend on, and returns the .deb files.
func (s Suite) Download(ctx context.Context, packages ...string) ([]string, error) {
	archives := filepath.Join(s.dir, "cache", "archives")
	old, err := filepath.Glob(filepath.Join(archives, "*.deb"))
	if err != nil {
		return nil, err
	}
	for _, deb := range old { // of an earlier run, maybe of other versions
		if err := os.Remove(deb); err != nil {
			return nil, fmt.Errorf("download from %s: %w", s.Name, err)
		}
	}
	args := append([]string{"install", "-y", "-qq", "--no-install-recommends", "--download-only"}, packages...)
	if _, err := s.apt(ctx, args...); err != nil {
		return nil, err
	}
	return filepath.Glob(filepath.Join(archives, "*.deb"))
}

func (s Suite) config() string {
	lines := []string{
		`Dir::State::lists "` + s.dir + `/lists";`,
		`Dir::State::status "` + s.dir + `/dpkg/status";`,
		`Dir::Cache "` + s.dir + `/cache";`,
		`Dir::Etc::SourceList "` + s.dir + `/sources.list";`,
		`Dir::Etc::SourceParts "/dev/null";`,
		`Acquire::Languages "none";`,
	}
	if os.Geteuid() == 0 { // apt's own user may not read a cache below root's home
		lines = append(lines, `APT::Sandbox::User "root";`)
	}
	return strings.Join(lines, "\n") + "\n"
}

func (s Suite) apt(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "apt-get", args...)
	cmd.Env = append(os.Environ(), "APT_CONFIG="+filepath.Join(s.dir, "apt.conf"), "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C")
	return output(cmd, "apt-get "+args[0]+" of "+s.Name)
}

// output runs cmd and returns what it prints; its error carries the last line of its complaints.
func output(cmd *exec.Cmd, what string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if last := lastLine(stderr.String()); last != "" {
			return "", fmt.Errorf("%s: %w: %s", what, err, last)
		}
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return stdout.String(), nil
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
