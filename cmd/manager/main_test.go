package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asManager makes the test binary the program itself.
const asManager = "TEST_AS_MANAGER"

func TestMain(m *testing.M) {
	if os.Getenv(asManager) != "" {
		main()
		return
	}
	m.Run()
}

// Bad input is one clear line and a status that is not zero; no stack trace.
func TestBadInputIsOneLine(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "kubeconfig")
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("clusters: {"), 0o600); err != nil {
		t.Fatal(err)
	}
	deaf := filepath.Join(t.TempDir(), "deaf")
	if err := os.WriteFile(deaf, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args       []string
		kubeconfig string
		words      string
	}{
		"an argument":               {[]string{"start"}, nowhere, `unexpected argument "start"`},
		"no kubeconfig there":       {nil, nowhere, "no cluster to work for"},
		"a kubeconfig that is none": {nil, broken, "no cluster to work for"},
		"nobody listens at its end": {nil, deaf, "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			out, code := manager(t, c.kubeconfig, c.args...)
			if code != 1 {
				t.Errorf("exit status %d, want 1", code)
			}
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, "manager: ") || !strings.Contains(last, c.words) {
				t.Errorf("it says %q, want a line that says %q", out, c.words)
			}
			if len(lines) != 1 || strings.Contains(out, "goroutine") {
				t.Errorf("it says more than one line:\n%s", out)
			}
		})
	}
}

func TestUnknownFlagNamesItself(t *testing.T) {
	out, code := manager(t, "", "--no-such-flag")
	if code != 2 || !strings.Contains(out, "-no-such-flag") {
		t.Errorf("exit status %d, and it says %q", code, out)
	}
}

func TestHelpNamesEveryFlagOfTheManifest(t *testing.T) {
	manifest, err := os.ReadFile("../../config/manager/manager.yaml")
	if err != nil {
		t.Fatal(err)
	}
	help, _ := manager(t, "", "--help")
	flags := 0
	for line := range strings.Lines(string(manifest)) {
		flag, isFlag := strings.CutPrefix(strings.TrimSpace(line), "- --")
		if !isFlag {
			continue
		}
		flags++
		name, _, _ := strings.Cut(flag, "=")
		if !strings.Contains(help, "  -"+name) {
			t.Errorf("the manifest sets --%s, which the manager does not know:\n%s", name, help)
		}
	}
	if flags == 0 {
		t.Error("no flag is found in the manifest")
	}
}

func manager(t *testing.T, kubeconfig string, args ...string) (said string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = []string{asManager + "=1", "KUBECONFIG=" + kubeconfig, "HOME=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// kubeconfig leads to a port where nobody listens.
const kubeconfig = `
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: u, user: {}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`
