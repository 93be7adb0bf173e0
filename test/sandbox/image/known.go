package image

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Names of the sandbox's own images. They are no registry's names: what they hold is built here.
const (
	Pause   = "kuberly.io/sandbox/pause:built"
	CoreDNS = "kuberly.io/sandbox/coredns:built"
)

// caBundles are where systems keep the certificates of the authorities that they trust.
var caBundles = []string{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"}

// nonroot is the user of the distroless images.
const nonroot = 65532

// Program packs one static program as an image that runs it as root.
func Program(file, tag, name, binary string) error {
	spec := Spec{Tags: []string{tag}, Entrypoint: []string{"/" + name}, WorkingDir: "/"}
	return Write(file, spec, []File{
		{Path: name, Mode: 0o755, Source: binary},
		{Path: "etc", Mode: fs.ModeDir | 0o755},
		{Path: "tmp", Mode: fs.ModeDir | fs.ModeSticky | 0o777},
	})
}

// Manager packs the manager's binary with the layout that the Dockerfile gives it: distroless static, the binary at
// /manager, run as the user nonroot.
func Manager(file, tag, binary string) error {
	spec := Spec{
		Tags: []string{tag}, Entrypoint: []string{"/manager"}, User: fmt.Sprintf("%d:%d", nonroot, nonroot), WorkingDir: "/",
		Env: []string{"SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"},
	}
	files := []File{
		{Path: "manager", Mode: 0o755, Source: binary},
		{Path: "tmp", Mode: fs.ModeDir | fs.ModeSticky | 0o777},
		{Path: "home", Mode: fs.ModeDir | 0o755},
		{Path: "home/nonroot", Mode: fs.ModeDir | 0o700, UID: nonroot, GID: nonroot},
		{Path: "etc", Mode: fs.ModeDir | 0o755},
		{Path: "etc/passwd", Mode: 0o644, Text: fmt.Sprintf("root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\nnonroot:x:%d:%d:nonroot:/home/nonroot:/sbin/nologin\n", nonroot, nonroot)},
		{Path: "etc/group", Mode: 0o644, Text: fmt.Sprintf("root:x:0:\nnobody:x:65534:\nnonroot:x:%d:\n", nonroot)},
		{Path: "etc/nsswitch.conf", Mode: 0o644, Text: "hosts: files dns\n"},
	}
	for _, bundle := range caBundles {
		if _, err := os.Stat(bundle); err == nil {
			files = append(files,
				File{Path: "etc/ssl", Mode: fs.ModeDir | 0o755},
				File{Path: "etc/ssl/certs", Mode: fs.ModeDir | 0o755},
				File{Path: "etc/ssl/certs/ca-certificates.crt", Mode: 0o644, Source: bundle})
			break
		}
	}
	return Write(file, spec, files)
}

// Valkey packs a root of rootfs.Valkey as the official image of that version, under its real tags and the extra ones.
func Valkey(file, root, version string, extraTags ...string) error {
	files, err := Tree(root)
	if err != nil {
		return err
	}
	files = Set(files,
		File{Path: "data", Mode: fs.ModeDir | 0o755, UID: 999, GID: 999},
		File{Path: "tmp", Mode: fs.ModeDir | fs.ModeSticky | 0o777})
	return Write(file, Spec{
		Tags:       ValkeyTags(version, extraTags...),
		Entrypoint: []string{"docker-entrypoint.sh"}, Cmd: []string{"valkey-server"}, WorkingDir: "/data",
		Env: []string{"VALKEY_VERSION=" + version}, Ports: []string{"6379/tcp"}, Volumes: []string{"/data"},
	}, files)
}

// ValkeyTags are the names of Valkey's image: by its full version, by major and minor, and the extra tags.
func ValkeyTags(version string, extra ...string) []string {
	minor := version[:max(strings.LastIndex(version, "."), 0)]
	var tags []string
	for _, tag := range append([]string{version, minor}, extra...) {
		if ref := "docker.io/valkey/valkey:" + tag; tag != "" && !slices.Contains(tags, ref) {
			tags = append(tags, ref)
		}
	}
	return tags
}
