package kube

import (
	"context"
	"slices"
	"strings"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Servers are the nodes of a Valkey, one pod each: of two pods of one node, which there are while the first one ends, it is the one that
// goes on.
func (c *Client) Servers(ctx context.Context, ref Ref) ([]Node, error) {
	nodes, err := c.Nodes(ctx, ref)
	if err != nil {
		return nil, err
	}
	return serversOf(nodes), nil
}

func serversOf(nodes []Node) []Node {
	var servers []Node
	for _, n := range nodes {
		at := slices.IndexFunc(servers, func(other Node) bool { return other.Name == n.Name })
		switch {
		case at < 0:
			servers = append(servers, n)
		case !n.Ending && (servers[at].Ending || servers[at].Role == ""):
			servers[at] = n
		}
	}
	return servers
}

// CheckNodes refuses a name that is neither a node that the Valkey wants or has, nor one of its pods.
func (c *Client) CheckNodes(ctx context.Context, v *v1alpha1.Valkey, names []string) error {
	nodes, err := c.Nodes(ctx, Ref{Namespace: v.Namespace, Name: v.Name})
	if err != nil {
		return err
	}
	return checkNodes(v, nodes, names)
}

func checkNodes(v *v1alpha1.Valkey, nodes []Node, names []string) error {
	var known, pods []string
	for i := range v.WantedReplicas() {
		known = append(known, v.NodeName(i))
	}
	for i := range nodes {
		pods = append(pods, nodes[i].Pod)
		if !slices.Contains(known, nodes[i].Name) {
			known = append(known, nodes[i].Name)
		}
	}
	for _, name := range names {
		if slices.Contains(known, name) || slices.Contains(pods, name) {
			continue
		}
		hint := "it has " + strings.Join(known, ", ")
		if len(known) == 0 {
			hint = "it has none now"
		}
		return problem(ClassNotFound, "valkey "+quote(v.Name)+" has no node "+quote(name), hint)
	}
	return nil
}

// Words are what a person chooses a node by: its role, and what is wrong with it.
func (n Node) Words() string {
	words := string(n.Role)
	if words == "" {
		words = "no role yet"
	}
	switch {
	case n.State != "":
		words += ", " + n.State
	case !n.Ready:
		words += ", not ready"
	}
	return words
}
