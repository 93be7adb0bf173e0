package node

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"kuberly.io/valkey-operator/test/sandbox/image"
	"kuberly.io/valkey-operator/test/sandbox/layout"
)

// Files that the node's programs are configured with. They are written anew at each start.
const (
	containerdFile = Inside + "/containerd.toml"
	kubeletFile    = Inside + "/kubelet.yaml"
	proxyFile      = Inside + "/proxy.yaml"
	cniDir         = Inside + "/cni"
)

func writeFiles(c Config) error {
	if err := os.MkdirAll(cniDir, 0o755); err != nil {
		return err
	}
	snapshotter, err := snapshotterFor(state)
	if err != nil {
		return fmt.Errorf("configure node: %w", err)
	}
	for path, content := range map[string]string{
		containerdFile:                       containerdConfig(c, snapshotter),
		kubeletFile:                          kubeletConfig(),
		proxyFile:                            proxyConfig(c),
		filepath.Join(cniDir, "10.conflist"): cniConfig(c),
	} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return fmt.Errorf("configure node: %w", err)
		}
	}
	return nil
}

func hosts(i int) string {
	return fmt.Sprintf("127.0.0.1 localhost\n%s %s\n", layout.NodeIP(i), layout.NodeName(i))
}

func resolvConf(i int) string { return fmt.Sprintf("nameserver %s\n", layout.NodeIP(i)) }

// containerdConfig: without restrict_oom_score_adj a containerd that lacks CAP_SYS_RESOURCE cannot start a container.
func containerdConfig(c Config, snapshotter string) string {
	return fmt.Sprintf(`version = 2
root = "%[1]s/containerd"
state = "/run/containerd"
[grpc]
  address = "%[2]s"
[debug]
  level = "warn"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "%[3]s"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "%[4]s"
    conf_dir = "%[5]s"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "%[6]s"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`, state, socket, image.Pause, c.CNI, cniDir, snapshotter)
}

// snapshotterFor says how containerd lays images out below dir. An overlay, which the root of a container often is, can
// bear no other overlay on it; then every container gets a copy.
func snapshotterFor(dir string) (string, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return "", err
	}
	if s.Type == unix.OVERLAYFS_SUPER_MAGIC {
		return "native", nil
	}
	return "overlayfs", nil
}

// cniConfig hands out the node's own part of the pods' network. The leases lie in a tmpfs: they end with the pods.
func cniConfig(c Config) string {
	return fmt.Sprintf(`{
  "cniVersion": "1.0.0", "name": "pods",
  "plugins": [{
    "type": "bridge", "bridge": "cni0", "isGateway": true, "isDefaultGateway": true, "ipMasq": false, "hairpinMode": true,
    "ipam": {"type": "host-local", "ranges": [[{"subnet": "%s"}]], "dataDir": "/run/cni-ipam"}
  }]
}
`, layout.NodePodCIDR(c.Index))
}

// kubeletConfig: quick and without limits on its own requests, since tests wait for pods; it neither evicts nor collects
// images until the disk is all but full, since nothing could be pulled again.
func kubeletConfig() string {
	return fmt.Sprintf(`apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication:
  anonymous: {enabled: false}
  webhook: {enabled: true}
  x509: {clientCAFile: %[1]s/ca.crt}
authorization: {mode: Webhook}
tlsCertFile: %[2]s/kubelet.crt
tlsPrivateKeyFile: %[2]s/kubelet.key
containerRuntimeEndpoint: unix://%[3]s
clusterDomain: cluster.local
clusterDNS: [%[4]s]
resolvConf: %[5]s/resolv.conf
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
serializeImagePulls: false
registryPullQPS: 0
eventRecordQPS: 0
kubeAPIQPS: 100
kubeAPIBurst: 200
configMapAndSecretChangeDetectionStrategy: Watch
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: 100Mi, nodefs.available: 1%%, nodefs.inodesFree: 1%%, imagefs.available: 1%%}
`, keys, state, socket, layout.DNSServiceIP, Inside)
}

// proxyConfig: with the default of one second a Service lags behind its endpoints, which would count against the time that
// a failover takes. Connection tracking belongs to the host and is left as it is.
func proxyConfig(c Config) string {
	return fmt.Sprintf(`apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: {kubeconfig: %s}
clusterCIDR: %s
hostnameOverride: %s
mode: nftables
nftables: {minSyncPeriod: 100ms, syncPeriod: 30s}
conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
`, kubeconfig("kube-proxy"), layout.PodCIDR, c.name())
}

// kubeconfig is the file of one of the node's clients; the cluster has put it into the node's state.
func kubeconfig(client string) string { return filepath.Join(state, client+".kubeconfig") }

// Admin is the client for whoever works inside the node, who finds its file at AdminKubeconfig there.
const (
	Admin           = "admin"
	AdminKubeconfig = state + "/" + Admin + ".kubeconfig"
)

// Kubeconfigs are the clients that a node has, with the user and the groups that each acts as.
func Kubeconfigs(i int) map[string][]string {
	clients := map[string][]string{
		"kubelet":    {"system:node:" + layout.NodeName(i), "system:nodes"},
		"kube-proxy": {"system:kube-proxy"},
		Admin:        {"sandbox:admin", "system:masters"},
	}
	if i == 1 {
		clients["kube-controller-manager"] = []string{"system:kube-controller-manager"}
		clients["kube-scheduler"] = []string{"system:kube-scheduler"}
		clients["provisioner"] = []string{"sandbox:provisioner", "system:masters"}
	}
	return clients
}
