package node

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/test/sandbox/image"
	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/reaper"
)

func commands(c Config) []reaper.Command {
	all := []reaper.Command{kubelet(c), proxy()}
	if c.isControlPlane() {
		all = append(all, etcd(c), apiServer(c), controllerManager(), scheduler(), provisioner())
	}
	return all
}

// TestEveryFileThatAProgramIsGivenIsMade guards against a name that only one of two places has: the program would be
// started again and again.
func TestEveryFileThatAProgramIsGivenIsMade(t *testing.T) {
	for i := 1; i <= 2; i++ {
		c := Config{Index: i}
		made := []string{kubeletFile, proxyFile, containerdFile, state + "/kubelet", state + "/etcd", volumes}
		for client := range Kubeconfigs(i) {
			made = append(made, kubeconfig(client))
		}
		for _, key := range []string{"ca", "front-proxy-ca", "front-proxy-client", "apiserver", "apiserver-kubelet-client", "sa"} {
			for _, suffix := range []string{".crt", ".key", ".pub"} {
				made = append(made, filepath.Join(keys, key+suffix))
			}
		}
		words := []string{kubeconfigIn(proxyConfig(c))}
		for _, cmd := range commands(c) {
			for _, arg := range cmd.Args {
				if _, value, _ := strings.Cut(arg, "="); strings.HasPrefix(value, Inside) {
					words = append(words, value)
				}
			}
		}
		for _, path := range words {
			if !slices.Contains(made, path) {
				t.Errorf("node %d: nobody makes %s", i, path)
			}
		}
	}
}

func kubeconfigIn(config string) string {
	_, rest, _ := strings.Cut(config, "{kubeconfig: ")
	path, _, _ := strings.Cut(rest, "}")
	return path
}

func TestConfigurationsAreWellFormed(t *testing.T) {
	c := Config{Index: 2, CNI: "/opt/cni"}
	for name, text := range map[string]string{"kubelet": kubeletConfig(), "proxy": proxyConfig(c), "cni": cniConfig(c)} {
		var parsed map[string]any
		if err := yaml.UnmarshalStrict([]byte(text), &parsed); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		if strings.Contains(text, "%!") {
			t.Errorf("%s: a verb has no value:\n%s", name, text)
		}
	}
	for text, wanted := range map[string][]string{
		containerdConfig(c, "native"): {`snapshotter = "native"`, `sandbox_image = "` + image.Pause + `"`, `bin_dir = "/opt/cni"`, "restrict_oom_score_adj = true"},
		cniConfig(c):                  {layout.NodePodCIDR(2)},
		hosts(2):                      {"10.88.0.2 node2"},
		kubeletConfig():               {"clusterDNS: [" + layout.DNSServiceIP + "]", "failCgroupV1: false", "nodefs.available: 1%"},
	} {
		for _, w := range wanted {
			if !strings.Contains(text, w) {
				t.Errorf("no %q in:\n%s", w, text)
			}
		}
	}
}

func TestConfigIsReadAsWritten(t *testing.T) {
	want := Config{Index: 3, Dir: layout.Dir(t.TempDir()), Hyper: "/h", Images: []string{"/a.tar"}}
	if err := os.MkdirAll(string(want.Dir.Node(3)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := want.Save(); err != nil {
		t.Fatal(err)
	}
	got, err := Load(want.Dir.Node(3).Config())
	if err != nil || got.Index != 3 || got.Hyper != "/h" || !slices.Equal(got.Images, want.Images) {
		t.Fatalf("got %+v and %v", got, err)
	}
}

func TestAnImageThatWasLoadedIsNotImportedAgain(t *testing.T) {
	dir := layout.Dir(t.TempDir()).Node(1)
	if err := os.MkdirAll(dir.State(), 0o755); err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(dir.State(), filepath.Base(importedFile))
	if err := os.WriteFile(record, []byte(`{"/run/sandbox/images/0.tar": "1 2"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	tar := filepath.Join(t.TempDir(), "manager.tar")
	if err := os.WriteFile(tar, []byte("image"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := MarkImported(dir, tar); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	var done map[string]string
	if err := json.Unmarshal(content, &done); err != nil {
		t.Fatal(err)
	}
	mark, err := markOf(tar)
	if err != nil {
		t.Fatal(err)
	}
	if done[loaded+"/manager.tar"] != mark || done["/run/sandbox/images/0.tar"] != "1 2" {
		t.Fatalf("got %v, want the new mark beside the old one", done)
	}
	if err := os.WriteFile(tar, []byte("another image"), 0o644); err != nil {
		t.Fatal(err)
	}
	if now, err := markOf(tar); err != nil || now == mark {
		t.Fatalf("another content has the same mark %q (%v)", now, err)
	}
}
