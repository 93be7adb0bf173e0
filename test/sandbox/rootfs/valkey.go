package rootfs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ValkeyPackages are the Debian packages that Valkey draws on.
var ValkeyPackages = []string{"valkey-server", "valkey-tools", "dash", "coreutils", "util-linux", "grep", "sed", "busybox-static"}

// The official image is Debian with a real shell and coreutils. What a pod's command may well use comes from Debian here
// too, so that a command that works here works there; busybox fills the rest.
var debianPrograms = strings.Fields("cat chmod chown cp cut date dd df du env false head id ls mkdir mktemp mv nproc printf " +
	"readlink rm seq sha256sum sleep sort stat sync tail tee test timeout touch tr true uname wc grep sed flock setpriv busybox")

const (
	valkeyUser   = "valkey"
	valkeyUserID = 999 // of the official image
)

// entryPoint does what the official image's does: options alone mean the server, and root becomes the user valkey.
const entryPoint = `#!/bin/sh
set -e
case ${1-} in
-* | *.conf) set -- valkey-server "$@" ;;
esac
if [ "${1-}" = valkey-server ] && [ "$(id -u)" = 0 ]; then
	chown valkey:valkey .
	exec setpriv --reuid valkey --regid valkey --clear-groups -- "$0" "$@"
fi
exec "$@"
`

// Valkey fills dir with a root of the official valkey/valkey image's layout from the packages unpacked in from: user and
// group valkey 999, work folder /data, valkey-server and valkey-cli on the path, a shell and flock.
func Valkey(dir, from string) error {
	r, err := New(dir, from)
	if err != nil {
		return err
	}
	for _, p := range []string{"valkey-server", "valkey-cli", "valkey-benchmark"} {
		if err := r.Program(p, "usr/local/bin/"+p); err != nil {
			return err
		}
	}
	for _, p := range []string{"valkey-check-aof", "valkey-check-rdb", "valkey-sentinel"} { // the server by another name
		if err := r.Link("valkey-server", "usr/local/bin/"+p); err != nil {
			return err
		}
	}
	if err := r.system(); err != nil {
		return err
	}
	// A thread that is cancelled opens it while it runs.
	if err := r.Library("libgcc_s.so.1"); err != nil {
		return err
	}
	return r.accounts()
}

func (r *Root) system() error {
	if err := r.Program("dash", "usr/bin/sh"); err != nil {
		return err
	}
	for _, p := range debianPrograms {
		if err := r.Program(p, "usr/bin/"+p); err != nil {
			return err
		}
	}
	applets, err := exec.Command(r.dir+"/usr/bin/busybox", "--list").Output()
	if err != nil {
		return fmt.Errorf("list busybox's applets: %w", err)
	}
	for _, applet := range strings.Fields(string(applets)) {
		if err := r.Link("busybox", "usr/bin/"+applet); err != nil {
			return err
		}
	}
	return nil
}

func (r *Root) accounts() error {
	for path, content := range map[string]string{
		"etc/passwd": fmt.Sprintf("root:x:0:0:root:/root:/bin/sh\n%s:x:%d:%d::/data:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
			valkeyUser, valkeyUserID, valkeyUserID),
		"etc/group":         fmt.Sprintf("root:x:0:\n%s:x:%d:\nnogroup:x:65534:\n", valkeyUser, valkeyUserID),
		"etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
	} {
		if err := r.File(path, content, 0o644); err != nil {
			return err
		}
	}
	if err := r.File("usr/local/bin/docker-entrypoint.sh", entryPoint, 0o755); err != nil {
		return err
	}
	return os.Mkdir(filepath.Join(r.dir, "data"), 0o755)
}

// Launcher is a script that runs the program of the root in dir on a host whose own C library may be older: it calls the
// root's own loader. It replaces itself by the program, so that signals and process ids are the program's.
func Launcher(dir, program string) (string, error) {
	loaders, _ := filepath.Glob(dir + "/usr/lib*/ld-linux*.so*") // the patterns are well-formed
	libraries, _ := filepath.Glob(dir + "/usr/lib/*-linux-gnu*")
	if len(loaders) != 1 || len(libraries) != 1 {
		return "", fmt.Errorf("found loaders %v and library folders %v in the root, want one each", loaders, libraries)
	}
	return fmt.Sprintf("#!/bin/sh\nexec '%s' --argv0 %s --library-path '%s' '%s' \"$@\"\n",
		loaders[0], program, libraries[0], dir+"/usr/local/bin/"+program), nil
}
