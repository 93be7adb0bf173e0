package node

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/pki"
	"kuberly.io/valkey-operator/test/sandbox/reaper"
)

const searchPath = BinDir + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// command is a program of the node that logs under its own name.
func command(path, name string, args ...string) reaper.Command {
	return reaper.Command{
		Path: path, Name: name, Args: args, Log: filepath.Join(logs, name+".log"),
		Env: []string{"PATH=" + searchPath, "HOME=/root", "TMPDIR=/run"},
	}
}

// hyper is one of the programs that are hyper by another name.
func hyper(name string, args ...string) reaper.Command {
	return command(filepath.Join(BinDir, name), name, args...)
}

func containerd() (reaper.Command, error) {
	path, err := exec.LookPath("containerd")
	if err != nil {
		return reaper.Command{}, fmt.Errorf("find containerd: %w", err)
	}
	return command(path, "containerd", "--config", containerdFile), nil
}

func kubelet(c Config) reaper.Command {
	return hyper("kubelet", "--config="+kubeletFile, "--kubeconfig="+kubeconfig("kubelet"), "--root-dir="+state+"/kubelet",
		"--node-ip="+layout.NodeIP(c.Index), "--hostname-override="+c.name())
}

func proxy() reaper.Command { return hyper("kube-proxy", "--config="+proxyFile) }

const etcdClient, etcdPeer = "http://127.0.0.1:2379", "http://127.0.0.1:2380"

// etcd does not wait for the disk: a sandbox outlives its processes, not a crash of the machine.
func etcd(c Config) reaper.Command {
	return hyper("etcd", "--name="+c.name(), "--data-dir="+state+"/etcd", "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls="+etcdClient, "--advertise-client-urls="+etcdClient,
		"--listen-peer-urls="+etcdPeer, "--initial-advertise-peer-urls="+etcdPeer, "--initial-cluster="+c.name()+"="+etcdPeer)
}

func apiServer(c Config) reaper.Command {
	pair := func(flag, name string) []string {
		return []string{
			fmt.Sprintf(flag, "cert", filepath.Join(keys, name+".crt")), fmt.Sprintf(flag, "key", filepath.Join(keys, name+".key")),
		}
	}
	args := []string{
		"--advertise-address=" + layout.NodeIP(c.Index), fmt.Sprintf("--secure-port=%d", layout.APIPort), "--allow-privileged=true",
		"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction",
		"--client-ca-file=" + filepath.Join(keys, pki.CA+".crt"), "--etcd-servers=" + etcdClient,
		"--tls-cert-file=" + filepath.Join(keys, pki.APIServer+".crt"), "--tls-private-key-file=" + filepath.Join(keys, pki.APIServer+".key"),
		"--kubelet-client-certificate=" + filepath.Join(keys, pki.KubeletClient+".crt"),
		"--kubelet-client-key=" + filepath.Join(keys, pki.KubeletClient+".key"),
		"--kubelet-certificate-authority=" + filepath.Join(keys, pki.CA+".crt"), "--kubelet-preferred-address-types=InternalIP",
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + filepath.Join(keys, pki.Accounts+".pub"),
		"--service-account-signing-key-file=" + filepath.Join(keys, pki.Accounts+".key"),
		"--service-cluster-ip-range=" + layout.ServiceCIDR,
		"--requestheader-client-ca-file=" + filepath.Join(keys, pki.FrontProxyCA+".crt"), "--requestheader-allowed-names=" + pki.FrontProxyClient,
		"--requestheader-extra-headers-prefix=X-Remote-Extra-", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-username-headers=X-Remote-User", "--profiling=false",
	}
	return hyper("kube-apiserver", append(args, pair("--proxy-client-%s-file=%s", pki.FrontProxyClient)...)...)
}

// controllerManager and scheduler are alone, so they elect no leader, and nobody asks them for metrics.
func controllerManager() reaper.Command {
	return hyper("kube-controller-manager", "--kubeconfig="+kubeconfig("kube-controller-manager"), "--leader-elect=false", "--secure-port=0",
		"--cluster-signing-cert-file="+filepath.Join(keys, pki.CA+".crt"), "--cluster-signing-key-file="+filepath.Join(keys, pki.CA+".key"),
		"--root-ca-file="+filepath.Join(keys, pki.CA+".crt"),
		"--service-account-private-key-file="+filepath.Join(keys, pki.Accounts+".key"), "--use-service-account-credentials=true",
		"--service-cluster-ip-range="+layout.ServiceCIDR, "--kube-api-qps=200", "--kube-api-burst=400", "--profiling=false")
}

func scheduler() reaper.Command {
	return hyper("kube-scheduler", "--kubeconfig="+kubeconfig("kube-scheduler"), "--leader-elect=false", "--secure-port=0",
		"--kube-api-qps=200", "--kube-api-burst=400", "--profiling=false")
}

func provisioner() reaper.Command {
	return command(filepath.Join(BinDir, "provisioner"), "provisioner", "--kubeconfig="+kubeconfig("provisioner"), "--root="+volumes)
}

// LastLine is the last line that process 1 of the node wrote, for an error about it.
func LastLine(dir interface{ Log() string }) string {
	content, err := os.ReadFile(filepath.Join(dir.Log(), "node.log"))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	return lines[len(lines)-1]
}
