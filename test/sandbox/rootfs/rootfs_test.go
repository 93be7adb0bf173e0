package rootfs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The host's own programs stand for unpacked packages: both have Debian's layout.
func newRoot(t *testing.T) (*Root, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "root")
	r, err := New(dir, "/")
	if err != nil {
		t.Fatal(err)
	}
	return r, dir
}

func TestAProgramBringsAllThatItNeeds(t *testing.T) {
	r, dir := newRoot(t)
	if err := r.Program("ls", "usr/local/bin/ls"); err != nil {
		t.Fatal(err)
	}
	script, err := Launcher(dir, "ls")
	if err != nil {
		t.Fatal(err)
	}
	launcher := filepath.Join(t.TempDir(), "ls")
	if err := os.WriteFile(launcher, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(launcher, dir+"/usr/local").CombinedOutput()
	if err != nil || string(out) != "bin\n" {
		t.Fatalf("got %q and %v, want the folder's content", out, err)
	}
	maps, err := exec.Command(launcher, "--help").CombinedOutput()
	if err != nil || !strings.Contains(string(maps), "Usage: ls") {
		t.Fatalf("the program does not know its name: %v, %.60q", err, maps)
	}
}

func TestALauncherIsReplacedByItsProgram(t *testing.T) {
	r, dir := newRoot(t)
	if err := r.Program("cat", "usr/local/bin/cat"); err != nil {
		t.Fatal(err)
	}
	script, err := Launcher(dir, "cat")
	if err != nil {
		t.Fatal(err)
	}
	launcher := filepath.Join(t.TempDir(), "cat")
	if err := os.WriteFile(launcher, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	// The process that was started is the one that runs in the end, so that a signal to it hits the program.
	out, err := exec.Command("sh", "-c", `echo $$; exec "$0" /proc/self/stat`, launcher).CombinedOutput()
	lines := strings.Fields(string(out))
	if err != nil || len(lines) < 2 || lines[0] != lines[1] {
		t.Fatalf("started as %.30q (%v), want the same number twice", out, err)
	}
}

func TestWhatThePackagesLackIsNamed(t *testing.T) {
	r, _ := newRoot(t)
	for want, err := range map[string]error{
		"no no-such-program": r.Program("no-such-program", "usr/bin/x"),
		"no libnone.so.1":    r.Library("libnone.so.1"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}

func TestALinkGivesWayToWhatIsThere(t *testing.T) {
	r, dir := newRoot(t)
	if err := r.File("usr/bin/ls", "real", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ls", "vi"} {
		if err := r.Link("busybox", "usr/bin/"+name); err != nil {
			t.Fatal(err)
		}
	}
	if content, err := os.ReadFile(dir + "/bin/ls"); err != nil || string(content) != "real" {
		t.Errorf("ls is %q (%v), want what was there", content, err)
	}
	if target, err := os.Readlink(dir + "/bin/vi"); err != nil || target != "busybox" {
		t.Errorf("vi leads to %q (%v)", target, err)
	}
}

// The image's entry point, run by the host's shell with programs that say what they were called with.
func TestEntryPoint(t *testing.T) {
	bin := t.TempDir()
	programs := map[string]string{
		"docker-entrypoint.sh": entryPoint,
		"valkey-server":        "#!/bin/sh\necho server \"$@\"\n",
		"id":                   "#!/bin/sh\necho ${FAKE_UID}\n",
		"chown":                "#!/bin/sh\n",
		"setpriv":              "#!/bin/sh\necho setpriv \"$@\"\n",
	}
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	entry := filepath.Join(bin, "docker-entrypoint.sh")
	for name, c := range map[string]struct {
		uid  string
		args []string
		want string
	}{
		"options alone mean the server": {"999", []string{"--port", "1"}, "server --port 1"},
		"so does a configuration file":  {"999", []string{"a.conf"}, "server a.conf"},
		"another command is run":        {"0", []string{"echo", "hi"}, "hi"},
		"root becomes the user valkey":  {"0", []string{"valkey-server"}, "setpriv --reuid valkey --regid valkey --clear-groups -- " + entry + " valkey-server"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(entry, c.args...)
			cmd.Env = []string{"PATH=" + bin + ":/usr/bin:/bin", "FAKE_UID=" + c.uid}
			out, err := cmd.CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != c.want {
				t.Errorf("got %q and %v, want %q", out, err, c.want)
			}
		})
	}
}
