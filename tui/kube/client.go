package kube

import (
	"context"
	"errors"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
)

// ErrClosed is returned by Next of a Store or LogStream that was closed.
var ErrClosed = errors.New("closed")

// Client acts on the Valkeys of one cluster as one user. Every error that its methods return is a *Problem. It may be used from any goroutine.
type Client struct{}

// New makes a client from kubeconfig flags. It reads the kubeconfig, but does not contact the cluster.
func New(getter genericclioptions.RESTClientGetter) (*Client, error) { return &Client{}, nil }

// NewForConfig makes a client from a finished configuration, for tests and programs inside a cluster.
func NewForConfig(config *rest.Config, namespace string) (*Client, error) { return &Client{}, nil }

// WithContext makes a client for another context of the same kubeconfig.
func (c *Client) WithContext(name string) (*Client, error) { return c, nil }

// Namespace is the namespace that the flags or the kubeconfig's context name, else "default".
func (c *Client) Namespace() string { return "" }

// Context is what the kubeconfig says about where the client leads. No field needs the cluster.
type Context struct {
	Name      string
	Cluster   string
	User      string
	Namespace string
	Server    string // the URL
	Current   bool
}

// Context is the one in use.
func (c *Client) Context() Context { return Context{} }

// Contexts are all contexts of the kubeconfig, by name.
func (c *Client) Contexts() ([]Context, error) { return nil, nil }

// ServerVersion is the version of the API server, e.g. v1.37.2.
func (c *Client) ServerVersion(ctx context.Context) (string, error) { return "", nil }

// Whoami is the name by which the API server knows the user.
func (c *Client) Whoami(ctx context.Context) (string, error) { return "", nil }

// Namespaces are the names of all namespaces, sorted; ClassForbidden where the user may not list them.
func (c *Client) Namespaces(ctx context.Context) ([]string, error) { return nil, nil }

// Action is something that a user may or may not do.
type Action struct {
	Verb        string // get, list, watch, create, update, patch, delete
	Group       string // empty for the core group
	Resource    string // valkeys, pods, secrets, ...
	Subresource string // scale, log, ...
	Namespace   string // empty for all
	Name        string // empty for any
}

// Access is the answer to CanI.
type Access struct {
	Allowed bool
	Reason  string // in words, where it is not allowed
}

// CanI asks whether the user may do the action. An error means that it is not known, which is not a "no".
func (c *Client) CanI(ctx context.Context, action Action) (Access, error) { return Access{}, nil }
