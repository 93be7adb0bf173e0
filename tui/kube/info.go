package kube

import (
	"context"
	"encoding/json"
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"

	"kuberly.io/valkey-operator/tui/clean"
)

// ServerVersion is the version of the API server, e.g. v1.37.2.
func (c *Client) ServerVersion(ctx context.Context) (string, error) {
	result := c.connection().core.RESTClient().Get().AbsPath("/version").Do(ctx)
	if err := result.Error(); err != nil { // Raw alone would not read what the server says
		return "", c.failed(err)
	}
	data, err := result.Raw()
	if err != nil {
		return "", c.failed(err)
	}
	var info version.Info
	if err := json.Unmarshal(data, &info); err != nil {
		return "", explained(err)
	}
	return clean.Text(info.GitVersion), nil
}

// Whoami is the name by which the API server knows the user.
func (c *Client) Whoami(ctx context.Context) (string, error) {
	review, err := c.connection().authn.SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		return "", c.failed(err)
	}
	return clean.Text(review.Status.UserInfo.Username), nil
}

// Namespaces are the names of all namespaces, sorted; ClassForbidden where the user may not list them.
func (c *Client) Namespaces(ctx context.Context) ([]string, error) {
	list, err := c.connection().core.Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, c.failed(err)
	}
	names := make([]string, len(list.Items))
	for i := range list.Items {
		names[i] = clean.Text(list.Items[i].Name)
	}
	slices.Sort(names)
	return names, nil
}

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
func (c *Client) CanI(ctx context.Context, action Action) (Access, error) {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: action.Namespace, Verb: action.Verb, Group: action.Group, Resource: action.Resource,
			Subresource: action.Subresource, Name: action.Name,
		},
	}}
	answer, err := c.connection().authz.SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return Access{}, c.failed(err)
	}
	if answer.Status.Allowed {
		return Access{Allowed: true}, nil
	}
	return Access{Reason: notAllowed(action)}, nil
}

func notAllowed(action Action) string {
	what := action.Resource
	if action.Subresource != "" {
		what += "/" + action.Subresource
	}
	reason := "you may not " + action.Verb + " " + what
	if action.Namespace != "" {
		reason += " in namespace " + quote(action.Namespace)
	}
	return reason
}

// failed explains the error of a request, and reads the kubeconfig again where the credentials were not accepted, so that the next request
// may fare better.
func (c *Client) failed(err error) error {
	if err == nil {
		return nil
	}
	p := Explain(err)
	if p.Class == ClassCredentials {
		c.reload()
	}
	return p
}
