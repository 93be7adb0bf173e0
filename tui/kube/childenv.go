package kube

import (
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// ChildEnv is the environment by which a program that is started from here (an editor, kubectl) uses the same context and namespace: a
// kubeconfig in dir that chooses them, in front of those that there are. No credentials are in it.
func (c *Client) ChildEnv(dir, namespace string) ([]string, error) {
	if c.getter == nil {
		return nil, nil // made of a finished configuration: there is no kubeconfig to choose in
	}
	loader := c.getter.ToRawKubeConfigLoader()
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, explained(err)
	}
	name := c.connection().context.Name
	chosen := raw.Contexts[name]
	if chosen == nil {
		return nil, nil // a program in a cluster, or a server given by flags
	}
	file := clientcmdapi.NewConfig()
	file.CurrentContext = name
	file.Contexts[name] = &clientcmdapi.Context{Cluster: chosen.Cluster, AuthInfo: chosen.AuthInfo, Namespace: namespace}
	path := filepath.Join(dir, "kubeconfig")
	if err := clientcmd.WriteToFile(*file, path); err != nil {
		return nil, explained(err)
	}
	all := []string{path}
	for _, source := range loader.ConfigAccess().GetLoadingPrecedence() {
		if absolute, err := filepath.Abs(source); err == nil {
			all = append(all, absolute)
		}
	}
	return []string{"KUBECONFIG=" + strings.Join(all, string(os.PathListSeparator))}, nil
}
