package kube

import (
	"context"
	"slices"
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
