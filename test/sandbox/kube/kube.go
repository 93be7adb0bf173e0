// Package kube speaks to the API server for what the sandbox itself has to ask and set. It knows the few kinds that the
// sandbox's own objects have, so that starting a cluster needs no client library of its whole API.
package kube

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// fieldManager owns what the sandbox applies.
const fieldManager = "sandbox"

// Client speaks to one API server.
type Client struct {
	server string
	http   *http.Client
}

// New returns a Client of the API server at server, an https address.
func New(server string, config *tls.Config) *Client {
	return &Client{server: server, http: &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{TLSClientConfig: config, TLSHandshakeTimeout: 10 * time.Second},
	}}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// IsReady tells whether the API server answers and says that it is ready.
func (c *Client) IsReady(ctx context.Context) bool {
	_, err := c.do(ctx, http.MethodGet, "/readyz", "", nil)
	return err == nil
}

// Wait asks until the claim holds or ctx ends; then the error says what still did not hold.
func Wait(ctx context.Context, what string, holds func(context.Context) (bool, error)) error {
	for {
		ok, err := holds(ctx)
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			if err == nil {
				return fmt.Errorf("wait for %s: %w", what, context.Cause(ctx))
			}
			return fmt.Errorf("wait for %s: %w; it was: %w", what, context.Cause(ctx), err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Status struct {
		Conditions []condition `json:"conditions"`
	} `json:"status"`
}

type condition struct {
	Type              string    `json:"type"`
	Status            string    `json:"status"`
	LastHeartbeatTime time.Time `json:"lastHeartbeatTime"`
}

// condition returns the object's condition of that type, or an empty one.
func (o object) condition(kind string) condition {
	for _, c := range o.Status.Conditions {
		if c.Type == kind {
			return c
		}
	}
	return condition{}
}

// plurals are the kinds that the sandbox applies, as their addresses spell them.
var plurals = map[string]string{
	"ClusterRole": "clusterroles", "ClusterRoleBinding": "clusterrolebindings", "ConfigMap": "configmaps",
	"Deployment": "deployments", "Service": "services", "ServiceAccount": "serviceaccounts", "StorageClass": "storageclasses",
}

// Apply applies the objects of a YAML manifest, parted by lines of three dashes.
func (c *Client) Apply(ctx context.Context, manifest string) error {
	for document := range strings.SplitSeq(manifest, "\n---\n") {
		if strings.TrimSpace(document) == "" {
			continue
		}
		path, err := address(document)
		if err != nil {
			return err
		}
		_, err = c.do(ctx, http.MethodPatch, path+"?fieldManager="+fieldManager+"&force=true", "application/apply-patch+yaml", []byte(document))
		if err != nil {
			return fmt.Errorf("apply %s: %w", path, err)
		}
	}
	return nil
}

// address is the path of the object in the document.
func address(document string) (string, error) {
	var o object
	if err := yaml.Unmarshal([]byte(document), &o); err != nil {
		return "", fmt.Errorf("read manifest: %w", err)
	}
	plural, ok := plurals[o.Kind]
	if !ok || o.Metadata.Name == "" {
		return "", fmt.Errorf("apply %s %q: unknown kind or no name", o.Kind, o.Metadata.Name)
	}
	prefix := "/apis/" + o.APIVersion
	if !strings.Contains(o.APIVersion, "/") {
		prefix = "/api/" + o.APIVersion
	}
	if o.Metadata.Namespace != "" {
		prefix += "/namespaces/" + o.Metadata.Namespace
	}
	return prefix + "/" + plural + "/" + o.Metadata.Name, nil
}

// Node is what a node last said about itself, and when.
type Node struct {
	IsReady   bool
	Heartbeat time.Time
}

// Nodes returns the nodes by name.
func (c *Client) Nodes(ctx context.Context) (map[string]Node, error) {
	body, err := c.do(ctx, http.MethodGet, "/api/v1/nodes", "", nil)
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []object `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("read nodes: %w", err)
	}
	nodes := map[string]Node{}
	for _, n := range list.Items {
		ready := n.condition("Ready")
		nodes[n.Metadata.Name] = Node{IsReady: ready.Status == "True", Heartbeat: ready.LastHeartbeatTime}
	}
	return nodes, nil
}

// DeleteNode deletes a node; it may be gone already.
func (c *Client) DeleteNode(ctx context.Context, name string) error {
	_, err := c.do(ctx, http.MethodDelete, "/api/v1/nodes/"+name, "", nil)
	var status statusError
	if errors.As(err, &status) && status.code == http.StatusNotFound {
		return nil
	}
	return err
}

// IsAvailable tells whether the deployment has enough ready pods.
func (c *Client) IsAvailable(ctx context.Context, namespace, deployment string) (bool, error) {
	body, err := c.do(ctx, http.MethodGet, "/apis/apps/v1/namespaces/"+namespace+"/deployments/"+deployment, "", nil)
	if err != nil {
		return false, err
	}
	var o object
	if err := json.Unmarshal(body, &o); err != nil {
		return false, fmt.Errorf("read deployment %s: %w", deployment, err)
	}
	return o.condition("Available").Status == "True", nil
}

// statusError is an answer that is no success.
type statusError struct {
	code    int
	message string
}

func (e statusError) Error() string { return fmt.Sprintf("%d: %s", e.code, e.message) }

func (c *Client) do(ctx context.Context, method, path, contentType string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.server+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return nil, statusError{code: resp.StatusCode, message: message(content)}
	}
	return content, nil
}

// message is what a Status of the API server says, or the body itself.
func message(body []byte) string {
	var status struct{ Message string }
	if json.Unmarshal(body, &status) == nil && status.Message != "" {
		return status.Message
	}
	return strings.TrimSpace(string(body))
}
